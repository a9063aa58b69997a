"""``manage.py run_cases``: scripted agents work on the cases of a dataset, with simulated tools."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from routing.case_runs.agent import CHOOSERS
from routing.case_runs.driving import ARMS, agents_token, drive, errands
from routing.case_runs.reading import checked_runs, runs_of
from routing.management.options import refuse_below
from routing.management.published import named_release
from routing.models import EvalDataset
from routing.paths.measures import measure
from routing.paths.trail import Arm
from routing.policy.checks import EVERY_SCOPE


class Command(BaseCommand):
    """Let scripted agents work on cases, and say whether they took the expected paths."""

    help = (
        "Let a scripted agent work on each accepted case of a dataset through the API, in this "
        "process, with simulated tools: once with the tools that are chosen for the task (routed) "
        "and once with all. What came of it is on the dataset's pages of paths."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("ref", help="name, name@4 or name@staging")
        parser.add_argument("--dataset", required=True, help="a dataset of the catalog")
        parser.add_argument(
            "--arm",
            action="append",
            choices=[arm.value for arm in ARMS],
            help="may be repeated; both unless told",
        )
        parser.add_argument("--part", choices=["train", "test"], help="only this part")
        parser.add_argument("--limit", type=int, help="only so many cases")
        parser.add_argument(
            "--agent",
            choices=[*CHOOSERS],
            default="told",
            help="told: it knows what the case wants; reader: it chooses by words",
        )
        parser.add_argument(
            "--gullible", action="store_true", help="it does what a result tells it to"
        )
        parser.add_argument(
            "--scope", action="append", metavar="S", help="of the agent's key; all unless told"
        )

    def handle(self, **options: Any) -> None:
        """Work on the cases, and print what the runs come to."""
        refuse_below(options, limit=1)
        release = named_release(options["ref"])
        dataset = self._dataset(release.catalog_id, options["dataset"])
        some = errands(dataset, release, part=options["part"] or "", most=options["limit"])
        if not some:
            raise CommandError(f"No accepted case of “{dataset.name}” can be tried on it.")
        arms = [Arm(arm) for arm in dict.fromkeys(options["arm"] or ARMS)]
        now = timezone.now()
        made = drive(
            some,
            token=agents_token(dataset.catalog, scopes=options["scope"] or [EVERY_SCOPE], now=now),
            arms=arms,
            now=now,
            choose=CHOOSERS[options["agent"]],
            gullible=options["gullible"],
        )
        checked = checked_runs(dataset, runs_of(dataset, most=made))
        for arm in arms:
            said = measure(run for run in checked if run.trail.arm is arm)
            self.stdout.write(
                f"{arm}: {said.passed.hits} of {said.passed.of} runs took the expected path."
            )

    def _dataset(self, catalog: int, name: str) -> EvalDataset:
        rows = EvalDataset.objects.select_related("catalog")
        found = rows.filter(catalog=catalog, name=name).first()
        if found is None:
            raise CommandError(f"The catalog has no dataset “{name}”.")
        return found
