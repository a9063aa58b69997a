"""What a rule sees of the counts by the hour, up to an hour and a week before it. Pure."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from dashboard.alerts.intervals import (
    Interval,
    count_interval,
    mean_interval,
    quantile_interval,
)
from dashboard.alerts.rules import WEEK, Metric, Rule
from dashboard.metrics.counts import HourOf, named
from dashboard.metrics.quantiles import quantile
from dashboard.metrics.shares import Share
from dashboard.metrics.sums import added
from dashboard.metrics.tallies import latencies
from routing.models.run import SIMULATED
from routing.rollups.sections import MILLION, Section

P95 = 0.95
OfSections = Mapping[Section, Counter[str]]


@dataclass(frozen=True, slots=True)
class Measure:
    """A metric over a window, ``None`` of nothing, with its 95 % interval and number of cases.

    ``part`` is what a share counts. ``subject`` is the group that a share is of, where it is the
    worst of several.
    """

    value: float | None
    interval: Interval
    cases: int
    part: int = 0
    subject: str = ""


NOTHING = Measure(None, (-inf, inf), 0)


@dataclass(frozen=True, slots=True)
class Seen:
    """What a rule sees once the hour before ``end`` is over; ``before`` is a week earlier.

    ``simulated`` tells that a simulation made some of it.
    """

    end: int
    now: Measure
    before: Measure
    simulated: bool = False


class Counted:
    """A catalog's counts by the hour, read once and measured over as many windows as needed."""

    def __init__(self, rows: Iterable[tuple[Section, HourOf]]) -> None:
        self._hours: dict[int, dict[Section, Counter[str]]] = defaultdict(dict)
        self._real: Counter[int] = Counter()
        self._simulated: set[int] = set()
        self._facts: dict[tuple[Metric, int], Any] = {}
        for section, row in rows:
            self._hours[row.hour].setdefault(section, Counter()).update(row.counts)
            if row.source == SIMULATED:
                self._simulated.add(row.hour)
            elif section is Section.SELECTIONS:
                self._real[row.hour] += row.counts.get("n", 0)

    def seen(self, rule: Rule, *, end: int) -> Seen:
        """Return what a rule sees of its window before the hour ``end``, and a week before."""
        start = end - rule.window
        return Seen(
            end=end,
            now=self.measure(rule.metric, start=start, end=end),
            before=self.measure(rule.metric, start=start - WEEK, end=end - WEEK)
            if rule.is_relative or rule.metric is Metric.TRAFFIC
            else NOTHING,
            simulated=any(hour in self._simulated for hour in range(start, end)),
        )

    def measure(self, metric: Metric, *, start: int, end: int) -> Measure:
        """Measure the hours from ``start`` on and before ``end``."""
        if metric is Metric.TRAFFIC:
            count = sum(self._real[hour] for hour in range(start, end))
            return Measure(count, count_interval(count), count)
        _sections, fact_of, measured = _HOW[metric]
        facts = []
        for hour in range(start, end):
            if hour in self._hours:
                if (metric, hour) not in self._facts:
                    self._facts[metric, hour] = fact_of(self._hours[hour])
                facts.append(self._facts[metric, hour])
        return measured(facts)


def sections_of(metrics: Iterable[Metric]) -> tuple[Section, ...]:
    """Return the sections that some metrics read, each once."""
    read = {section: None for metric in metrics for section in _HOW[metric][0]}
    return tuple(read)


def _counts(of: OfSections, section: Section) -> Counter[str]:
    return of.get(section) or Counter()


def _parts(
    section: Section,
    part: Callable[[Counter[str]], int],
    whole: Callable[[Counter[str]], int],
) -> Callable[[OfSections], tuple[int, int]]:
    def fact(of: OfSections) -> tuple[int, int]:
        counts = _counts(of, section)
        return part(counts), whole(counts)

    return fact


def _share(facts: Sequence[tuple[int, int]]) -> Measure:
    whole = sum(of for _part, of in facts)
    part = sum(part for part, _of in facts)
    share = Share(min(part, whole), whole)
    return Measure(share.value, share.interval, whole, part=share.part)


def _mean(facts: Sequence[tuple[float, int]]) -> Measure:
    cases = sum(number for _sum, number in facts)
    if not cases:
        return NOTHING
    return Measure(sum(total for total, _n in facts) / cases, mean_interval(facts), cases)


def _worst(facts: Sequence[tuple[int, Mapping[str, int]]]) -> Measure:
    """Return the share of the group that was asked for most; names break ties."""
    whole = sum(selections for selections, _asked in facts)
    asked: Counter[str] = Counter()
    for _selections, counts in facts:
        asked.update(counts)
    group = min(asked, key=lambda name: (-asked[name], name), default="")
    share = Share(min(asked[group], whole), whole)
    return Measure(share.value, share.interval, whole, part=share.part, subject=group)


def _p95(facts: Sequence[Mapping[str, int]]) -> Measure:
    bins = latencies(added(facts))
    cases = sum(one.count for one in bins)
    return Measure(quantile(bins, share=P95), quantile_interval(bins, share=P95), cases)


def _selections(of: OfSections) -> int:
    return _counts(of, Section.SELECTIONS)["n"]


def _opened(counts: Counter[str]) -> int:
    return counts["opened"] + counts["unopened"]


_How = tuple[tuple[Section, ...], Callable[[OfSections], Any], Callable[[Sequence[Any]], Measure]]
"""The sections that a metric reads, its fact of an hour, and what facts measure together."""
_HOW: Mapping[Metric, _How] = {
    Metric.GROUPS: (
        (Section.SELECTIONS,),
        _parts(Section.SELECTIONS, lambda n: n["groups"] + n["more_groups"], _opened),
        _mean,
    ),
    Metric.EXPANSIONS: (
        (Section.SELECTIONS,),
        _parts(Section.SELECTIONS, lambda n: n["expanded"], lambda n: n["n"]),
        _share,
    ),
    Metric.ASKED: (
        (Section.SELECTIONS, Section.ASKED),
        lambda of: (_selections(of), named(_counts(of, Section.ASKED), "group")),
        _worst,
    ),
    Metric.FALLBACKS: (
        (Section.SELECTIONS,),
        _parts(Section.SELECTIONS, lambda n: sum(named(n, "fallback").values()), lambda n: n["n"]),
        _share,
    ),
    Metric.CONFIDENCE: (
        (Section.SELECTIONS,),
        lambda of: (
            _counts(of, Section.SELECTIONS)["confidence"] / MILLION,
            _counts(of, Section.SELECTIONS)["estimated"],
        ),
        _mean,
    ),
    Metric.COMPLETE: (
        (Section.SELECTIONS,),
        _parts(
            Section.SELECTIONS, lambda n: n["complete"], lambda n: n["complete"] + n["incomplete"]
        ),
        _share,
    ),
    Metric.SILENT: (
        (Section.RUNS,),
        _parts(Section.RUNS, lambda n: n["silent"], lambda n: n["n"] - n["outcome:"]),
        _share,
    ),
    Metric.REFUSALS: (
        (Section.CALLS,),
        _parts(
            Section.CALLS,
            lambda n: n["decision:refused"],
            lambda n: sum(named(n, "decision").values()),
        ),
        _share,
    ),
    Metric.LATENCY: ((Section.LATENCY,), lambda of: _counts(of, Section.LATENCY), _p95),
    Metric.TRAFFIC: ((Section.SELECTIONS,), lambda _of: None, lambda _facts: NOTHING),
}
