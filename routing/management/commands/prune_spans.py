"""``manage.py prune_spans``: drop spans that are older than they are kept for."""

from argparse import ArgumentParser
from time import sleep
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from routing.retention.boundary import days_kept
from routing.retention.pruning import due, prune
from routing.retention.rows import Gone

TRIES = 30
PAUSE = 2.0
"""Seconds until the next try where others did not make way."""


class Command(BaseCommand):
    """Drop what is old. The worker does so once a day where ``SPANS_KEPT_DAYS`` is set."""

    help = "Drop spans that are older than SPANS_KEPT_DAYS, with their runs; counts stay."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--days", type=int, help="keep so many days, today not counted")
        parser.add_argument(
            "--dry-run", action="store_true", help="say what would be dropped, and drop nothing"
        )

    def handle(self, **options: Any) -> None:
        """Drop, and say what."""
        days = days_kept() if options["days"] is None else options["days"]
        if days < 1:
            raise CommandError(
                "Spans are kept for ever: set SPANS_KEPT_DAYS, or say --days with one at least."
            )
        now = timezone.now()
        if options["dry_run"]:
            found = due(days=days, now=now)
            self.stdout.write(
                f"{found.runs} runs with {found.spans} spans ended before {found.until:%Y-%m-%d}"
                f" (UTC) and would be dropped, {found.partitions} partitions as a whole."
            )
            return
        gone = Gone()
        for _ in range(TRIES):
            if prune(days=days, now=now, gone=gone):
                break
            sleep(PAUSE)
        else:
            raise CommandError("Others did not make way for long enough: try again later.")
        self.stdout.write(
            f"Dropped {gone.runs} runs with {gone.spans} spans, {gone.partitions} partitions as a"
            " whole. Counts by the hour are kept."
        )
