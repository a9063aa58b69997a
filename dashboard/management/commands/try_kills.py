"""``manage.py try_kills``: kill every process under load, and look whether anything is lost."""

from __future__ import annotations

import json
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.test import override_settings
from django.utils import timezone

from catalog.models import Catalog
from dashboard.demo import ensure_sample
from dashboard.management.scale.killing import try_kills
from routing.management.benchmarking.own_database import own_database
from routing.management.options import refuse_below

_CATALOG = "back-office"


class Command(BaseCommand):
    """Try what SIGKILL does to a deployment, in a database of its own."""

    help = (
        "Serve and work over a database of their own while clients select, expand, call, tell "
        "outcomes and post spans in batches; kill every process with SIGKILL at a random moment "
        "and start them again, as often as is asked for. Then compare what was acknowledged with "
        "the spans, and the counts with the spans. Ends with 1 if anything is lost."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--rounds", type=int, default=20, help="how often all are killed")
        parser.add_argument(
            "--seconds", type=float, default=3.0, help="at most, between two kills of a round"
        )
        parser.add_argument("--seed", type=int, default=1, help="of the moments")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, **options: Any) -> None:
        """Try, and print what came of it."""
        refuse_below(options, rounds=1)
        with (
            override_settings(ENCODER="none"),
            own_database(),
            tempfile.TemporaryDirectory() as folder,
        ):
            now = timezone.now()
            ensure_sample(name=_CATALOG, author=None, now=now)
            trial = try_kills(
                catalog=Catalog.objects.get(name=_CATALOG),
                rounds=options["rounds"],
                most_seconds=options["seconds"],
                folder=Path(folder),
                seed=options["seed"],
                now=now,
                say=lambda text: sys.stderr.write(f"{text}\n"),
            )
        record = trial.record()
        if options["json"]:
            self.stdout.write(json.dumps(record))
        else:
            for name, value in record.items():
                self.stdout.write(f"{name:14} {value}")
        if not trial.is_clean:
            raise CommandError("Something was lost, counted wrongly or damaged.")
