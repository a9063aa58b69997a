"""The app that chooses."""

from django.apps import AppConfig


class RoutingConfig(AppConfig):
    """The app that chooses, releases and records."""

    name = "routing"

    def ready(self) -> None:
        """Register the checks of the settings."""
        import routing.encoding.checks  # noqa: PLC0415 - apps are ready only now
        import routing.llm.checks  # noqa: F401, PLC0415
