"""``manage.py serve``: the production server."""

import socket
from argparse import ArgumentParser, ArgumentTypeError
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
        parser.add_argument("--workers", type=_at_least_one, default=2, help="processes")
        parser.add_argument("--threads", type=_at_least_one, default=4, help="threads a process")

    def handle(self, **options: Any) -> None:
        """Serve until interrupted.

        One thread a process is fastest by a little. More keep a client that sends its body slowly
        from holding up the others; against one that means harm a proxy that buffers is needed.
        """
        refuse_taken_address(host=options["host"], port=options["port"])
        self.stdout.write(f"Serving at http://{options['host']}:{options['port']}/")
        Granian(
            "dashboard.wsgi:application",
            address=options["host"],
            port=options["port"],
            interface=Interfaces.WSGI,
            workers=options["workers"],
            blocking_threads=options["threads"],
            # One that was killed, for its memory say, must not take the others with it.
            respawn_failed_workers=True,
        ).serve()


def _at_least_one(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ArgumentTypeError("must be 1 or more")
    return number


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
