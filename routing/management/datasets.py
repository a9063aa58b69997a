"""A dataset of a catalog, evaluated from the command line: kept as a run that a page shows."""

import sys
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from routing.datasets import asking, evaluating
from routing.datasets.asking import NoCases, Setting, TooManyOpen
from routing.datasets.results import Result
from routing.evaluation.outcomes import Outcomes, gathered
from routing.management.progress import ProgressBar
from routing.management.published import named_release
from routing.models import EvalDataset, EvalRun, Release

_OF_FILES = ("train", "limit")


def of_dataset(options: dict[str, Any]) -> dict[str, Outcomes]:
    """Return the outcomes of a dataset's accepted cases by strategy; each is kept as a run.

    Raises ``CommandError``, also where what is asked for goes with files of cases only.
    """
    for name in _OF_FILES:
        if options[name] is not None:
            raise CommandError(f"--{name} goes with files of cases, and this is no file.")
    if len(options["dataset"]) > 1:
        raise CommandError("Of datasets one is evaluated at a time.")
    release = named_release(options["ref"])
    dataset = _named(release.catalog_id, options["dataset"][0])
    subject = Release.objects.select_related("version__catalog").get(pk=release.pk)
    own = release.index.settings.strategy.value
    found = {}
    for strategy in options["strategy"] or [""]:
        setting = Setting(strategy=strategy, part=options["part"] or "", seed=options["seed"])
        found[strategy or own] = gathered(
            [result.outcome for result in _evaluated(dataset, subject, setting)]
        )
    return found


def _named(catalog: int, name: str) -> EvalDataset:
    found = EvalDataset.objects.select_related("catalog").filter(catalog=catalog, name=name).first()
    if found is None:
        raise CommandError(f"--dataset {name}: neither a file nor a dataset of the catalog.")
    return found


def _evaluated(dataset: EvalDataset, subject: Release, setting: Setting) -> list[Result]:
    try:
        one = asking.ask(
            dataset=dataset, subject=subject, setting=setting, by=None, now=timezone.now()
        )
    except NoCases:
        raise CommandError(f"“{dataset.name}” has no accepted case.") from None
    except TooManyOpen:
        raise CommandError("Enough evaluations of the catalog wait already.") from None
    bar = ProgressBar(sys.stderr, f"run {one.number}")
    evaluating.carry_out(one, clock=timezone.now, stopping=lambda: False, progress=bar)
    one.refresh_from_db()
    if one.problem:
        said = EvalRun.Problem(one.problem).label
        raise CommandError(f"Run {one.number}: {said} {one.detail}".strip())
    if one.skipped:
        sys.stderr.write(f"{len(one.skipped)} cases name what this version does not have.\n")
    return evaluating.results_of(one)
