"""The charts of the dashboard, each as it is read from counts and as the spans would tell it."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection

from dashboard.management.scale.raw import raw_queries
from dashboard.metrics.asking import asked_by_bucket, pairs_of
from dashboard.metrics.both import Both
from dashboard.metrics.calls import Calls, calls
from dashboard.metrics.counts import named
from dashboard.metrics.hourly import Scope
from dashboard.metrics.periods import Comparison
from dashboard.metrics.quantiles import quantile
from dashboard.metrics.reliability import reliability
from dashboard.metrics.tallies import Tally, confidences, latencies, runs, tally
from dashboard.metrics.tool_use import tool_uses
from routing.rollups.reading import tool_name
from routing.rollups.sections import Section

Figures = Mapping[tuple[object, ...], float]
"""What a chart shows of its period: by the bucket's place (or "now"), keys, and place of number."""
NOW = "now"


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart: the section that it reads, what it makes of it, and how many keys its rows have.

    ``within`` is how far a number may lie from that of the spans, as a share of it: confidences are
    kept as whole millionths, latencies by bins of a thirty-second part.
    """

    section: Section
    figures: Callable[[Both], Figures]
    keys: int
    within: float = 0.0


def _by_bucket(numbers: Callable[[Counter[str]], Iterable[float | None]]) -> Any:
    """Return the figures of a chart that shows some numbers of each bucket."""

    def figures(found: Both) -> Figures:
        return {
            (at, place): number
            for at, bucket in enumerate(found.buckets)
            for place, number in enumerate(numbers(bucket))
            if number
        }

    return figures


def _named_by_bucket(counts: Callable[[Counter[str]], Mapping[str, int]]) -> Any:
    """Return the figures of a chart that shows counts of each bucket by name."""

    def figures(found: Both) -> Figures:
        return {
            (at, name, 0): number
            for at, bucket in enumerate(found.buckets)
            for name, number in counts(bucket).items()
            if number
        }

    return figures


def _asked(found: Both) -> Figures:
    return {
        (at, group, 0): number
        for group, counts in asked_by_bucket(found).items()
        for at, number in enumerate(counts)
        if number
    }


def _matrix(found: Both) -> Figures:
    counts, _before = found.totals()
    cells = {(NOW, *pair, 0): float(number) for pair, number in pairs_of(counts).items()}
    of_runs = named(counts, "runs")
    return cells | {(NOW, group, None, 0): float(number) for group, number in of_runs.items()}


def _confidence(found: Both) -> Figures:
    counted = confidences(found.now)
    sides = ((False, counted.served), (True, counted.fell_back))
    return {
        (NOW, at, fell, 0): number
        for fell, side in sides
        for at, number in enumerate(side)
        if number
    }


def _reliability(found: Both) -> Figures:
    bins = reliability(found.now)
    return {
        (NOW, at, place): number
        for at, one in enumerate(bins)
        for place, number in enumerate((one.complete.whole, one.complete.part))
        if number
    }


def _tools(found: Both) -> Figures:
    kinds = ("offered", "added", "used", "missed", "used_added")
    return {
        (NOW, kind, use.name, 0): getattr(use, kind)
        for use in tool_uses(found)
        for kind in kinds
        if getattr(use, kind)
    }


def _latency(counts: Counter[str]) -> Iterable[float | None]:
    bins = latencies(counts)
    return [quantile(bins, share=share) for share in (0.5, 0.95, 0.99)]


def _groups(one: Tally) -> tuple[float, ...]:
    return one.opened + one.unopened, one.groups + one.more_groups, one.groups


def _coverage(one: Tally) -> tuple[float, ...]:
    return one.selections, one.offered, one.coverage.whole, one.coverage.part


def _of_tally(numbers: Callable[[Tally], Iterable[float | None]]) -> Any:
    return _by_bucket(lambda found: numbers(tally(found)))


def _of_calls(counts: Callable[[Calls], Mapping[str, int]]) -> Any:
    return _named_by_bucket(lambda found: counts(calls(found)))


_SELECTIONS, _RUNS = Section.SELECTIONS, Section.RUNS
CHARTS: Mapping[str, Chart] = {
    "asked-for": Chart(Section.ASKED, _asked, 1),
    "matrix": Chart(Section.BEGAN, _matrix, 2),
    "confidence": Chart(Section.CONFIDENCE, _confidence, 2),
    "confidence-trend": Chart(
        _SELECTIONS, _of_tally(lambda one: (one.mean_confidence,)), 0, within=1e-5
    ),
    "reliability": Chart(Section.CONFIDENCE, _reliability, 1),
    "groups": Chart(_SELECTIONS, _of_tally(_groups), 0),
    "fallbacks": Chart(_SELECTIONS, _named_by_bucket(lambda found: tally(found).fallbacks), 1),
    "decided-by": Chart(_SELECTIONS, _named_by_bucket(lambda found: tally(found).decided_by), 1),
    "coverage": Chart(_SELECTIONS, _of_tally(_coverage), 0),
    "cost": Chart(_SELECTIONS, _of_tally(lambda one: (one.tokens_carried, one.tokens_catalog)), 0),
    "tokens": Chart(_SELECTIONS, _of_tally(lambda one: (one.tokens_saved,)), 0),
    "latency": Chart(Section.LATENCY, _by_bucket(_latency), 0, within=1 / 4),
    "tools": Chart(Section.TOOLS, _tools, 2),
    "decisions": Chart(Section.CALLS, _of_calls(lambda one: one.decided), 1),
    "refusals": Chart(Section.CALLS, _of_calls(lambda one: one.refused), 1),
    "results": Chart(Section.CALLS, _of_calls(lambda one: one.results), 1),
    "outcomes": Chart(_RUNS, _named_by_bucket(lambda found: runs(found).by_outcome), 1),
    "silent": Chart(_RUNS, _by_bucket(lambda found: (runs(found).silent,)), 0),
}


def counted_figures(chart: str, *, scope: Scope, periods: Comparison) -> Figures:
    """Return what a chart shows, read from counts as its page reads it."""
    one = CHARTS[chart]
    return one.figures(Both(section=one.section, scope=scope, periods=periods))


def raw_rows(chart: str, *, catalog: int, periods: Comparison) -> list[tuple[Any, ...]]:
    """Return what the spans of a catalog say of a chart, for both periods."""
    with connection.cursor() as cursor:
        cursor.execute(
            raw_queries()[chart],
            {
                "catalog": catalog,
                "start": periods.now.start,
                "end": periods.now.end,
                "before": periods.before.start,
                "before_end": periods.before.end,
                "hours": _hours_of(periods),
            },
        )
        return list(cursor.fetchall())


def raw_figures(chart: str, rows: Iterable[Sequence[Any]], *, periods: Comparison) -> Figures:
    """Return the same as ``counted_figures`` from the rows of the spans."""
    starts = periods.now.starts
    places = {start // _hours_of(periods): at for at, start in enumerate(starts)}
    found: dict[tuple[object, ...], float] = {}
    for bucket, *values in rows:
        if not bucket:
            continue  # of the period before
        at = places.get(bucket, NOW)
        # A tool is a position in a release until it has its name.
        if chart == "tools":
            values[1:3] = [tool_name(values[1], values[2])]
        keys = tuple(values[: CHARTS[chart].keys])
        for place, number in enumerate(values[len(keys) :]):
            if number:
                key = (at, *keys, place)
                found[key] = found.get(key, 0.0) + float(number)
    return found


def agree(chart: str, counted: Figures, raw: Figures) -> bool:
    """Tell whether counts and spans say the same of a chart."""
    within = CHARTS[chart].within
    return counted.keys() == raw.keys() and all(
        abs(number - raw[key]) <= within * abs(raw[key]) for key, number in counted.items()
    )


def _hours_of(periods: Comparison) -> int:
    return 1 if periods.now.is_hourly else 24
