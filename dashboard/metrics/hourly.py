"""Whose traffic is counted, and its counts hour by hour, as ``routing.rollups`` keeps them."""

from dataclasses import dataclass

from django.db.models import Exists, OuterRef, QuerySet, TextField
from django.db.models.functions import Cast
from pydantic_core import from_json

from dashboard.metrics.counts import HourOf
from routing.models import HourlyCount, Run, Span
from routing.models.run import CASE
from routing.rollups.sections import Section


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose traffic is counted: these catalogs, with or without what a simulation made."""

    catalogs: tuple[int, ...]
    simulated: bool = True


def hours_of(section: Section, *, scope: Scope, start: int, end: int) -> list[HourOf]:
    """Return a section's counts, of every source, from the hour ``start`` on and before ``end``."""
    found = _of_section(HourlyCount.objects.filter(hour__gte=start, hour__lt=end), section, scope)
    # As texts: for thousands of rows Django's way from JSON takes longer than all that follows.
    read = found.order_by("hour").values_list("hour", "source", Cast("counts", TextField()))
    return [HourOf(hour, source, from_json(counts)) for hour, source, counts in read]


def _of_section(
    rows: "QuerySet[HourlyCount]", section: Section, scope: Scope
) -> "QuerySet[HourlyCount]":
    counted = rows.filter(catalog__in=scope.catalogs, section=section)
    return counted.exclude(source=CASE)  # what tries out a case is no traffic


def first_hour(*, scope: Scope) -> int | None:
    """Return the first hour that has counts of selections; ``None`` where none has."""
    found = _of_section(HourlyCount.objects.all(), Section.SELECTIONS, scope).order_by("hour")
    hour: int | None = found.values_list("hour", flat=True).first()
    return hour


def has_traffic(*, scope: Scope) -> bool:
    """Tell whether there ever was a selection, simulated or not, be its run there or dropped."""
    if first_hour(scope=scope) is not None:
        return True
    selections = Span.objects.filter(run=OuterRef("pk"), name=Span.Name.ROUTE)
    runs = Run.objects.filter(Exists(selections), catalog__in=scope.catalogs)
    return runs.exclude(source=CASE).exists()
