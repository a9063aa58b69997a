"""The app that chooses."""

from django.apps import AppConfig


class RoutingConfig(AppConfig):
    """The app that chooses, releases and records."""

    name = "routing"

    def ready(self) -> None:
        """Register the checks of the settings, and the draft's names, and chores."""
        import routing.encoding.checks  # noqa: PLC0415 - apps are ready only now
        import routing.llm.checks  # noqa: PLC0415
        import routing.monitoring.checks  # noqa: F401, PLC0415
        from catalog.renaming import ask_too  # noqa: PLC0415 - they need the models
        from routing.chores import aside, each_minute  # noqa: PLC0415
        from routing.old_names import kept_by  # noqa: PLC0415
        from routing.partitions.opening import open_days  # noqa: PLC0415
        from routing.retention.pruning import Pruner  # noqa: PLC0415

        ask_too(kept_by)
        each_minute(open_days)
        each_minute(aside(Pruner()))
