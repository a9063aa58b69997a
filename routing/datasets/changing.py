"""Make datasets, and put cases into them; each deed is in the audit log."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet

from catalog.models import Catalog
from catalog.recording import note_deed
from routing.datasets.rows import digest_of, fields_of
from routing.evaluation.cases import Case
from routing.evaluation.near import plain, said_before
from routing.models import EvalCase, EvalDataset, GatePolicy, Run, Vector
from routing.paths.script import Script
from routing.selection import content_hash

MOST_CASES = 10_000
"""Cases of a dataset."""
_AT_ONCE = 500


class TooManyCases(Exception):
    """A dataset would have more cases than one may."""


class GateAsksForIt(Exception):
    """The gate of the catalog names the dataset: without it, it would ask for all others."""


class AskedAlready(Exception):
    """Another case of the dataset asks the same: ``number``."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@dataclass(frozen=True, slots=True)
class Taken:
    """A case that is to be taken in, with the ``run`` that it is from and when it was said."""

    case: Case
    run: Run | None = None
    said_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Added:
    """How many cases are new, and of how many the dataset asked the same already."""

    new: int
    known: int


@transaction.atomic
def make_dataset(
    *,
    catalog: Catalog,
    name: str,
    description: str = "",
    tags: Sequence[str] = (),
    by: User | None,
    now: datetime,
) -> EvalDataset:
    """Make a dataset. Raises ``IntegrityError`` where there is one of this name."""
    made = EvalDataset.objects.create(
        catalog=catalog,
        name=name,
        description=description,
        tags=list(tags),
        created_by=by,
        created_at=now,
    )
    note_deed(catalog=catalog, action="dataset_made", kind="datasets", subject=name, now=now)
    return made


@transaction.atomic
def set_simulation(dataset: EvalDataset, script: Script, *, now: datetime) -> bool:
    """Let the simulated tools of a dataset answer otherwise, and tell whether that is a change."""
    record = script.record()
    if record == dataset.simulation:
        return False
    dataset.simulation = record
    dataset.save(update_fields=["simulation"])
    note_deed(
        catalog=dataset.catalog,
        action="simulation_changed",
        kind="datasets",
        subject=dataset.name,
        after={"tools": list(script.tools)},
        now=now,
    )
    return True


@transaction.atomic
def delete_dataset(dataset: EvalDataset, *, now: datetime) -> None:
    """Delete a dataset with its cases and all that they were held against.

    Raises ``GateAsksForIt``.
    """
    if GatePolicy.objects.filter(datasets=dataset).exists():
        raise GateAsksForIt
    note_deed(
        catalog=dataset.catalog,
        action="dataset_deleted",
        kind="datasets",
        subject=dataset.name,
        before={"cases": dataset.cases.count()},
        now=now,
    )
    forget_vectors(list(dataset.cases.all()))
    dataset.delete()


@transaction.atomic
def add_cases(
    dataset: EvalDataset,
    taken: Sequence[Taken],
    *,
    origin: EvalCase.Origin,
    state: EvalCase.State,
    by: User | None,
    now: datetime,
) -> Added:
    """Put cases into a dataset, all that it does not ask already; or none. Notes the deed.

    Raises ``TooManyCases``.
    """
    locked = EvalDataset.objects.select_for_update().get(pk=dataset.pk)
    asked = set(locked.cases.values_list("digest", flat=True))
    rows: list[EvalCase] = []
    for one in taken:
        fields = fields_of(one.case)
        if fields["digest"] in asked:
            continue
        asked.add(fields["digest"])
        rows.append(
            EvalCase(
                dataset=locked,
                number=locked.next_number + len(rows),
                origin=origin,
                state=state,
                run=one.run,
                said_at=one.said_at,
                created_by=by,
                created_at=now,
                decided_by=by if state != EvalCase.State.REVIEW else None,
                decided_at=now if state != EvalCase.State.REVIEW else None,
                **fields,
            )
        )
    if len(asked) > MOST_CASES:
        raise TooManyCases(len(asked))
    if rows:
        EvalCase.objects.bulk_create(rows, batch_size=_AT_ONCE)
        locked.next_number += len(rows)
        locked.save(update_fields=["next_number"])
        note_deed(
            catalog=dataset.catalog,
            action="cases_added",
            kind="datasets",
            subject=dataset.name,
            after={"cases": len(rows), "origin": origin.value},
            by=by,
            now=now,
        )
    return Added(new=len(rows), known=len(taken) - len(rows))


@transaction.atomic
def decide(row: EvalCase, *, state: EvalCase.State, by: User, now: datetime) -> None:
    """Accept a case, drop it, or put it back to be reviewed; notes the deed."""
    if row.state == state:
        return
    before, row.state = row.state, state
    is_open = state == EvalCase.State.REVIEW
    row.decided_by, row.decided_at = (None, None) if is_open else (by, now)
    row.save(update_fields=["state", "decided_by", "decided_at"])
    _note(row, "case_decided", before={"state": before}, after={"state": str(state)}, now=now)


@transaction.atomic
def decide_all(
    dataset: EvalDataset,
    cases: QuerySet[EvalCase],
    *,
    state: EvalCase.State,
    by: User,
    now: datetime,
) -> int:
    """Do the same with some cases of a dataset at once; return how many that changes."""
    is_open = state == EvalCase.State.REVIEW
    changed = cases.exclude(state=state).update(
        state=state, decided_by=None if is_open else by, decided_at=None if is_open else now
    )
    if changed:
        note_deed(
            catalog=dataset.catalog,
            action="cases_decided",
            kind="datasets",
            subject=dataset.name,
            after={"cases": changed, "state": str(state)},
            by=by,
            now=now,
        )
    return changed


@transaction.atomic
def mend(row: EvalCase, case: Case, *, now: datetime) -> bool:
    """Let a case say something else, and tell whether it did. Raises ``AskedAlready``."""
    fields = fields_of(case)
    changed = [name for name, value in fields.items() if getattr(row, name) != value]
    if not changed:
        return False
    twin = EvalCase.objects.filter(dataset=row.dataset_id, digest=digest_of(case))
    if (number := twin.exclude(pk=row.pk).values_list("number", flat=True).first()) is not None:
        raise AskedAlready(number)
    told = {"expected_tools": "tools", "expected_groups": "groups"}
    told |= {name: name for name in ("path", "simulation") if name in changed}
    before = {said: _told(name, getattr(row, name)) for name, said in told.items()}
    for name in changed:
        setattr(row, name, fields[name])
    if "task" in changed:
        # It says something else: where it belongs is to be seen anew.
        row.part, row.cluster = "", None
    row.save(update_fields=[*changed, "part", "cluster"])
    after = {said: _told(name, fields[name]) for name, said in told.items()}
    _note(row, "case_mended", before=before, after=after, now=now)
    return True


def _told(name: str, value: Any) -> Any:
    """Return what the audit log tells of a field; ``None`` for nothing.

    The log is never erased: of what simulated tools answer it names the tools alone.
    """
    return (list(value.get("tools", ())) if name == "simulation" else value) or None


def forget_words_of_run(run: Run) -> int:
    """Delete the cases that were taken from a run, whose words are erased; return how many."""
    rows = list(EvalCase.objects.filter(run=run))
    forget_vectors(rows)
    EvalCase.objects.filter(pk__in=[row.pk for row in rows]).delete()
    return len(rows)


def forget_undecided(catalog: Catalog, *, until: datetime) -> int:
    """Delete the cases from runs whose words were said by then, but for those accepted.

    What a person accepted is kept on purpose, and goes when that person or another drops it.
    """
    rows = EvalCase.objects.filter(
        dataset__catalog=catalog, origin=EvalCase.Origin.RUN, said_at__lte=until
    ).exclude(state=EvalCase.State.ACCEPTED)
    some = list(rows.only("pk", "task", "history"))
    forget_vectors(some)
    EvalCase.objects.filter(pk__in=[row.pk for row in some]).delete()
    return len(some)


def forget_vectors(rows: Sequence[EvalCase]) -> None:
    """Delete the vectors of what cases say: they are made of it."""
    hashes = {
        content_hash(text)
        for row in rows
        for text in (plain(row.task), plain(said_before(row.task, row.history)))
    }
    listed = sorted(hashes)
    for start in range(0, len(listed), _AT_ONCE):
        Vector.objects.filter(sha256__in=listed[start : start + _AT_ONCE]).delete()


def _note(
    row: EvalCase,
    action: str,
    *,
    before: Mapping[str, object],
    after: Mapping[str, object],
    now: datetime,
) -> None:
    note_deed(
        catalog=row.dataset.catalog,
        action=action,
        kind="cases",
        subject=str(row),
        before=before,
        after=after,
        now=now,
    )
