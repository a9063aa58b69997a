"""The runs that name a dataset's cases, as trails that are held against what the cases expect."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from catalog.document import parse
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


def runs_of(dataset: EvalDataset, *, number: int | None = None, most: int = MOST_RUNS) -> list[Run]:
    """Return the newest runs that name a case of a dataset, or one case, newest first."""
    runs = Run.objects.filter(catalog=dataset.catalog_id).exclude(case_id="")
    if number is None:
        # A name holds no character that means anything else here.
        runs = runs.filter(case_id__startswith=f"{dataset.name}/")
    else:
        runs = runs.filter(case_id=f"{dataset.name}/{number}")
    return list(runs.order_by("-started_at", "-pk")[:most])


def checked_runs(dataset: EvalDataset, runs: Sequence[Run]) -> list[CheckedRun]:
    """Hold runs against the cases that they name, in their order; a run of no case is left out."""
    numbered = [(run, number) for run in runs if (number := number_of(run)) is not None]
    numbers = {number for _, number in numbered}
    rows = EvalCase.objects.filter(dataset=dataset)
    # A list of numbers may be longer than a query can have.
    rows = rows.filter(number__in=numbers) if len(numbers) <= RUNS_AT_ONCE else rows
    cases = {row.number: value_of(row) for row in rows if row.number in numbers}
    known = [(run, number) for run, number in numbered if number in cases]
    some = [run for run, _ in known]
    releases = _releases(some, names_of_draft(dataset.catalog))
    steps = _steps(some, releases)
    return [
        _checked(run, number, cases[number], steps.get(run.pk, ()), releases[run.release_id])
        for run, number in known
    ]


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
    for start in range(0, len(runs), RUNS_AT_ONCE):
        some = runs[start : start + RUNS_AT_ONCE]
        if not some:
            continue
        since = ids_since(min(run.started_at for run in some))
        spans = Span.objects.filter(run__in=[run.pk for run in some], id__gte=since)
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
