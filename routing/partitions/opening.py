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
from routing.partitions.tables import COLUMNS, has_day, make_day

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
    return _begin(day, now) and all(made)


def be_alone(cursor: CursorWrapper) -> None:
    """Begin or drop days alone until the transaction ends.

    From here on a lock that others do not let go within ``PATIENCE``, this one too, raises
    ``OperationalError``.
    """
    cursor.execute(f"SET LOCAL lock_timeout = '{PATIENCE}'")
    cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])


def _make(day: int) -> bool:
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            missing = [table for table in COLUMNS if not has_day(cursor, table, day)]
            if missing:
                be_alone(cursor)
                for table in missing:
                    if not has_day(cursor, table, day):
                        make_day(cursor, table, day)
    except OperationalError as error:
        _log.warning("The partitions of a day cannot be made yet: %s", error)
        return False
    return True


def _begin(day: int, now: datetime) -> bool:
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            # Whoever reads how far numbers are and sets them on must be alone in doing so.
            be_alone(cursor)
            if not all(has_day(cursor, table, day) for table in COLUMNS):
                return False
            _number(cursor, day, now)
    except OperationalError as error:
        _log.warning("A day cannot be begun yet: %s", error)
        return False
    return True


def _number(cursor: CursorWrapper, day: int, now: datetime) -> None:
    """Number spans from a day's first number on, unless they are that far already."""
    cursor.execute(f"SELECT last_value, is_called FROM {SEQUENCE}")  # noqa: S608 - our own name
    last, is_called = cursor.fetchone()
    if last + is_called < first_id(day):
        cursor.execute("SELECT setval(%s, %s, false)", [SEQUENCE, first_id(day)])
    # Written after the numbers were set on: it promises that none below is given any more.
    SpanDay.objects.get_or_create(first=first_id(day), defaults={"opened_at": now})


def go_on_after_loading() -> None:
    """Number spans on from the newest day that was begun, if not from beyond it.

    Where rows were put in with their numbers, the next one may be lower than was promised.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT setval(%s, first, false) FROM {SEQUENCE},"  # noqa: S608 - our own name
            " (SELECT max(first) AS first FROM routing_spanday) AS begun"
            " WHERE first > last_value",
            [SEQUENCE],
        )
