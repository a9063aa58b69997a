"""``manage.py bench_calls``: what a decision costs, beside an endpoint that writes one row."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from time import perf_counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from routing.management.benchmarking.deciding import measured
from routing.management.benchmarking.own_database import own_database


class Command(BaseCommand):
    """Time proposals in a database of their own, which is dropped afterwards."""

    help = (
        "Time proposed calls through the whole API, beside a bare authenticated endpoint that "
        "writes one row. A database is made for it and dropped again."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--rounds", type=int, default=300, help="requests of each kind")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, **options: Any) -> None:
        """Measure and print."""
        if options["rounds"] < 1:
            raise CommandError("--rounds is at least 1.")
        with own_database():
            found = measured(rounds=options["rounds"], clock=perf_counter, now=timezone.now())
        if options["json"]:
            self.stdout.write(json.dumps(found.record()))
            return
        for kind, row in found.record().items():
            self.stdout.write(f"{kind:28} {row['ms']:8.2f} ms   {row['times_bare']:5.2f} times")
