"""What solved runs really needed: each labelled selection with the tools that were called upon it.

The label is the one of ``routing.rollups.contribution.complete``: what counts is what the run was
allowed to call before it selected again. A selection that an agent asked for in another one's
stead, since a tool was missing, goes on with that one's task.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from routing.models import Run, Span, Text
from routing.models.run import SIMULATED
from routing.partitions.since import ids_since
from routing.rollups.contribution import SpanRow, complete
from routing.rollups.reading import COLUMNS, tool_name

RUNS_AT_ONCE = 500
MOST_RUNS = 20_000
"""Solved runs that a collection looks at, the newest first."""
_MORE = ("time", "phase", "channel", "route", "task_hash")
_NOT_SURE = frozenset({"low_confidence", "no_match"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """A labelled selection of a solved run: what was asked and which tools were called for it.

    ``tools`` are names as its own release had them, in the order of the first calls. ``complete``
    is the label: the selection itself had offered them all. ``unsure`` tells that default tools
    were served since nothing was sure enough.
    """

    run: int
    said_at: datetime
    task: str
    history: tuple[str, ...]
    phase: str
    channel: str
    route: str
    tools: tuple[str, ...]
    complete: bool
    explored: bool
    unsure: bool


@dataclass(frozen=True, slots=True)
class Asked:
    """Solved runs of a catalog that began from ``since`` on and before ``until``."""

    catalog: int
    since: datetime
    until: datetime
    simulated: bool = True


def traces(asked: Asked, *, passed: Counter[str], most: int = MOST_RUNS) -> Iterator[Trace]:
    """Yield the labelled selections of solved runs, those of the newest runs first.

    ``passed`` counts ``runs`` and ``selections`` looked at, and those passed over: without calls
    (``unlabelled``), without a task of their own (``no_task``), and whose text is not kept
    (``no_text``).
    """
    runs = Run.objects.filter(
        catalog=asked.catalog,
        outcome=Run.Outcome.SOLVED,
        case_id="",  # a run that tries out a case says nothing that the case does not
        started_at__gte=asked.since,
        started_at__lt=asked.until,
    ).order_by("-started_at", "-id")
    if not asked.simulated:
        runs = runs.exclude(source=SIMULATED)
    listed = list(runs.values_list("id", "started_at")[:most])
    for start in range(0, len(listed), RUNS_AT_ONCE):
        some = listed[start : start + RUNS_AT_ONCE]
        passed["runs"] += len(some)
        yield from _of_runs([pk for pk, _ in some], since=some[-1][1], passed=passed)


def _of_runs(runs: Sequence[int], *, since: datetime, passed: Counter[str]) -> Iterator[Trace]:
    spans = Span.objects.filter(run__in=runs, id__gte=ids_since(since)).order_by("run_id", "id")
    rows = spans.values_list("run_id", *_MORE, *COLUMNS)
    found: dict[int, list[_Step]] = {}
    for run, of_run in groupby(rows, key=lambda values: values[0]):
        more = len(_MORE) + 1
        pairs = [(SpanRow(*values[more:]), values[1:more]) for values in of_run]
        found[run] = list(_steps(pairs))
    wanted = [step.row.id for steps in found.values() for step in steps]
    words = {
        span: (task, tuple(history))
        for span, task, history in Text.objects.filter(span__in=wanted, run__in=runs).values_list(
            "span_id", "task", "history"
        )
    }
    for run in runs:
        for step in found.get(run, ()):
            passed["selections"] += 1
            why = _passed_over(step, words)
            if why:
                passed[why] += 1
            else:
                yield _trace(run, step, *words[step.row.id])


@dataclass(frozen=True, slots=True)
class _Step:
    """A selection with what followed it, also upon those in its stead."""

    row: SpanRow
    more: Sequence[object]
    following: Sequence[SpanRow]
    called: Sequence[int]


def _steps(spans: Sequence[tuple[SpanRow, Sequence[object]]]) -> Iterator[_Step]:
    selections = {row.id: (row, more) for row, more in spans if row.name == "tool_route"}
    first = {pk: pk for pk in selections}
    for pk, (row, _) in selections.items():
        # One in another's stead comes after it.
        if row.selection in first:
            first[pk] = first[row.selection]
    following: dict[int, list[SpanRow]] = defaultdict(list)
    for row, _ in spans:
        if row.selection in first:
            following[first[row.selection]].append(row)
    for pk, (row, more) in selections.items():
        if first[pk] == pk:
            calls = [
                one.tool
                for one in following[pk]
                if one.name == "tool_call" and one.decision == "allowed" and one.tool is not None
            ]
            yield _Step(row, more, following[pk], tuple(dict.fromkeys(calls)))


def _passed_over(step: _Step, words: dict[int, tuple[str, tuple[str, ...]]]) -> str:
    task_hash = step.more[-1]
    if not task_hash:
        return "no_task"
    if not step.called:
        return "unlabelled"
    if step.row.id not in words or not words[step.row.id][0].strip():
        return "no_text"
    return ""


def _trace(run: int, step: _Step, task: str, history: tuple[str, ...]) -> Trace:
    time, phase, channel, route, _ = step.more
    assert isinstance(time, datetime)  # noqa: S101 - a column of times
    return Trace(
        run=run,
        said_at=time,
        task=task,
        history=history,
        phase=str(phase),
        channel=str(channel),
        route=str(route),
        tools=tuple(tool_name(step.row.release, at) for at in step.called),
        complete=bool(complete(step.row, step.following)),
        explored=step.row.explored,
        unsure=step.row.fallback in _NOT_SURE,
    )


def called_upon(
    selections: Collection[int], *, runs: Collection[int], since: datetime
) -> dict[int, tuple[int, tuple[int, ...]]]:
    """Return what was called upon selections of some runs, where something was, by their ids.

    What a selection has is its release, and the positions of the tools. No run began before
    ``since``.
    """
    spans = Span.objects.filter(run__in=runs, id__gte=ids_since(since)).order_by("run_id", "id")
    found: dict[int, tuple[int, tuple[int, ...]]] = {}
    for _, of_run in groupby(spans.values_list("run_id", *COLUMNS), key=lambda values: values[0]):
        for step in _steps([(SpanRow(*values[1:]), ()) for values in of_run]):
            if step.called and step.row.id in selections:
                found[step.row.id] = (step.row.release, tuple(step.called))
    return found
