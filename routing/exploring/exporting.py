"""All runs that are asked for with their spans, a few at a time: memory does not grow with them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.db.models import Q, QuerySet

from routing.compiled import CompiledRelease, compiled_release
from routing.exploring.asking import Asked
from routing.exploring.searching import Mark, search
from routing.models import Run, Span
from routing.partitions.since import ids_since

RUNS = 100
"""So many runs are read at once, and their spans with them."""
SPANS = 1_000
"""So many spans at most are held: of runs with more fewer are read at once, one run in pieces."""


@dataclass(frozen=True, slots=True)
class Told:
    """A run, its release, and its spans in order with their texts, to be gone through once.

    The next run is read on only when these have been.
    """

    run: Run
    release: CompiledRelease
    spans: Iterable[Span]


def told_runs(asked: Asked) -> Iterator[Told]:
    """Yield every run that ``search`` finds, newest first; no query is left open meanwhile."""
    mark: Mark | None = None
    while True:
        found = search(asked, before=mark, page=RUNS)
        yield from _with_spans(found.runs)
        if found.next is None:
            return
        mark = found.next


def _with_spans(runs: Sequence[Run]) -> Iterator[Told]:
    if not runs:
        return
    spans = list(_after(runs, run=0, span=0)[: SPANS + 1])
    if len(spans) > SPANS:
        half = len(runs) // 2
        if half:
            yield from _with_spans(runs[:half])
            yield from _with_spans(runs[half:])
        else:
            yield Told(runs[0], compiled_release(runs[0].release_id), _in_pieces(runs[0]))
        return
    of_runs = {run: list(some) for run, some in groupby(spans, key=lambda span: span.run_id)}
    for run in runs:
        of_run = of_runs.pop(run.pk, [])
        yield Told(run, compiled_release(run.release_id), _linked(of_run, {}))


def _in_pieces(run: Run) -> Iterator[Span]:
    selections: dict[int, Span] = {}
    last = 0
    while piece := list(_after([run], run=run.pk, span=last)[:SPANS]):
        yield from _linked(piece, selections)
        last = piece[-1].pk


def _after(runs: Sequence[Run], *, run: int, span: int) -> "QuerySet[Span]":
    """Return the spans of runs after one of them, ordered by run."""
    rows = Span.objects.filter(run__in=runs, pk__gte=ids_since(min(r.started_at for r in runs)))
    rows = rows.filter(Q(run__gt=run) | Q(run=run, pk__gt=span))
    return rows.prefetch_related("text").order_by("run_id", "pk")


def _linked(spans: Iterable[Span], selections: dict[int, Span]) -> Iterator[Span]:
    """Yield spans of a run that know the selection which they name: it came before them."""
    for span in spans:
        if span.name == Span.Name.ROUTE:
            selections[span.pk] = span
        if span.selection_id in selections:
            span.selection = selections[span.selection_id]
        yield span
