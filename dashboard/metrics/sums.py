"""What counts add up to in stretches of hours: every chart and figure is read here.

``routing.rollups`` keeps counts of hours and of sums of them, whatever the number of spans;
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

_TABLES = (WEEKS, DAYS, HOURS)
_SELECTS = {
    table.hours: (
        # The names are our own models'. As texts: Django's way from JSON takes longer than all
        # that follows. What tries out a case is no traffic.
        f"SELECT {table.hours}, {table.time}, source = %s, CAST(counts AS text)"  # noqa: S608
        f" FROM {table.model._meta.db_table}"  # noqa: SLF001 - Django's public name
        f" WHERE catalog_id IN ({{}}) AND section = %s AND source <> %s AND {table.time} IN ({{}})"
    )
    for table in _TABLES
}


@dataclass(frozen=True, slots=True)
class Sums:
    """What a scope's counts add up to by key, and ``made_up``: what a simulation made.

    The latter is there whether or not the scope counts it, by how often (-1 or 1) it counts. No sum
    is zero; some may be below, as the tokens by which an expansion made a selection smaller.
    """

    counts: Counter[str]
    made_up: Sequence[tuple[int, Mapping[str, int]]]

    def simulated(self, key: str) -> int:
        """Return what a simulation made of a count."""
        return sum(sign * counts.get(key, 0) for sign, counts in self.made_up)


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
    return found.counts


def sums_of(section: Section, *, scope: Scope, stretches: Sequence[Stretch]) -> list[Sums]:
    """Return what a section's counts add up to in each of some stretches of hours. One query."""
    lengths = [table.hours for table in _TABLES if section in table.sections]
    uses: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for at, stretch in enumerate(stretches):
        for hours, number, sign in blocks(stretch, lengths=lengths):
            uses[hours, number].append((at, sign))
    # What is used alike is added up first: the hours between midnight here and there end one day
    # and begin the next.
    alike: dict[tuple[bool, tuple[tuple[int, int], ...]], list[str]] = defaultdict(list)
    for hours, number, is_simulated, text in _rows(section, scope, uses):
        alike[bool(is_simulated), tuple(uses[hours, number])].append(text)
    totals = [defaultdict[str, int](int) for _ in stretches]
    made_up: list[list[tuple[int, Mapping[str, int]]]] = [[] for _ in stretches]
    for (is_simulated, used), texts in alike.items():
        counts = added(from_json(f"[{','.join(texts)}]"))
        for at, sign in used:
            if is_simulated:
                made_up[at].append((sign, counts))
            if scope.simulated or not is_simulated:
                total = totals[at]
                for key, count in counts.items():
                    total[key] += sign * count
    return [
        Sums(Counter({key: count for key, count in total.items() if count}), simulated)
        for total, simulated in zip(totals, made_up, strict=True)
    ]


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
