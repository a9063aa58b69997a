"""What counts add up to in stretches of hours: every chart and figure is read here.

``routing.rollups`` keeps counts by the hour, the day and the week, whatever the number of spans;
``dashboard.metrics.blocks`` says which of them a stretch is made of.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection
from pydantic_core import from_json

from dashboard.metrics.blocks import Stretch, blocks
from dashboard.metrics.hourly import Scope
from routing.models.run import CASE, SIMULATED
from routing.rollups.sections import Section
from routing.rollups.storing import DAYS, HOURS, WEEKS

_SELECTS = {
    table.hours: (
        # The names are our own models'. As texts: Django's way from JSON takes longer than all
        # that follows. What tries out a case is no traffic.
        f"SELECT {table.hours}, {table.time}, source = %s, CAST(counts AS text)"  # noqa: S608
        f" FROM {table.model._meta.db_table}"  # noqa: SLF001 - Django's public name
        f" WHERE catalog_id IN ({{}}) AND section = %s AND source <> %s AND {table.time} IN ({{}})"
    )
    for table in (HOURS, DAYS, WEEKS)
}


@dataclass(frozen=True, slots=True)
class Sums:
    """What counts add up to by key, none of them zero: real ones, and what a simulation made.

    Some may be below zero, as the tokens by which an expansion made a selection smaller.
    """

    real: Counter[str]
    simulated: Counter[str]

    def of(self, scope: Scope) -> Counter[str]:
        """Return the counts of a scope."""
        return added((self.real, self.simulated)) if scope.simulated else self.real


def added(every: Iterable[Mapping[str, int]]) -> Counter[str]:
    """Add up counts by key."""
    total: defaultdict[str, int] = defaultdict(int)  # twice as quick as a counter's update
    for counts in every:
        for key, count in counts.items():
            total[key] += count
    return Counter(total)


def sum_of(section: Section, *, scope: Scope, stretch: Stretch) -> Counter[str]:
    """Return what a scope's counts of a section add up to in a stretch of hours. One query."""
    (found,) = sums_of(section, scope=scope, stretches=[stretch])
    return found.of(scope)


def sums_of(section: Section, *, scope: Scope, stretches: Sequence[Stretch]) -> list[Sums]:
    """Return what a section's counts add up to in each of some stretches of hours. One query."""
    wanted: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for at, stretch in enumerate(stretches):
        for hours, number, sign in blocks(stretch):
            wanted[hours, number].append((at, sign))
    found = [(defaultdict[str, int](int), defaultdict[str, int](int)) for _ in stretches]
    for hours, number, is_simulated, text in _rows(section, scope, wanted):
        counts = from_json(text)
        for at, sign in wanted[hours, number]:
            total = found[at][is_simulated]
            for key, count in counts.items():
                total[key] += sign * count
    return [Sums(real=_kept(real), simulated=_kept(simulated)) for real, simulated in found]


def _rows(
    section: Section, scope: Scope, wanted: Iterable[tuple[int, int]]
) -> Iterable[tuple[Any, ...]]:
    """Return the counts of blocks: their hours and number, whether they are simulated, a text."""
    numbers: dict[int, list[int]] = defaultdict(list)
    for hours, number in wanted:
        numbers[hours].append(number)
    if not scope.catalogs or not numbers:
        return ()
    selects, parameters = [], []
    for hours, of_table in numbers.items():
        selects.append(_SELECTS[hours].format(_places(scope.catalogs), _places(of_table)))
        parameters += [SIMULATED, *scope.catalogs, section.value, CASE, *of_table]
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(selects), parameters)
        return list(cursor.fetchall())


def _places(values: Sequence[int]) -> str:
    return ", ".join(["%s"] * len(values))


def _kept(total: Mapping[str, int]) -> Counter[str]:
    return Counter({key: count for key, count in total.items() if count})
