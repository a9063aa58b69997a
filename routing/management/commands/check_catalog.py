"""``manage.py check_catalog CATALOG``: say what is wrong with a draft and what could be better."""

import sys
from argparse import ArgumentParser
from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand

from catalog.health import Severity
from catalog.publishing import freeze_and_check
from routing.draft_health import draft_findings
from routing.management.catalogs import named_catalog


class Command(BaseCommand):
    """Check a catalog's draft."""

    help = "Say what is wrong with a catalog's draft; exits 1 where something stops a publish."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("catalog")

    def handle(self, **options: Any) -> None:
        """Print a line a finding, the gravest first, and how many there are of each severity."""
        findings = draft_findings(freeze_and_check(named_catalog(options["catalog"])))
        for finding in findings:
            self.stdout.write(str(finding))
        counts = Counter(finding.severity for finding in findings)
        self.stdout.write(", ".join(f"{counts[severity]} {severity}s" for severity in Severity))
        if counts[Severity.ERROR]:
            sys.exit(1)
