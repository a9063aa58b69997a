"""In which hours runs began of which something may be so."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from routing.exploring.asking import Asked
from routing.models import HourlyCount
from routing.models.run import SIMULATED
from routing.rollups.sections import Section
from routing.spans import hour_of

AT_ONCE = 200
"""So many hours are read at once: a month ago is not read to show the last hour."""


@dataclass(frozen=True, slots=True)
class Hour:
    """An hour and how many runs began in it."""

    hour: int
    runs: int


def hours_to_search(asked: Asked, *, upto: int) -> Iterator[Hour]:
    """Yield the hours to look in, newest first, from the hour ``upto`` back."""
    wanted = asked.facts()
    for hour, rows in groupby(_rows(asked, upto), key=lambda row: row[0]):
        counted = [counts for _, counts in rows]
        # A run is of one source: all that is asked for is so of runs of the same row.
        if any(_has(counts, wanted) for counts in counted):
            yield Hour(hour, sum(_runs(counts) for counts in counted))


def _rows(asked: Asked, upto: int) -> Iterator[tuple[int, Mapping[str, int]]]:
    rows = HourlyCount.objects.filter(catalog=asked.catalog, section=Section.FACTS)
    rows = rows.filter(hour__gte=hour_of(asked.since)).order_by("-hour")
    if not asked.simulated:
        rows = rows.exclude(source=SIMULATED)
    while True:
        hours = list(
            rows.filter(hour__lte=upto).values_list("hour", flat=True).distinct()[:AT_ONCE]
        )
        if not hours:
            return
        yield from rows.filter(hour__gte=hours[-1], hour__lte=hours[0]).values_list(
            "hour", "counts"
        )
        upto = hours[-1] - 1


def _has(counts: Mapping[str, int], wanted: Iterable[tuple[str, ...]]) -> bool:
    return all(any(_so(counts, fact) for fact in one_of) for one_of in wanted)


def _so(counts: Mapping[str, int], fact: str) -> bool:
    if fact.endswith(":*"):
        kind = fact.removesuffix("*")
        return any(key.startswith(kind) and key != kind for key in counts)
    return fact in counts


def _runs(counts: Mapping[str, int]) -> int:
    return sum(count for key, count in counts.items() if key.startswith("outcome:"))
