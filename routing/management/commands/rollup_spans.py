"""``manage.py rollup_spans``: count new spans by the hour, or all of them again."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from routing.management.progress import ProgressBar
from routing.models import HourlyCount
from routing.rollups.folding import fold_all
from routing.rollups.rebuilding import rebuild


class Command(BaseCommand):
    """Count what does not count yet; ``work`` does so every few seconds."""

    help = "Count new spans by the hour, for the charts. The worker does so by itself."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the option."""
        parser.add_argument(
            "--rebuild", action="store_true", help="count all spans again, in place of the counts"
        )

    def handle(self, **options: Any) -> None:
        """Count, and say how far counts go."""
        now = timezone.now()
        if options["rebuild"]:
            rebuild(now=now, progress=ProgressBar(sys.stderr, "Counting"))
        folded = fold_all(now=now)
        hours = HourlyCount.objects.values("hour").distinct().count()
        self.stdout.write(f"Counted up to span {folded.upto}; there is traffic in {hours} hours.")
