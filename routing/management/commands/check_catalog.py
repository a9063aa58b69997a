"""``manage.py check_catalog CATALOG``: say what is wrong with a draft and what could be better."""

import sys
from argparse import ArgumentParser
from collections import Counter
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand

from catalog.health import Severity
from catalog.publishing import freeze_and_check
from routing.draft_health import draft_findings
from routing.encoding import EncoderFailed
from routing.look_alikes import search_now
from routing.management.catalogs import named_catalog
from routing.management.progress import ProgressBar
from routing.selection import UnknownEncoder


class Command(BaseCommand):
    """Check a catalog's draft."""

    help = "Say what is wrong with a catalog's draft; exits 1 where something stops a publish."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("catalog")

    def handle(self, **options: Any) -> None:
        """Print a line a finding, the gravest first, and how many there are of each severity."""
        frozen = freeze_and_check(named_catalog(options["catalog"]))
        try:
            search_now(frozen=frozen, progress=ProgressBar(sys.stderr, "look-alikes"))
        except (EncoderFailed, UnknownEncoder, ImproperlyConfigured) as error:
            self.stderr.write(f"Look-alikes were not searched for: {error}")
        findings = draft_findings(frozen)
        for finding in findings:
            self.stdout.write(str(finding))
        counts = Counter(finding.severity for finding in findings)
        self.stdout.write(", ".join(f"{counts[severity]} {severity}s" for severity in Severity))
        if counts[Severity.ERROR]:
            sys.exit(1)
