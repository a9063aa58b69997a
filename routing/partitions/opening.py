"""Begin a day: its partitions are made the day before, and its numbers given from its first on.

Nothing waits for it. Where no worker runs, numbers go on in the range of the newest day that was
begun, whose partition holds all of them.
"""

import logging
from datetime import datetime

from django.db import OperationalError, connection, transaction
from django.db.backends.utils import CursorWrapper

from routing.models import SpanDay
from routing.partitions.days import day_of, first_id
from routing.partitions.tables import COLUMNS, make_day, partitions

SEQUENCE = "routing_span_id_seq"
LOCK = 0x7370616E
"""The advisory lock of who begins a day or drops one, of the whole database."""
PATIENCE = "2s"
"""So long others wait at most behind who waits for a table."""

_log = logging.getLogger(__name__)


def open_days(now: datetime) -> bool:
    """Make the partitions of this day and the next, and begin this day; tell whether both are done.

    What a busy table does not allow within ``PATIENCE`` is left for the next time. Nothing is to
    be done where the database has no partitions.
    """
    if connection.vendor != "postgresql":
        return True
    day = day_of(now)
    made = [_make(day) for day in (day, day + 1)]
    with transaction.atomic(), connection.cursor() as cursor:
        # Whoever reads how far numbers are and sets them on must be alone in doing so.
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
        if not all(_has(cursor, table, day) for table in COLUMNS):
            return False
        _begin(cursor, day, now)
    return all(made)


def _make(day: int) -> bool:
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            missing = [table for table in COLUMNS if not _has(cursor, table, day)]
            if missing:
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
                cursor.execute(f"SET LOCAL lock_timeout = '{PATIENCE}'")
                for table in missing:
                    if not _has(cursor, table, day):
                        make_day(cursor, table, day)
    except OperationalError as error:
        _log.warning("The partitions of a day cannot be made yet: %s", error)
        return False
    return True


def _has(cursor: CursorWrapper, table: str, day: int) -> bool:
    first, end = first_id(day), first_id(day + 1)
    return any(
        (one.first is None or one.first <= first) and end <= one.end
        for one in partitions(cursor, table)
    )


def _begin(cursor: CursorWrapper, day: int, now: datetime) -> None:
    """Number spans from a day's first number on, unless they are that far already."""
    cursor.execute(f"SELECT last_value, is_called FROM {SEQUENCE}")  # noqa: S608 - our own name
    last, is_called = cursor.fetchone()
    if last + is_called < first_id(day):
        cursor.execute("SELECT setval(%s, %s, false)", [SEQUENCE, first_id(day)])
    # Written after the numbers were set on: it promises that none below is given any more.
    SpanDay.objects.get_or_create(first=first_id(day), defaults={"opened_at": now})
