"""In which hours runs began of which something may be so: the days first, then their hours."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import TypeVar

from django.db.models import Q, QuerySet

from routing.exploring.asking import Asked
from routing.models import DailyCount, HourlyCount
from routing.models.run import API, BATCH, CASE, SIMULATED
from routing.rollups.sections import HOURS_A_DAY, Section
from routing.spans import hour_of

CountedT = TypeVar("CountedT", HourlyCount, DailyCount)
Facts = tuple[tuple[str, ...], ...]
SOURCES = (API, BATCH, SIMULATED, CASE)

AT_ONCE = 16
"""At most so many days are read at once, and fewer at first: the last hour is soon shown."""


@dataclass(frozen=True, slots=True)
class Hour:
    """An hour and how many runs began in it."""

    hour: int
    runs: int


def hours_to_search(asked: Asked, *, upto: int) -> Iterator[Hour]:
    """Yield the hours to look in, newest first, from the hour ``upto`` back."""
    wanted = asked.facts()
    if not all(wanted):
        return  # a version that was never released
    first = hour_of(asked.since)
    for days in _days(asked, wanted, first // HOURS_A_DAY, upto // HOURS_A_DAY):
        rows = _of(HourlyCount.objects.filter(_hours_of(days)), asked, wanted)
        rows = rows.filter(hour__gte=first, hour__lte=upto).order_by("-hour")
        found = rows.values_list("hour", "counts")
        for hour, of_hour in groupby(found, key=lambda row: row[0]):
            counted = [counts for _, counts in of_hour]
            # A run is of one source: all that is asked for is so of runs of the same row.
            if any(_has(counts, wanted) for counts in counted):
                yield Hour(hour, sum(_runs(counts) for counts in counted))


def _days(asked: Asked, wanted: Facts, first: int, upto: int) -> Iterator[list[int]]:
    """Yield the days in which something may be, newest first, some at once."""
    rows = _of(DailyCount.objects.filter(day__gte=first), asked, wanted).order_by("-day")
    most = 1
    while True:
        # A day has at most a row for each source.
        limit = len(SOURCES) * most
        found = list(rows.filter(day__lte=upto).values_list("day", "counts")[:limit])
        days = list(dict.fromkeys(day for day, counts in found if _has(counts, wanted)))
        if days:
            yield days
        if len(found) < limit:
            return
        last = found[-1][0]
        # There may be more of the last one: unless it is to be searched, it is looked at again.
        is_whole = sum(day == last for day, _counts in found) == len(SOURCES)
        upto = last - 1 if is_whole or last in days else last
        most = min(2 * most, AT_ONCE)


def _hours_of(days: Iterable[int]) -> Q:
    where = Q()
    for day in days:
        start = day * HOURS_A_DAY
        where |= Q(hour__gte=start, hour__lt=start + HOURS_A_DAY)
    return where


def _of(rows: "QuerySet[CountedT]", asked: Asked, wanted: Facts) -> "QuerySet[CountedT]":
    """Keep what counts facts, and of that what the database can tell to hold some wanted one."""
    rows = rows.filter(catalog=asked.catalog, section=Section.FACTS)
    for one_of in wanted:
        # Not all releases of SQLite can look for a key that holds a quote. No name holds one.
        if not any(fact.endswith(":*") or {'"', "\\"} & set(fact) for fact in one_of):
            rows = rows.filter(counts__has_any_keys=list(one_of))
    return rows if asked.simulated else rows.exclude(source__in=(SIMULATED, CASE))


def _has(counts: Mapping[str, int], wanted: Facts) -> bool:
    return all(any(_so(counts, fact) for fact in one_of) for one_of in wanted)


def _so(counts: Mapping[str, int], fact: str) -> bool:
    if fact.endswith(":*"):
        kind = fact.removesuffix("*")
        return any(key.startswith(kind) and key != kind for key in counts)
    return fact in counts


def _runs(counts: Mapping[str, int]) -> int:
    return sum(count for key, count in counts.items() if key.startswith("outcome:"))
