"""A section's counts over a period and the one before it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from dashboard.metrics.counts import HourOf
from dashboard.metrics.hourly import Scope, Stretch, counts_of, cut
from dashboard.metrics.periods import Comparison, Period
from dashboard.metrics.tallies import added
from routing.models.run import SIMULATED
from routing.rollups.sections import Section


@dataclass(frozen=True)
class Both:
    """The counts of both periods, of the sources that are counted.

    Buckets take hours to read where days are not those of UTC, sums take whole days, so each is
    read only where it is asked for, unless one reading is as good for both; and each is added up
    once, however often it is asked for.
    """

    section: Section
    scope: Scope
    periods: Comparison
    compared: bool = True
    """Whether the period before is read: it has no counts where it is not."""

    @cached_property
    def _every(self) -> Sequence[HourOf]:
        now, before = self.periods.now, self.periods.before
        of_now = self._of_buckets if self._one_reading else ((now.start, now.end),)
        stretches = ((before.start, before.end), *of_now) if self.compared else of_now
        return counts_of(self.section, scope=self.scope, stretches=stretches)

    @property
    def _of_buckets(self) -> Sequence[Stretch]:
        now = self.periods.now
        return tuple(pairwise((*now.starts, now.end)))

    @cached_property
    def _one_reading(self) -> bool:
        now = self.periods.now
        return cut(self._of_buckets) == cut([(now.start, now.end)])

    @cached_property
    def now(self) -> list[HourOf]:
        """Return the counts of the period, in one; none where there are none."""
        if "buckets" in self.__dict__:
            return _in_one([one for bucket in self.buckets for one in bucket])
        return self._summed(self.periods.now)

    @cached_property
    def before(self) -> list[HourOf]:
        """Return the counts of the period before, in one."""
        return self._summed(self.periods.before)

    @cached_property
    def buckets(self) -> tuple[list[HourOf], ...]:
        """Return the counts of each bucket of the period, in one; none where there are none."""
        period = self.periods.now
        if self._one_reading:
            every = self._every
        else:
            every = counts_of(self.section, scope=self.scope, stretches=self._of_buckets)
        rows = self.scope.counted(every)
        return tuple(_in_one(rows) for rows in period.fold((row.hour, row) for row in rows))

    def totals(self) -> tuple[Counter[str], Counter[str]]:
        """Return the sums by key of the period, and of the one before."""
        return added(self.now), added(self.before)

    def simulated(self, key: str) -> int:
        """Return what a simulation made of a count in the period, counted or not."""
        rows = _within(self.periods.now, self._every)
        return sum(row.counts.get(key, 0) for row in rows if row.source == SIMULATED)

    def _summed(self, period: Period) -> list[HourOf]:
        return _in_one(_within(period, self.scope.counted(self._every)))


def _within(period: Period, rows: Iterable[HourOf]) -> list[HourOf]:
    return [row for row in rows if period.contains(row.hour)]


def _in_one(rows: Sequence[HourOf]) -> list[HourOf]:
    return [HourOf(hour=rows[0].hour, source="", counts=added(rows))] if rows else []
