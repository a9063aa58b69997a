"""``manage.py serve``: the production server."""

import socket
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
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
        refuse_taken_address(host=options["host"], port=options["port"])
        self.stdout.write(f"Serving at http://{options['host']}:{options['port']}/")
        Granian(
            "dashboard.wsgi:application",
            address=options["host"],
            port=options["port"],
            interface=Interfaces.WSGI,
            workers=options["workers"],
            blocking_threads=1,
            # One that was killed, for its memory say, must not take the others with it.
            respawn_failed_workers=True,
        ).serve()


def refuse_taken_address(*, host: str, port: int) -> None:
    """Raise ``CommandError`` where an address cannot be served at.

    The workers share their port by SO_REUSEPORT. A second server would share it too, without a
    word, and take every other request to its own database.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(family) as probe:
            # A port that was just left is free; one that is listened at is not.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except (OSError, OverflowError) as error:
        raise CommandError(
            f"Cannot serve at {host}:{port}: {error}. Choose another address by --host and --port "
            "(make demo PORT=8123)."
        ) from error
