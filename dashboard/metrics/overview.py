"""The health of routing over a period, beside the period before."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from dashboard.metrics.counts import HourOf
from dashboard.metrics.hourly import Scope, hours_of
from dashboard.metrics.periods import Comparison, Period
from dashboard.metrics.quantiles import quantile
from dashboard.metrics.tallies import Confidences, Runs, Tally, confidences, latencies, runs, tally
from routing.models.run import SIMULATED
from routing.rollups.sections import Section


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
    """Measure a period and the one before: five queries, whatever the number of spans."""
    every = _both(Section.SELECTIONS, scope, periods)
    selections = scope.counted(every)
    latency = scope.counted(_both(Section.LATENCY, scope, periods))
    of_runs = scope.counted(_both(Section.RUNS, scope, periods))
    confident = scope.counted(_now(Section.CONFIDENCE, scope, periods))
    now, before = (
        _side(*(_within(period, rows) for rows in (selections, of_runs, latency)))
        for period in (periods.now, periods.before)
    )
    return Overview(
        periods=periods,
        now=now,
        before=before,
        buckets=[tally(rows) for rows in _fold(periods.now, selections)],
        confidences=confidences(confident),
        confidences_by_bucket=[confidences(rows) for rows in _fold(periods.now, confident)],
        asked_for=_asked_for(scope, periods),
        simulated=sum(
            row.counts.get("n", 0) for row in _within(periods.now, every) if row.source == SIMULATED
        ),
    )


def _both(section: Section, scope: Scope, periods: Comparison) -> list[HourOf]:
    start, end = periods.before.start, periods.now.end
    return hours_of(section, scope=scope, start=start, end=end)


def _now(section: Section, scope: Scope, periods: Comparison) -> list[HourOf]:
    return hours_of(section, scope=scope, start=periods.now.start, end=periods.now.end)


def _within(period: Period, rows: Iterable[HourOf]) -> list[HourOf]:
    return [row for row in rows if period.contains(row.hour)]


def _fold(period: Period, rows: Iterable[HourOf]) -> Iterable[Iterable[HourOf]]:
    return period.fold((row.hour, row) for row in rows if period.contains(row.hour))


def _side(
    selections: Iterable[HourOf], of_runs: Iterable[HourOf], latency: Iterable[HourOf]
) -> Side:
    bins = latencies(latency)
    return Side(
        tally=tally(selections),
        runs=runs(of_runs),
        latency_p50=quantile(bins, share=0.5),
        latency_p95=quantile(bins, share=0.95),
    )


def _asked_for(scope: Scope, periods: Comparison) -> dict[str, list[int]]:
    by_group: dict[str, list[tuple[int, int]]] = {}
    for row in scope.counted(_now(Section.ASKED, scope, periods)):
        for group, count in row.named("group").items():
            by_group.setdefault(group, []).append((row.hour, count))
    counts = {
        group: [sum(bucket) for bucket in periods.now.fold(hours)]
        for group, hours in by_group.items()
    }
    return dict(sorted(counts.items(), key=lambda item: (-sum(item[1]), item[0])))
