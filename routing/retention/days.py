"""Drop the partitions of days that are over (PostgreSQL)."""

import logging
from collections.abc import Iterator

from django.db import OperationalError, connection, transaction
from django.db.backends.utils import CursorWrapper

from routing.models import Span, SpanDay
from routing.partitions.opening import be_alone
from routing.partitions.tables import (
    COLUMNS,
    Partition,
    attach,
    make_like,
    name_before,
    partitions,
)
from routing.retention.boundary import Boundary
from routing.retention.rows import Gone

AT_ONCE = 1_000
BIG = 64 * 1024 * 1024
"""A first partition of so many bytes is written anew rather than emptied row by row."""

_log = logging.getLogger(__name__)


def droppable(boundary: Boundary) -> list[Partition]:
    """Return the partitions of spans that hold only what came before the boundary and counts."""
    if connection.vendor != "postgresql":
        return []
    end = _end(boundary)
    with connection.cursor() as cursor:
        found = [one for one in partitions(cursor, "routing_span") if one.end <= end]
        if all(one.first is None for one in found) and not _is_big(cursor, found):
            return []
    return found


def drop_days(boundary: Boundary, *, gone: Gone) -> bool:
    """Drop partitions; tell whether it could be done.

    Runs that are not over yet keep what they have in them: it moves to the first partition, which
    holds all that is older than the others. Who reads or writes waits for the moment of the change,
    and for ``PATIENCE`` at most if others do not make way; it is then left for the next time.
    """
    dropped = droppable(boundary)
    if not dropped:
        return True
    # Its own first partition is among them, whatever is left in it.
    end = dropped[-1].end
    try:
        kept = list(_going_on(boundary, end=end))
        with transaction.atomic():
            gone.spans += _swap(boundary, end=end, kept=kept)
    except OperationalError as error:
        _log.warning("Partitions cannot be dropped yet: %s", error)
        return False
    gone.partitions += len(dropped)
    return True


def _swap(boundary: Boundary, *, end: int, kept: list[int]) -> int:
    """Put one partition with the spans of some runs in the place of all below a number.

    Returns how many spans are no more. Raises ``OperationalError`` where others do not make way.
    """
    with connection.cursor() as cursor:
        be_alone(cursor)
        cursor.execute("SELECT count(*) FROM routing_span WHERE id < %s", [end])
        (there,) = cursor.fetchone()
        names = {table: _copy(cursor, table, end=end, kept=kept) for table in COLUMNS}
        cursor.execute("LOCK TABLE ONLY routing_span IN ACCESS EXCLUSIVE MODE")
        if _goes_on_again(boundary, end=end, kept=kept):
            raise OperationalError("a run that seemed to be over goes on")
        for table, name in names.items():
            for one in partitions(cursor, table):
                if one.end <= end:
                    cursor.execute(f'DROP TABLE "{one.name}"')
            attach(cursor, table, name, first=None, end=end)
        cursor.execute("SELECT count(*) FROM routing_span WHERE id < %s", [end])
        (left,) = cursor.fetchone()
    SpanDay.objects.filter(first__lt=end).delete()
    return int(there - left)


def _end(boundary: Boundary) -> int:
    """Return the number below which every span came before the boundary, and counts."""
    begun = SpanDay.objects.filter(opened_at__lte=boundary.until).order_by("first").last()
    if begun is None:
        return 0
    uncounted = Span.objects.filter(pk__gt=boundary.counted, pk__lt=begun.first)
    return 0 if uncounted.exists() else begun.first


def _is_big(cursor: CursorWrapper, found: list[Partition]) -> bool:
    sizes: list[int] = []
    for one in found:
        cursor.execute("SELECT pg_relation_size(%s::regclass)", [one.name])
        sizes.append(cursor.fetchone()[0])
    return sum(sizes) > BIG


def _going_on(boundary: Boundary, *, end: int) -> Iterator[int]:
    """Yield the runs with spans below a number that are not over."""
    found = Span.objects.filter(pk__lt=end).order_by().values_list("run_id", flat=True).distinct()
    runs = list(found)
    for start in range(0, len(runs), AT_ONCE):
        some = runs[start : start + AT_ONCE]
        over = set(boundary.over().filter(pk__in=some).values_list("pk", flat=True))
        yield from (run for run in some if run not in over)


def _goes_on_again(boundary: Boundary, *, end: int, kept: list[int]) -> bool:
    """Tell whether a run of which spans are to go has got new ones; nobody can add any now."""
    new = Span.objects.filter(pk__gt=boundary.counted).order_by().values_list("run_id", flat=True)
    runs = set(new.distinct()).difference(kept)
    return Span.objects.filter(pk__lt=end, run__in=runs).exists()


def _copy(cursor: CursorWrapper, table: str, *, end: int, kept: list[int]) -> str:
    """Make the next first partition with what some runs have below a number; return its name."""
    names = {one.name for one in partitions(cursor, table)}
    name = next(one for one in (name_before(table, end), f"{table}_before") if one not in names)
    make_like(cursor, table, name)
    cursor.execute(
        f'INSERT INTO "{name}" SELECT * FROM "{table}"'  # noqa: S608 - our own names
        f' WHERE "{COLUMNS[table]}" < %s AND run_id = ANY(%s)',
        [end, kept],
    )
    return name
