"""Read what counting needs: spans as rows, by run, and the names of tools."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from itertools import groupby

from django.db.models import Q

from catalog.document import parse
from routing.models import Release, Run, Span
from routing.partitions.since import ids_since
from routing.rollups.contribution import SpanRow
from routing.spans import hour_of

COLUMNS = ("id", "name", "selection_id", "release_id", *SpanRow._fields[4:])


@dataclass(frozen=True, slots=True)
class RunRow:
    """What counting reads of a run; ``began`` is the hour in which it began."""

    id: int
    catalog: int
    source: str
    began: int


def runs_with_spans(*, after: int, upto: int) -> set[int]:
    """Return the runs that have spans with ids above ``after`` and not above ``upto``."""
    found = Span.objects.filter(id__gt=after, id__lte=upto).order_by()
    return set(found.values_list("run_id", flat=True).distinct())


def spans_by_run(runs: Iterable[int], *, upto: int) -> Iterator[tuple[RunRow, list[SpanRow]]]:
    """Yield runs with all their spans up to an id, in the order of ids."""
    runs = sorted(runs)
    rows = {row.id: row for row in _runs(runs)}
    began = min((row.began for row in rows.values()), default=0)
    since = ids_since(datetime.fromtimestamp(began * 3600, tz=UTC))
    spans = Span.objects.filter(_of(runs), id__gte=since, id__lte=upto)
    spans = spans.order_by("run_id", "id")
    found = spans.values_list("run_id", *COLUMNS).iterator(chunk_size=5_000)
    for run, of_run in groupby(found, key=lambda values: values[0]):
        if run in rows:
            yield rows[run], [SpanRow(*values[1:]) for values in of_run]


def _of(runs: list[int]) -> Q:
    """Return the condition for the spans of sorted runs, and of few others.

    PostgreSQL thinks about each number of a list for each partition.
    """
    if runs and runs[-1] - runs[0] < 2 * len(runs):
        return Q(run_id__gte=runs[0], run_id__lte=runs[-1])
    return Q(run__in=runs)


def _runs(runs: list[int]) -> Iterator[RunRow]:
    found = Run.objects.filter(id__in=runs).values_list("id", "catalog_id", "source", "started_at")
    for pk, catalog, source, started_at in found:
        yield RunRow(pk, catalog, source, hour_of(started_at))


def tool_name(release: int, position: int) -> str:
    """Return the name of a tool of a release; ``#<position>`` where its document has none there."""
    names = tool_names(release)
    return names[position] if position < len(names) else f"#{position}"


@lru_cache(maxsize=256)
def tool_names(release: int) -> tuple[str, ...]:
    """Return the names of a release's tools, in the order of its document."""
    found = Release.objects.filter(pk=release).values_list("version__document", flat=True)
    return tuple(tool["name"] for tool in parse(bytes(found.get())).get("tools", ()))
