"""``manage.py fit REF``: learn from a catalog's reviewed cases, and put live what is better."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from routing.gate.standing import standing_of_release
from routing.learned import asking, fitting
from routing.learned.asking import LearningAlready
from routing.learned.gathering import datasets_of
from routing.learned.reporting import lines_of
from routing.management.catalogs import named_catalog
from routing.management.options import refuse_below
from routing.management.progress import ProgressBar
from routing.models import Fit
from routing.models.release import LIVE
from routing.moves import NothingLive, current_move
from routing.references import MalformedReference, parse_reference


class Command(BaseCommand):
    """Fit a calibration and a classifier to a catalog's accepted cases."""

    help = (
        "Learn from the accepted cases of a catalog's datasets. What is better on cases that were "
        "held out goes live as a new release of the live version; the rest is told."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("ref", help="name of the catalog; what is live learns")
        parser.add_argument(
            "--dataset",
            action="append",
            metavar="D",
            help="a dataset to learn from; may be repeated; those of the setting unless told",
        )
        parser.add_argument("--seed", type=int, default=0)

    def handle(self, **options: Any) -> None:
        """Learn, and say what came of it."""
        refuse_below(options, seed=0)
        try:
            reference = parse_reference(options["ref"])
        except MalformedReference as error:
            raise CommandError(str(error)) from error
        if reference.version is not None or reference.label != LIVE:
            raise CommandError("What is live learns: name the catalog alone.")
        catalog = named_catalog(reference.catalog)
        names = options["dataset"] or asking.setting_of(catalog).datasets
        known = {dataset.name for dataset in datasets_of(catalog, names)}
        for name in names:
            if name not in known:
                raise CommandError(f"--dataset {name}: the catalog has no dataset of this name.")
        try:
            one = asking.ask(
                catalog=catalog,
                datasets=names,
                by=None,
                now=timezone.now(),
                seed=options["seed"],
            )
        except NothingLive:
            raise CommandError(f"Nothing of “{catalog.name}” is live.") from None
        except LearningAlready as already:
            raise CommandError(f"{already.fit} is under way.") from None
        bar = ProgressBar(sys.stderr, f"fit {one.number}")
        fitting.carry_out(one, clock=timezone.now, stopping=lambda: False, progress=bar)
        self._tell(one)

    def _tell(self, one: Fit) -> None:
        one.refresh_from_db()
        if one.problem:
            said = Fit.Problem(one.problem).label
            raise CommandError(f"Fit {one.number}: {said} {one.detail}".strip())
        self.stdout.write("\n".join(lines_of(one.report)))
        if one.release is None:
            self.stdout.write("Nothing is better than what is live: nothing was changed.")
            return
        live = current_move(one.catalog)
        if live is not None and live.release_id == one.release_id:
            self.stdout.write(f"{one.release} is live.")
            return
        standing = standing_of_release(
            catalog=one.catalog, release=one.release, live=live, now=timezone.now()
        )
        for fall in standing.falls:
            self.stdout.write(f"Falls: {fall}")
        raise CommandError(
            f"{one.release} is ready and not live: the gate keeps it. The page of fit "
            f"{one.number} has the check, and puts it live for a reason."
        )
