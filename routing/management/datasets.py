"""A dataset of a catalog, evaluated from the command line: kept as a run that a page shows."""

import sys
from dataclasses import dataclass
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from catalog.publishing import DraftHasProblems, FrozenDraft, freeze_and_check
from routing.datasets import asking, evaluating
from routing.datasets.asking import NoCases, Setting, TooManyOpen
from routing.evaluation.outcomes import Outcomes, gathered
from routing.management.catalogs import named_catalog
from routing.management.progress import ProgressBar
from routing.management.published import named_release
from routing.models import EvalDataset, EvalRun, Release
from routing.models.release import DRAFT

_OF_FILES = ("train", "limit")


def of_dataset(options: dict[str, Any]) -> dict[str, Outcomes]:
    """Return the outcomes of a dataset's accepted cases by strategy; each is kept as a run.

    Raises ``CommandError``, also where what is asked for goes with files of cases only.
    """
    subject = named_subject(options["ref"])
    dataset = dataset_of(options, catalog=subject.catalog)
    found = {}
    for strategy in options["strategy"] or [""]:
        setting = Setting(strategy=strategy, part=options["part"] or "", seed=options["seed"])
        results = evaluating.results_of(evaluated(dataset, subject, setting))
        found[strategy or subject.strategy] = gathered([result.outcome for result in results])
    return found


@dataclass(frozen=True, slots=True)
class Named:
    """What a reference names, of a catalog by its key; ``strategy`` is its own."""

    catalog: int
    of: Release | FrozenDraft
    strategy: str


def named_subject(ref: str) -> Named:
    """Return what a reference names, ``name@draft`` too; raises ``CommandError``."""
    name, _, label = ref.partition("@")
    if label == DRAFT:
        catalog = named_catalog(name)
        frozen = freeze_and_check(catalog)
        return Named(catalog.pk, frozen, frozen.value["settings"]["strategy"])
    release = named_release(ref)
    subject = Release.objects.select_related("version__catalog").get(pk=release.pk)
    return Named(release.catalog_id, subject, release.index.settings.strategy.value)


def dataset_of(options: dict[str, Any], *, catalog: int) -> EvalDataset:
    """Return the one dataset that is named; raises ``CommandError``.

    Also where what is asked for goes with files of cases only.
    """
    for name in _OF_FILES:
        if options[name] is not None:
            raise CommandError(f"--{name} goes with files of cases, and this is no file.")
    if len(options["dataset"]) > 1:
        raise CommandError("Of datasets one is evaluated at a time.")
    return _named(catalog, options["dataset"][0])


def _named(catalog: int, name: str) -> EvalDataset:
    found = EvalDataset.objects.select_related("catalog").filter(catalog=catalog, name=name).first()
    if found is None:
        raise CommandError(f"--dataset {name}: neither a file nor a dataset of the catalog.")
    return found


def evaluated(dataset: EvalDataset, subject: Named, setting: Setting) -> EvalRun:
    """Return a run of a dataset that has ended; raises ``CommandError`` where it could not."""
    try:
        one = asking.ask(
            dataset=dataset, subject=subject.of, setting=setting, by=None, now=timezone.now()
        )
    except NoCases:
        raise CommandError(f"“{dataset.name}” has no accepted case.") from None
    except DraftHasProblems as refused:
        raise CommandError(f"The draft cannot be tried: {refused}") from None
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
    return one
