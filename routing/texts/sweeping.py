"""Apply a catalog's setting to the words that were kept before it, on request.

It goes in short steps. How far it is, is written together with what a step did, so that whatever
ends a process in between, the next one goes on where it was.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from time import monotonic

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F

from catalog.models import Catalog
from catalog.recording import note_deed
from routing.datasets.changing import forget_undecided
from routing.keeping import Keeping
from routing.models import Text, TextSweep
from routing.texts.windows import runs_of

STEP = 500
"""Texts of a step: it holds the database's lock for some hundredths of a second."""
_WORDS = ("task", "history", "reason", "arguments", "data", "trace_fields")


class NothingToDo(ValueError):
    """The catalog keeps text in full: what is stored is as it would be kept."""


@transaction.atomic
def ask_for_sweep(*, catalog: Catalog, by: User | None, now: datetime) -> TextSweep:
    """Have a catalog's setting applied to what is stored, in place of what was asked for before.

    Raises ``NothingToDo``.
    """
    keeping = Keeping.of(Catalog.objects.select_for_update().get(pk=catalog.pk))
    if not keeping.nothing and not keeping.redactions:
        raise NothingToDo
    catalog.text_sweeps.filter(finished_at=None).update(finished_at=now)
    sweep = TextSweep.objects.create(
        catalog=catalog,
        asked_by=by,
        asked_at=now,
        nothing=keeping.nothing,
        redactions="" if keeping.nothing else keeping.redactions,
    )
    action = "erase_texts" if keeping.nothing else "redact_texts"
    note_deed(catalog=catalog, action=action, kind="runs", by=by, now=now)
    return sweep


def sweep_for(
    seconds: float,
    *,
    now: datetime,
    of: TextSweep | None = None,
    clock: Callable[[], float] = monotonic,
    step: int = STEP,
) -> bool:
    """Go on with what was asked for, for at most about so many seconds; tell whether all is done.

    What was written while it went on, under a setting of before, is looked at as well.
    """
    end = clock() + seconds
    for sweep in [of] if of else TextSweep.objects.filter(finished_at=None).order_by("id"):
        while take_step(sweep, now=now, most=step):
            if clock() >= end:
                return False
    return True


def take_step(sweep: TextSweep, *, now: datetime, most: int = STEP) -> bool:
    """Look at the next texts; tell whether there may be more.

    They are read and redacted before anything is locked, and written unless somebody else was
    quicker.
    """
    row = TextSweep.objects.filter(pk=sweep.pk, finished_at=None).first()
    if row is None:
        return False
    found = Text.objects.filter(pk__gt=row.place).order_by("pk").values_list("pk", "run_id")
    window = list(found[:most])
    if not window:
        if TextSweep.objects.filter(pk=row.pk, finished_at=None).update(finished_at=now):
            # Cases that nobody decided on yet are collected again, as the text is now.
            forget_undecided(row.catalog, until=now)
        return False
    own = runs_of(row.catalog_id, {run for _pk, run in window})
    of_catalog = list(Text.objects.filter(pk__in=[pk for pk, run in window if run in own]))
    changed = of_catalog if row.nothing else _redacted(row, of_catalog)
    with transaction.atomic():
        moved = TextSweep.objects.filter(pk=row.pk, place=row.place, finished_at=None).update(
            place=window[-1][0],
            looked=F("looked") + len(of_catalog),
            changed=F("changed") + len(changed),
        )
        if moved:
            _write(row, changed)
    return True


def _redacted(sweep: TextSweep, texts: Sequence[Text]) -> list[Text]:
    """Return the texts that redacting changes, changed."""
    keeping = Keeping(redactions=sweep.redactions)
    changed = []
    for text in texts:
        before = {name: getattr(text, name) for name in _WORDS}
        after = keeping.value(before)
        if after != before:
            for name in _WORDS:
                setattr(text, name, after[name])
            changed.append(text)
    return changed


def _write(sweep: TextSweep, changed: Sequence[Text]) -> None:
    if sweep.nothing:
        Text.objects.filter(pk__in=[text.pk for text in changed]).delete()
        return
    for text in changed:
        # Not saved: a text that was erased meanwhile must not come back.
        words = {name: getattr(text, name) for name in _WORDS}
        Text.objects.filter(pk=text.pk).update(**words)
