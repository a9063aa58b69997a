"""``manage.py simulate_traffic``: a month of tasks for the sample catalogs."""

from argparse import ArgumentParser
from datetime import UTC, datetime
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from routing.rollups.folding import fold_all
from routing.simulation import simulate


class Command(BaseCommand):
    """Simulate agents at work on the sample catalogs that are published."""

    help = (
        "Let simulated agents work on the sample catalogs for a month: real selections of written "
        "tasks and calls of made-up tools, marked as simulated. The first administrator approves. "
        "A second run adds only what is missing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--tasks", type=int, default=6000, help="how many tasks there are")
        parser.add_argument(
            "--days", type=int, default=30, help="how many days they are spread over"
        )
        parser.add_argument("--seed", type=int, default=1, help="another seed is another month")
        parser.add_argument("--until", type=moment, help="when the month ends (ISO 8601); now")

    def handle(self, **options: Any) -> None:
        """Simulate, and say what came of it."""
        if options["tasks"] < 1 or options["days"] < 1:
            raise CommandError("There must be one task and one day at least.")
        done = simulate(
            tasks=options["tasks"],
            days=options["days"],
            seed=options["seed"],
            until=options["until"] or timezone.now(),
            say=self.stdout.write,
            approver=User.objects.filter(is_superuser=True, is_active=True).order_by("pk").first(),
        )
        fold_all(now=timezone.now())
        self.stdout.write(
            f"{done.begins:%Y-%m-%d} to {done.ends:%Y-%m-%d}: {done.made} runs made, "
            f"{done.already} were there; {done.tally.selections} selections, "
            f"{done.tally.expansions} expansions, {done.tally.calls.proposals} proposed calls, "
            f"{done.tally.calls.results} results, {done.tally.outcomes} outcomes."
        )


def moment(text: str) -> datetime:
    """Return a time as it was typed, in UTC where no offset is given."""
    parsed = parse_datetime(text)
    if parsed is None:
        raise ValueError(text)
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)
