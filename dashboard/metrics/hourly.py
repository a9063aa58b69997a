"""What the charts count, by the hour: every read of counts that a metric makes.

The counts are kept by ``routing.rollups``, whatever the number of spans; one read is one query.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from dashboard.metrics.counts import HourOf
from routing.models import HourlyCount, Span
from routing.models.run import SIMULATED
from routing.rollups.sections import Section


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose traffic is counted: these catalogs, with or without what a simulation made."""

    catalogs: tuple[int, ...]
    simulated: bool = True

    def counts(self, source: str) -> bool:
        """Tell whether traffic of a source is counted."""
        return self.simulated or source != SIMULATED

    def counted(self, rows: Iterable[HourOf]) -> list[HourOf]:
        """Return the rows whose source is counted."""
        return [row for row in rows if self.counts(row.source)]


def hours_of(section: Section, *, scope: Scope, start: int, end: int) -> list[HourOf]:
    """Return a section's counts, of every source, from the hour ``start`` on and before ``end``."""
    found = HourlyCount.objects.filter(
        catalog__in=scope.catalogs, section=section, hour__gte=start, hour__lt=end
    )
    rows = found.order_by("hour").values_list("hour", "source", "counts")
    return [HourOf(hour, source, counts) for hour, source, counts in rows]


def has_traffic(*, scope: Scope) -> bool:
    """Tell whether there ever was a selection, simulated or not."""
    return Span.objects.filter(catalog__in=scope.catalogs, name=Span.Name.ROUTE).exists()
