"""``manage.py bench_pages``: what every page of a catalog costs the server."""

from __future__ import annotations

import json
import logging
from argparse import ArgumentParser
from collections.abc import Iterator
from time import process_time
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.test import Client, override_settings

from catalog.models import Catalog
from dashboard.management.benchmarking.crowded import measured_in_crowd
from dashboard.management.benchmarking.page_times import PageTime, measured, pages_of
from routing.management.benchmarking.own_database import own_database

LIMIT = 1.0
"""Seconds of the processor that a page may take."""
_HEAD = f"{'page':42} {'first ms':>9} {'again ms':>9} {'queries':>8} {'kB':>6}"
_WITHOUT_COLLECTED_FILES = {
    **settings.STORAGES,
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}


class Command(BaseCommand):
    """Measure every page of a catalog."""

    help = (
        "Ask for every page of a catalog, and print the seconds of the processor and the queries "
        "of each. Without --catalog one of --tools and --groups is made in a database of its own, "
        "which is dropped again, and is published, changed and published once more."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--catalog", help="measure this one, and change nothing")
        parser.add_argument("--tools", type=int, default=5000)
        parser.add_argument("--groups", type=int, default=500)
        parser.add_argument("--rounds", type=int, default=3, help="requests after the first")
        parser.add_argument("--only", default="", help="pages whose name holds this text")
        parser.add_argument("--json", action="store_true", help="print a line of JSON a page")

    def handle(self, **options: Any) -> None:
        """Measure and print; what takes longer than it may is marked."""
        if min(options["tools"], options["groups"], options["rounds"]) < 1:
            raise CommandError("--tools, --groups and --rounds are at least 1.")
        # That a page only takes what is sent is nothing to warn of.
        logging.getLogger("django.request").setLevel(logging.ERROR)
        if not options["json"]:
            self.stdout.write(
                f"{'page':42} {'first ms':>9} {'again ms':>9} {'queries':>8} {'kB':>6}"
            )
        with override_settings(
            ALLOWED_HOSTS=["*"], SECURE_SSL_REDIRECT=False, STORAGES=_WITHOUT_COLLECTED_FILES
        ):
            for one in self._found(options):
                self.stdout.write(json.dumps(one.record()) if options["json"] else _line(one))

    def _found(self, options: dict[str, Any]) -> Iterator[PageTime]:
        if options["catalog"]:
            yield from _of_existing(
                options["catalog"], rounds=options["rounds"], only=options["only"]
            )
            return
        with own_database():
            yield from measured_in_crowd(
                tools=options["tools"],
                groups=options["groups"],
                rounds=options["rounds"],
                only=options["only"],
                clock=process_time,
            )


def _line(one: PageTime) -> str:
    mark = "  over a second" if one.again > LIMIT else ""
    return (
        f"{one.name:42} {one.first * 1000:9.0f} {one.again * 1000:9.0f} {one.queries:8} "
        f"{one.size / 1000:6.0f}{mark}"
    )


def _of_existing(name: str, *, rounds: int, only: str) -> Iterator[PageTime]:
    """Measure a catalog as one who sees everything; writers wait, and nothing stays written."""
    catalog = Catalog.objects.filter(name=name).first()
    if catalog is None:
        raise CommandError(f"There is no catalog “{name}”.")
    with transaction.atomic():
        person = User.objects.create_superuser("bench_pages")
        client = Client()
        client.force_login(person)
        pages = {key: url for key, url in pages_of(catalog).items() if only in key}
        yield from measured(client=client, pages=pages, rounds=rounds, clock=process_time)
        transaction.set_rollback(True)
