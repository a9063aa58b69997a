"""The health of routing over a period, beside the period before."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dashboard.metrics.asking import asked_by_bucket
from dashboard.metrics.both import Both
from dashboard.metrics.hourly import Scope
from dashboard.metrics.periods import Comparison
from dashboard.metrics.quantiles import quantiles
from dashboard.metrics.tallies import Confidences, Runs, Tally, confidences, latencies, runs, tally
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
    """Measure a period and the one before, with one query for each of five sections."""
    selections = Both(Section.SELECTIONS, scope=scope, periods=periods)
    latency = Both(Section.LATENCY, scope=scope, periods=periods)
    of_runs = Both(Section.RUNS, scope=scope, periods=periods)
    confident = Both(Section.CONFIDENCE, scope=scope, periods=periods, compared=False)
    asked = Both(Section.ASKED, scope=scope, periods=periods, compared=False)
    # Buckets first: nothing else is then read of them.
    buckets = [tally(counts) for counts in selections.buckets]
    confidences_by_bucket = [confidences(counts) for counts in confident.buckets]
    return Overview(
        periods=periods,
        now=_side(selections.now, of_runs.now, latency.now),
        before=_side(selections.before, of_runs.before, latency.before),
        buckets=buckets,
        confidences=confidences(confident.now),
        confidences_by_bucket=confidences_by_bucket,
        asked_for=asked_by_bucket(asked),
        simulated=selections.simulated("n"),
    )


def _side(selections: Counter[str], of_runs: Counter[str], latency: Counter[str]) -> Side:
    median, high = quantiles(latencies(latency), shares=(0.5, 0.95))
    return Side(
        tally=tally(selections),
        runs=runs(of_runs),
        latency_p50=median,
        latency_p95=high,
    )
