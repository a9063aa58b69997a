"""The partitions themselves, as PostgreSQL knows them. Nothing here commits."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from django.db.backends.utils import CursorWrapper

from routing.partitions.days import date_of, day_of_id, first_id

COLUMNS = {"routing_span": "id", "routing_text": "span_id"}
"""The partitioned tables, with the column that holds the number of the span."""

_BOUNDS = re.compile(r"FOR VALUES FROM \((?:MINVALUE|'(-?\d+)')\) TO \('(-?\d+)'\)")


@dataclass(frozen=True, slots=True)
class Partition:
    """A partition of a table: numbers from ``first`` (``None``: from the lowest) below ``end``."""

    table: str
    name: str
    first: int | None
    end: int


def partitions(cursor: CursorWrapper, table: str) -> list[Partition]:
    """Return the partitions of a table in the order of their numbers; none where it is plain."""
    cursor.execute(
        "SELECT c.relname, pg_get_expr(c.relpartbound, c.oid) FROM pg_inherits i"
        " JOIN pg_class c ON c.oid = i.inhrelid"
        " WHERE i.inhparent = %s::regclass AND NOT i.inhdetachpending",
        [table],
    )
    return sorted(_partitions(table, cursor.fetchall()), key=lambda one: one.end)


def _partitions(table: str, rows: list[tuple[str, str]]) -> Iterator[Partition]:
    for name, said in rows:
        bounds = _BOUNDS.fullmatch(said)
        if bounds is None:
            raise ValueError(f"The partition {name} is none of ours: {said}.")
        yield Partition(table, name, int(bounds[1]) if bounds[1] else None, int(bounds[2]))


def make_day(cursor: CursorWrapper, table: str, day: int) -> None:
    """Make a day's partition of a table; writing goes on meanwhile."""
    name = make_like(cursor, table, f"{table}_{date_of(day)}")
    attach(cursor, table, name, first=first_id(day), end=first_id(day + 1))


def make_days(cursor: CursorWrapper, table: str, days: Collection[int]) -> None:
    """Make the partitions of some days of a table that is empty, those that are over among them."""
    oldest = partitions(cursor, table)[0]
    past = [day for day in sorted(days) if first_id(day) < oldest.end]
    if past and oldest.first is None:
        cursor.execute(f'DROP TABLE "{oldest.name}"')
        end = first_id(past[0])
        name = make_like(cursor, table, name_before(table, end))
        attach(cursor, table, name, first=None, end=end)
    for day in sorted(days):
        if not has_day(cursor, table, day):
            make_day(cursor, table, day)


def has_day(cursor: CursorWrapper, table: str, day: int) -> bool:
    """Tell whether a table has room for the spans of a day."""
    first, end = first_id(day), first_id(day + 1)
    return any(
        (one.first is None or one.first <= first) and end <= one.end
        for one in partitions(cursor, table)
    )


def name_before(table: str, end: int) -> str:
    """Return what the partition of a table is called that holds everything below a number."""
    return f"{table}_before_{date_of(day_of_id(end))}"


def make_like(cursor: CursorWrapper, table: str, name: str) -> str:
    """Make a table that can become a partition of another, and return its name."""
    cursor.execute(f'CREATE TABLE "{name}" (LIKE "{table}" INCLUDING CONSTRAINTS)')
    if table == "routing_span":
        # An index of the whole would have to hold the number too: uids are unique by partition.
        cursor.execute(f'CREATE UNIQUE INDEX "{name}_uid" ON "{name}" (uid)')
    return name


def attach(cursor: CursorWrapper, table: str, name: str, *, first: int | None, end: int) -> None:
    """Make a table the partition for some numbers. It gets the indexes and triggers of the rest."""
    begin = "MINVALUE" if first is None else str(first)
    cursor.execute(
        f'ALTER TABLE "{table}" ATTACH PARTITION "{name}" FOR VALUES FROM ({begin}) TO ({end})'
    )
