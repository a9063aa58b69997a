"""Ask for an evaluation, cancel it, go on with it, delete it; each deed is noted."""

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max

from catalog.publishing import DraftHasProblems, FrozenDraft, lock
from catalog.recording import note_deed
from routing import background, encoding
from routing.models import EvalDataset, EvalRun, LabelMove, Release
from routing.moves import current_move

MOST_OPEN = 5
"""Evaluations of a catalog that wait or run at a time."""

Start = Callable[[EvalRun], str]


class NoCases(Exception):
    """There is no accepted case to hold against anything."""


class TooManyOpen(Exception):
    """Enough evaluations of the catalog wait or run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What stands in for the document's own settings; ``None`` and nothing leave them."""

    strategy: str = ""
    threshold: float | None = None
    max_tools: int | None = None
    inclusive: bool | None = None
    part: str = ""
    seed: int = 0


@transaction.atomic
def ask(
    *,
    dataset: EvalDataset,
    subject: Release | FrozenDraft,
    setting: Setting,
    by: User | None,
    now: datetime,
    start: Start | None = None,
) -> EvalRun:
    """Have the accepted cases evaluated; notes the deed.

    Raises ``NoCases``, ``TooManyOpen``, and ``DraftHasProblems`` for a draft that could not be
    published. Without ``start`` nobody is handed it: the caller carries it out.
    """
    catalog = lock(dataset.catalog)
    if EvalRun.objects.open().filter(catalog=catalog).count() >= MOST_OPEN:
        raise TooManyOpen
    cases = dataset.cases.accepted()
    if setting.part:
        cases = cases.filter(part=setting.part)
    numbers = list(cases.values_list("number", flat=True))
    if not numbers:
        raise NoCases
    if isinstance(subject, FrozenDraft) and subject.problems:
        raise DraftHasProblems(list(subject.problems))
    last = EvalRun.objects.filter(catalog=catalog).aggregate(last=Max("number"))["last"]
    one = EvalRun.objects.create(
        catalog=catalog,
        dataset=dataset,
        number=(last or 0) + 1,
        **_subject(subject, live=current_move(catalog)),
        part=setting.part,
        strategy=setting.strategy,
        threshold=setting.threshold,
        max_tools=setting.max_tools,
        inclusive=setting.inclusive,
        seed=setting.seed,
        numbers=numbers,
        total=len(numbers),
        asked_by=by,
        asked_at=now,
    )
    _note(one, "eval_started", now=now)
    if start is not None:
        background.hand_over(one, start=start)
    return one


def _subject(subject: Release | FrozenDraft, *, live: LabelMove | None) -> dict[str, Any]:
    if isinstance(subject, Release):
        sha256, encoder = subject.version.sha256, subject.encoder
        return {"release": subject, "sha256": sha256, "encoder": encoder}
    kept = {"document": zlib.compress(subject.content), "sha256": subject.sha256}
    follows = live.release if live else None
    return {**kept, "follows": follows, "encoder": encoding.current()}


def cancel(one: EvalRun, *, now: datetime) -> None:
    """End a run; what is done of it stays."""
    with transaction.atomic():
        if background.cancel(one, now=now):
            _note(one, "eval_cancelled", now=now)


def resume(one: EvalRun, *, now: datetime, start: Start) -> bool:
    """Go on with a run that was cancelled or that failed, and tell whether it does."""
    with transaction.atomic():
        going_on = background.resume(one, start=start)
        if going_on:
            _note(one, "eval_resumed", now=now)
    return going_on


def delete_run(one: EvalRun, *, now: datetime) -> None:
    """Delete a run with what came of it."""
    with transaction.atomic():
        _note(one, "eval_deleted", now=now)
        one.delete()


def _note(one: EvalRun, action: str, *, now: datetime) -> None:
    said = {"dataset": one.dataset.name, "version": subject_name(one)}
    if one.strategy:
        said["strategy"] = one.strategy
    note_deed(
        catalog=one.catalog,
        action=action,
        kind="evals",
        subject=str(one.number),
        after=said,
        now=now,
    )


def subject_name(one: EvalRun) -> str:
    """Return what a run is of, as agents name it."""
    return str(one.release.version) if one.release else f"{one.catalog.name}@draft"
