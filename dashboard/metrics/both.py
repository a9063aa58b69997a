"""A section's counts over a period and the one before it: one query for both."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from dashboard.metrics.counts import HourOf
from dashboard.metrics.hourly import Scope, hours_of
from dashboard.metrics.periods import Comparison, Period
from dashboard.metrics.tallies import added
from routing.models.run import SIMULATED
from routing.rollups.sections import Section


@dataclass(frozen=True)
class Both:
    """The hours of both periods, of the sources that are counted; ``every`` are those of all.

    However often it is asked, each hour is added up once: what is returned for a period or a bucket
    are its hours in sum.
    """

    periods: Comparison
    rows: Sequence[HourOf]
    every: Sequence[HourOf]

    @cached_property
    def now(self) -> list[HourOf]:
        """Return the counts of the period, a bucket in one."""
        return [one for bucket in self.buckets for one in bucket]

    @cached_property
    def before(self) -> list[HourOf]:
        """Return the counts of the period before, in one."""
        return _summed(_within(self.periods.before, self.rows))

    @cached_property
    def buckets(self) -> tuple[list[HourOf], ...]:
        """Return the counts of each bucket of the period, in one; none where there are none."""
        period = self.periods.now
        return tuple(_summed(rows) for rows in period.fold((row.hour, row) for row in self.rows))

    def totals(self) -> tuple[Counter[str], Counter[str]]:
        """Return the sums by key of the period, and of the one before."""
        return added(self.now), added(self.before)

    def simulated(self, key: str) -> int:
        """Return what a simulation made of a count in the period, counted or not."""
        hours = _within(self.periods.now, self.every)
        return sum(row.counts.get(key, 0) for row in hours if row.source == SIMULATED)


def both(section: Section, *, scope: Scope, periods: Comparison) -> Both:
    """Read a section's counts of a period and the one before. One query."""
    start, end = periods.before.start, periods.now.end
    every = hours_of(section, scope=scope, start=start, end=end)
    return Both(periods=periods, rows=scope.counted(every), every=every)


def _within(period: Period, rows: Iterable[HourOf]) -> list[HourOf]:
    return [row for row in rows if period.contains(row.hour)]


def _summed(rows: Sequence[HourOf]) -> list[HourOf]:
    return [HourOf(hour=rows[0].hour, source="", counts=added(rows))] if rows else []
