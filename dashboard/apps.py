"""The dashboard app."""

from django.apps import AppConfig


class DashboardConfig(AppConfig):
    """The pages, and what they have the worker do."""

    name = "dashboard"

    def ready(self) -> None:
        """Have the worker judge the rules of alerts."""
        from dashboard.alerts.evaluating import evaluate  # noqa: PLC0415 - it needs the models
        from routing.chores import each_minute  # noqa: PLC0415

        each_minute(evaluate)
