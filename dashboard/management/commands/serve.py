"""``manage.py serve``: the production server."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from granian import Granian
from granian.constants import Interfaces


class Command(BaseCommand):
    """Serve pages and API with granian."""

    help = "Serve the dashboard and the API."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--workers", type=int, default=2, help="processes")

    def handle(self, **options: Any) -> None:
        """Serve until interrupted. One blocking thread a process is fastest (see docs)."""
        self.stdout.write(f"Serving at http://{options['host']}:{options['port']}/")
        Granian(
            "dashboard.wsgi:application",
            address=options["host"],
            port=options["port"],
            interface=Interfaces.WSGI,
            workers=options["workers"],
            blocking_threads=1,
        ).serve()
