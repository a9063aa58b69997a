"""``manage.py serve``: the production server."""

import logging
import os
import socket
from argparse import ArgumentParser, ArgumentTypeError
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from granian import Granian
from granian.constants import Interfaces
from granian.log import logger as granian_log

from dashboard.supervised import supervise

SPARE_THREADS = 16


class Command(BaseCommand):
    """Serve pages and API with granian."""

    help = "Serve the dashboard and the API."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--workers", type=_at_least_one, default=2, help="processes")
        parser.add_argument(
            "--threads",
            type=_at_least_one,
            default=settings.REQUEST_THREADS,
            help="requests of the API that a process works on at once, and as many of pages",
        )

    def handle(self, **options: Any) -> None:
        """Serve until interrupted.

        One thread a process is fastest by a little. More keep a request that waits for something
        from holding up the others. The server's own threads only wait for these, so that there may
        be many: with all places of both lines taken, some are left to turn away who comes then.
        """
        refuse_taken_address(host=options["host"], port=options["port"])
        self.stdout.write(f"Serving at http://{options['host']}:{options['port']}/")
        # The processes inherit the settings or read them anew, as the platform starts processes.
        settings.REQUEST_THREADS = options["threads"]
        os.environ["REQUEST_THREADS"] = str(options["threads"])
        waiting = 2 * settings.REQUESTS_IN_FLIGHT + SPARE_THREADS
        server = Granian(
            "dashboard.wsgi:application",
            address=options["host"],
            port=options["port"],
            interface=Interfaces.WSGI,
            workers=options["workers"],
            blocking_threads=waiting,
            backpressure=2 * waiting,
            # One that was killed, for its memory say, must not take the others with it.
            respawn_failed_workers=True,
        )
        granian_log.addFilter(_is_not_about_threads)
        supervise()
        server.serve()


def _is_not_about_threads(record: logging.LogRecord) -> bool:
    """Leave out granian's advice against many threads: these wait, and are not all started."""
    return "Python threads" not in record.getMessage()


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
