"""What the charts count: every read of counts that a metric makes.

The counts are kept by ``routing.rollups``, whatever the number of spans, by the hour and by the
day. Of a long stretch the whole days (those of UTC) are read as days and its ends as hours.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db.models import Exists, OuterRef, Q, QuerySet, TextField
from django.db.models.functions import Cast
from pydantic_core import from_json

from dashboard.metrics.counts import HourOf
from routing.models import DailyCount, HourlyCount, Run, Span
from routing.models.run import CASE, SIMULATED
from routing.rollups.sections import HOURS_A_DAY, Section

CountedT = TypeVar("CountedT", HourlyCount, DailyCount)
Stretch = tuple[int, int]
"""The hours (or days) from the first on and before the second."""


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
    found = _of(HourlyCount.objects.filter(hour__gte=start, hour__lt=end), section, scope)
    return _read(found.order_by("hour"), "hour", 1)


def counts_of(section: Section, *, scope: Scope, stretches: Sequence[Stretch]) -> list[HourOf]:
    """Return a section's counts, of every source, in stretches of hours.

    Each row lies in one of the stretches, by the hour that it is given; that of a whole day is its
    first. At most two queries.
    """
    days, hours = cut(stretches)
    found = []
    if days:
        rows = _of(DailyCount.objects.filter(_within("day", days)), section, scope)
        found += _read(rows.order_by("day"), "day", HOURS_A_DAY)
    if hours:
        rows_of_hours = _of(HourlyCount.objects.filter(_within("hour", hours)), section, scope)
        found += _read(rows_of_hours.order_by("hour"), "hour", 1)
    return found


def _read(rows: "QuerySet[Any]", time: str, hours: int) -> list[HourOf]:
    # As texts: for thousands of rows Django's way from JSON takes longer than all that follows.
    read = rows.values_list(time, "source", Cast("counts", TextField()))
    return [HourOf(at * hours, source, from_json(counts)) for at, source, counts in read]


def cut(stretches: Iterable[Stretch]) -> tuple[list[Stretch], list[Stretch]]:
    """Return the whole days in stretches of hours, and the hours that are left."""
    days, hours = [], []
    for start, end in stretches:
        first, after = -(-start // HOURS_A_DAY), end // HOURS_A_DAY
        if first < after:
            days.append((first, after))
            hours += [(start, first * HOURS_A_DAY), (after * HOURS_A_DAY, end)]
        else:
            hours.append((start, end))
    return _joined(days), _joined(hours)


def _joined(stretches: Iterable[Stretch]) -> list[Stretch]:
    """Return stretches in order, without empty ones, and those that meet as one."""
    joined: list[Stretch] = []
    for start, end in sorted(one for one in stretches if one[0] < one[1]):
        if joined and joined[-1][1] == start:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _within(column: str, stretches: Iterable[Stretch]) -> Q:
    where = Q()
    for start, end in stretches:
        where |= Q(**{f"{column}__gte": start, f"{column}__lt": end})
    return where


def _of(rows: "QuerySet[CountedT]", section: Section, scope: Scope) -> "QuerySet[CountedT]":
    counted = rows.filter(catalog__in=scope.catalogs, section=section)
    return counted.exclude(source=CASE)  # what tries out a case is no traffic


def first_hour(*, scope: Scope) -> int | None:
    """Return the first hour that has counts of selections; ``None`` where none has."""
    found = _of(HourlyCount.objects.all(), Section.SELECTIONS, scope).order_by("hour")
    hour: int | None = found.values_list("hour", flat=True).first()
    return hour


def has_traffic(*, scope: Scope) -> bool:
    """Tell whether there ever was a selection, simulated or not, be its run there or dropped."""
    if first_hour(scope=scope) is not None:
        return True
    selections = Span.objects.filter(run=OuterRef("pk"), name=Span.Name.ROUTE)
    runs = Run.objects.filter(Exists(selections), catalog__in=scope.catalogs)
    return runs.exclude(source=CASE).exists()
