"""The health of routing over a period, beside the period before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dashboard.metrics import hourly
from dashboard.metrics.counts import ExpandedHour, RunCount, SelectionHour
from dashboard.metrics.hourly import Scope
from dashboard.metrics.periods import Comparison, Period
from dashboard.metrics.quantiles import Bin, quantile
from dashboard.metrics.tallies import Confidences, Runs, Tally, confidences, runs, tally
from routing.models.run import SIMULATED


@dataclass(frozen=True, slots=True)
class Side:
    """The figures of one period; latencies are microseconds, ``None`` where there is none."""

    tally: Tally
    runs: Runs
    latency_p50: float | None
    latency_p95: float | None


@dataclass(frozen=True, slots=True)
class Overview:
    """Everything that the page shows of its traffic.

    Sequences have one value a bucket of the period. ``asked_for`` are the groups by how often they
    were asked for, most first. ``simulated`` counts simulated selections, hidden or not.
    """

    periods: Comparison
    now: Side
    before: Side
    buckets: Sequence[Tally]
    confidences: Confidences
    confidences_by_bucket: Sequence[Confidences]
    asked_for: Mapping[str, Sequence[int]]
    simulated: int


def overview(*, scope: Scope, periods: Comparison) -> Overview:
    """Measure a period and the one before: six queries, whatever the number of spans."""
    every = hourly.selections_by_hour(scope=scope, periods=periods)
    selections = [row for row in every if scope.counts(row.source)]
    expanded = hourly.expanded_by_hour(scope=scope, periods=periods)
    confident = hourly.confidence_by_hour(scope=scope, period=periods.now)
    latencies = hourly.latencies(scope=scope, periods=periods)
    run_counts = hourly.run_counts(scope=scope, periods=periods)
    now, before = (
        _side(period, selections, expanded, run_counts[side], latencies[side])
        for side, period in enumerate((periods.now, periods.before))
    )
    by_bucket = zip(
        periods.now.fold((row.hour, row) for row in selections),
        periods.now.fold((row.hour, row) for row in expanded),
        strict=True,
    )
    simulated = (row for row in every if row.source == SIMULATED)
    return Overview(
        periods=periods,
        now=now,
        before=before,
        buckets=[tally(rows, asked) for rows, asked in by_bucket],
        confidences=confidences(confident),
        confidences_by_bucket=[
            confidences(rows) for rows in periods.now.fold((row.hour, row) for row in confident)
        ],
        asked_for=_asked_for(scope, periods.now),
        simulated=sum(row.selections for row in simulated if periods.now.contains(row.hour)),
    )


def _side(
    period: Period,
    selections: Sequence[SelectionHour],
    expanded: Sequence[ExpandedHour],
    run_counts: Sequence[RunCount],
    latencies: Sequence[Bin],
) -> Side:
    return Side(
        tally=tally(
            [row for row in selections if period.contains(row.hour)],
            [row for row in expanded if period.contains(row.hour)],
        ),
        runs=runs(run_counts),
        latency_p50=quantile(latencies, share=0.5),
        latency_p95=quantile(latencies, share=0.95),
    )


def _asked_for(scope: Scope, period: Period) -> dict[str, list[int]]:
    rows = hourly.expansions_by_hour(scope=scope, period=period)
    by_group: dict[str, list[tuple[int, int]]] = {}
    for row in rows:
        by_group.setdefault(row.group, []).append((row.hour, row.count))
    counts = {
        group: [sum(bucket) for bucket in period.fold(hours)] for group, hours in by_group.items()
    }
    return dict(sorted(counts.items(), key=lambda item: (-sum(item[1]), item[0])))
