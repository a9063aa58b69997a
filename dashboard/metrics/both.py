"""A section's counts over a period and the one before it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from dashboard.metrics.blocks import Stretch
from dashboard.metrics.hourly import Scope
from dashboard.metrics.periods import Comparison
from dashboard.metrics.sums import Sums, added, sums_of
from routing.rollups.sections import Section


@dataclass(frozen=True)
class Both:
    """The counts of both periods by key, of the traffic that is counted.

    A period is far fewer rows than its buckets, so these are read only where they are asked for.
    Asked for first they are all that is read of it: a query in the place of two.
    """

    section: Section
    scope: Scope
    periods: Comparison
    compared: bool = True
    """Whether the period before is read: it has no counts where it is not."""

    @cached_property
    def now(self) -> Counter[str]:
        """Return the counts of the period."""
        if self._are_buckets_read:
            return added(self.buckets)
        return self._in_one[0].counts

    @cached_property
    def before(self) -> Counter[str]:
        """Return the counts of the period before."""
        read = self._with_buckets if self._are_buckets_read else self._in_one
        return read[-1].counts if self.compared else Counter()

    @cached_property
    def buckets(self) -> tuple[Counter[str], ...]:
        """Return the counts of each bucket of the period."""
        return tuple(one.counts for one in self._of_buckets)

    def totals(self) -> tuple[Counter[str], Counter[str]]:
        """Return the counts of the period, and of the one before."""
        return self.now, self.before

    def simulated(self, key: str) -> int:
        """Return what a simulation made of a count in the period, counted or not."""
        read = self._of_buckets if self._are_buckets_read else self._in_one[:1]
        return sum(one.simulated(key) for one in read)

    @property
    def _are_buckets_read(self) -> bool:
        """Whether the buckets are here already: the period is what they add up to."""
        return "_with_buckets" in self.__dict__

    @property
    def _of_buckets(self) -> Sequence[Sums]:
        return self._with_buckets[: len(self.periods.now.starts)]

    @cached_property
    def _with_buckets(self) -> Sequence[Sums]:
        now = self.periods.now
        return self._read(tuple(pairwise((*now.starts, now.end))))

    @cached_property
    def _in_one(self) -> Sequence[Sums]:
        now = self.periods.now
        return self._read(((now.start, now.end),))

    def _read(self, of_now: Sequence[Stretch]) -> Sequence[Sums]:
        """Return the sums of stretches of the period, and then of the period before."""
        before = self.periods.before
        stretches = [*of_now, (before.start, before.end)] if self.compared else of_now
        return sums_of(self.section, scope=self.scope, stretches=stretches)
