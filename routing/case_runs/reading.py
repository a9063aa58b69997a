"""The runs that name a dataset's cases, as trails that are held against what the cases expect."""

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.db.models import Count, Max, QuerySet

from catalog.document import parse
from catalog.shelf import Shelf
from routing.datasets.naming import Names, names_of_document, names_of_draft
from routing.datasets.rows import MOST_DIGITS, value_of
from routing.evaluation.cases import Case
from routing.models import EvalCase, EvalDataset, Release, Run, Span
from routing.partitions.since import ids_since
from routing.paths.checking import check
from routing.paths.expected import ExpectedPath
from routing.paths.measures import CheckedRun
from routing.paths.trail import Step, Trail

MOST_RUNS = 2_000
"""Runs of a dataset that a page looks at, the newest."""
RUNS_AT_ONCE = 500
MOST_KEPT = 5_000
"""Runs of a dataset that a process remembers."""
_OF_RUN = ("run_id", "case_id", "release_id", "outcome", "stop_reason", "started_at")
_HELD_AGAINST = ("path", "expected_tools", "alternatives", "not_expected")
_COLUMNS = (
    "id",
    "name",
    "selection_id",
    "strategy",
    "tool",
    "decision",
    "reason",
    "call",
    "uid",
    "status",
    "stop_reason",
    "tokens_selected",
    "tokens",
    "cost",
    "latency_us",
    "details",
)


@dataclass(frozen=True, slots=True)
class _OfRelease:
    """What a trail needs of a release.

    ``tools`` are its names by position, ``names`` those by what a case may call them.
    """

    ref: str
    tools: Sequence[str]
    guarded: frozenset[str]
    names: Mapping[str, str]


# By dataset and run: what a run was when it was held against its case, and what came of it.
_checked_before: Shelf[int, dict[int, tuple[Hashable, CheckedRun]]] = Shelf(size=4)


def runs_of(dataset: EvalDataset, *, number: int | None = None, most: int = MOST_RUNS) -> list[Run]:
    """Return the newest runs that name a case of a dataset, or one case, newest first."""
    runs = Run.objects.filter(catalog=dataset.catalog_id).exclude(case_id="")
    if number is None:
        # A name holds no character that means anything else here.
        runs = runs.filter(case_id__startswith=f"{dataset.name}/")
    else:
        runs = runs.filter(case_id=f"{dataset.name}/{number}")
    return list(runs.order_by("-started_at", "-pk").only(*_OF_RUN)[:most])


def checked_runs(dataset: EvalDataset, runs: Sequence[Run]) -> list[CheckedRun]:
    """Hold runs against the cases that they name, in their order; a run of no case is left out.

    What was held once in this process is not held again while all that it hangs on is the same: the
    steps and the end of the run, what the case expects, and the names that tools go by.
    """
    numbered = [(run, number) for run in runs if (number := number_of(run)) is not None]
    expecting = _expecting(dataset, {number for _, number in numbered})
    known = [(run, number) for run, number in numbered if number in expecting]
    names = names_of_draft(dataset.catalog)
    called, last = hash(frozenset(names.tools.items())), _last_steps([run for run, _ in known])
    kept = _checked_before.get(dataset.pk, dict)
    marks: dict[int, Hashable] = {
        run.pk: (*_said_by(run), last.get(run.pk), expecting[number], called)
        for run, number in known
    }
    # Taken out at once: another thread may clear what is kept.
    before = {pk: kept.get(pk) for pk in marks}
    found = {pk: was[1] for pk, was in before.items() if was is not None and was[0] == marks[pk]}
    new = _check_anew(dataset, [one for one in known if one[0].pk not in found], names)
    if len(kept) > MOST_KEPT:
        kept.clear()
    kept.update({pk: (marks[pk], one) for pk, one in new.items()})
    found |= new
    # A case may have gone since it was looked for.
    return [found[run.pk] for run, _ in known if run.pk in found]


def _check_anew(
    dataset: EvalDataset, numbered: Sequence[tuple[Run, int]], names: Names
) -> dict[int, CheckedRun]:
    if not numbered:
        return {}
    rows = _rows(dataset, {number for _, number in numbered})
    cases = {row.number: value_of(row) for row in rows}
    runs = [run for run, _ in numbered]
    releases = _releases(runs, names)
    steps = _steps(runs, releases)
    return {
        run.pk: _checked(
            run, number, cases[number], steps.get(run.pk, ()), releases[run.release_id]
        )
        for run, number in numbered
        if number in cases
    }


def _rows(dataset: EvalDataset, numbers: Collection[int]) -> QuerySet[EvalCase]:
    rows = EvalCase.objects.filter(dataset=dataset)
    # A list of numbers may be longer than a query can have.
    return rows.filter(number__in=numbers) if len(numbers) <= RUNS_AT_ONCE else rows


def _expecting(dataset: EvalDataset, numbers: Collection[int]) -> dict[int, int]:
    """Return for cases by number a hash of all that a run is held against."""
    rows = _rows(dataset, numbers).values_list("number", *_HELD_AGAINST)
    return {number: hash(repr(said)) for number, *said in rows if number in numbers}


def _last_steps(runs: Sequence[Run]) -> dict[int, tuple[int, int]]:
    """Return the last step of runs, and how many they have: steps are never changed."""
    found: dict[int, tuple[int, int]] = {}
    for spans in _spans_of(runs):
        told = spans.order_by().values_list("run_id").annotate(Max("id"), Count("id"))
        found.update({run: (last, count) for run, last, count in told})
    return found


def _said_by(run: Run) -> tuple[Hashable, ...]:
    return run.run_id, run.started_at, run.release_id, run.outcome, run.stop_reason


def _spans_of(runs: Sequence[Run]) -> Iterator[QuerySet[Span]]:
    """Yield the spans of runs, of so many runs at once as a query can name."""
    for start in range(0, len(runs), RUNS_AT_ONCE):
        some = runs[start : start + RUNS_AT_ONCE]
        since = ids_since(min(run.started_at for run in some))
        yield Span.objects.filter(run__in=[run.pk for run in some], id__gte=since)


def number_of(run: Run) -> int | None:
    """Return the number of the case that a run names; ``None`` where it names none."""
    number = run.case_id.rpartition("/")[2]
    good = number.isascii() and number.isdecimal() and len(number) < MOST_DIGITS
    return int(number) if good else None


def expected_of(case: Case) -> ExpectedPath:
    """Return the path that a case expects.

    Where it says nothing of one, all tools that it needs are called, in any order, and none that it
    does not want.
    """
    if not case.path.says_nothing:
        return case.path
    return ExpectedPath(
        tools_called=case.expected_tools or None, tools_not_called=case.not_expected
    )


def _checked(
    run: Run, number: int, case: Case, steps: Sequence[Step], of: _OfRelease
) -> CheckedRun:
    names = of.names
    expected = expected_of(case).renamed(names)
    instead = {
        names.get(tool, tool): [names.get(other, other) for other in others]
        for tool, others in case.alternatives.items()
    }
    trail = Trail(
        run=run.pk,
        run_id=run.run_id,
        number=number,
        ref=of.ref,
        steps=steps,
        guarded=of.guarded,
        status=run.outcome,
        stop_reason=run.stop_reason,
    )
    verdict = check(expected, trail, instead=instead)
    return CheckedRun(trail=trail, expected=expected, verdict=verdict, instead=instead)


def _steps(runs: Sequence[Run], releases: Mapping[int, _OfRelease]) -> dict[int, list[Step]]:
    found: dict[int, list[Step]] = defaultdict(list)
    for spans in _spans_of(runs):
        rows = spans.order_by("run_id", "id").values_list("run_id", "release_id", *_COLUMNS)
        for run, of_run in groupby(rows, key=lambda row: row[0]):
            found[run] = [
                _step(releases[row[1]].tools, dict(zip(_COLUMNS, row[2:], strict=True)))
                for row in of_run
            ]
    return found


def _step(tools: Sequence[str], row: Mapping[str, Any]) -> Step:
    details: Mapping[str, Any] = row["details"] or {}
    tool = str(details.get("proposed", "")) if row["tool"] is None else tools[row["tool"]]
    simulated: Mapping[str, str] = details.get("simulated") or {}
    return Step(
        span=row["id"],
        name=row["name"],
        selection=row["selection_id"],
        strategy=row["strategy"],
        tool=tool,
        decision=row["decision"],
        reason=row["reason"],
        approval=str(details.get("approval") or ""),
        is_first=row["call"] is not None and row["call"] == row["uid"],
        status=row["status"],
        stop_reason=row["stop_reason"],
        names=simulated.get("names", ""),
        simulated=simulated.get("answer", ""),
        tokens_offered=row["tokens_selected"],
        tokens=row["tokens"] or 0,
        cost=row["cost"] or 0.0,
        latency_ms=row["latency_us"] / 1000,
    )


def _releases(runs: Sequence[Run], later: Names) -> dict[int, _OfRelease]:
    rows = Release.objects.filter(pk__in={run.release_id for run in runs})
    return {one.pk: _of_release(one, later) for one in rows.select_related("version__catalog")}


def _of_release(one: Release, later: Names) -> _OfRelease:
    document = parse(bytes(one.version.document))
    tools = document["tools"]
    return _OfRelease(
        ref=f"{one.version.catalog.name}@{one.version.number}",
        tools=[tool["name"] for tool in tools],
        guarded=frozenset(tool["name"] for tool in tools if tool["needs_approval"]),
        names=names_of_document(document, later=later).tools,
    )
