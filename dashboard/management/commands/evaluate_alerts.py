"""``manage.py evaluate_alerts``: judge the rules of alerts now, or hour by hour since a time."""

from argparse import ArgumentParser
from datetime import UTC, datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from catalog.models import Catalog
from dashboard.alerts.evaluating import evaluate, evaluate_since
from dashboard.alerts.ruled import rule_from
from dashboard.alerts.words import name_of


class Command(BaseCommand):
    """Judge alerts once: what “manage.py work” does about each minute."""

    help = (
        "Judge the rules of alerts now and have messages sent. With --since, judge the past hour "
        "by hour instead, each hour by the counts of before it, and tell nobody: hours that were "
        "judged already stay as they are."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--since", type=moment, help="judge from this time on (ISO 8601)")
        parser.add_argument("--catalog", help="with --since: this catalog alone")

    def handle(self, **options: Any) -> None:
        """Judge, and say what changed in the past."""
        now, since = timezone.now(), options["since"]
        if since is None:
            evaluate(now)
            return
        catalogs = Catalog.objects.filter(archived=False).order_by("name")
        if options["catalog"]:
            catalogs = catalogs.filter(name=options["catalog"])
        if not catalogs:
            raise CommandError("There is no such catalog.")
        for catalog in catalogs:
            for change in evaluate_since(catalog, since=since, now=now):
                if "firing" in (change.before, change.after):
                    alert = name_of(rule_from(change.rule))
                    self.stdout.write(
                        f"{change.at:%Y-%m-%d %H:%M} {catalog.name} {change.after}: {alert}"
                    )


def moment(text: str) -> datetime:
    """Return a time as it was typed, in UTC where no offset is given."""
    parsed = parse_datetime(text)
    if parsed is None:
        raise ValueError(text)
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)
