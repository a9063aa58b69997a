"""The catalog app."""

from django.apps import AppConfig


class CatalogConfig(AppConfig):
    name = "catalog"

    def ready(self) -> None:
        """Record every change of a draft from now on."""
        from catalog.recording.starting import start  # noqa: PLC0415 - it needs the models

        start()
