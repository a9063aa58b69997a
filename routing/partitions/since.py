"""Which numbers a span can have that came at some time or later.

A bound of them lets PostgreSQL leave out the partitions of other days when it plans a query, which
with many partitions takes longer than to run it.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from time import monotonic
from uuid import UUID

from django.db import connection

from routing.models import SpanDay

CLOCKS_DIFFER = timedelta(hours=1)
"""So far the clocks of the machines that write and work may lie apart."""
AGE = 600.0
"""Seconds that a process uses what it read. A day that it has not heard of makes a bound looser."""

Days = Sequence[tuple[int, datetime]]


def read_days() -> Days:
    """Return the first number of each day that was begun, and when that was."""
    return tuple(SpanDay.objects.order_by("first").values_list("first", "opened_at"))


class Calendar:
    """The days as one process knows them. ``clock`` tells seconds and never goes back."""

    def __init__(
        self, *, read: Callable[[], Days] = read_days, clock: Callable[[], float] = monotonic
    ) -> None:
        self._read = read
        self._clock = clock
        self._kept: tuple[float, Days] | None = None

    def days(self) -> Days:
        """Return the days, read at most ``AGE`` seconds ago."""
        kept, now = self._kept, self._clock()
        if kept is None or now - kept[0] >= AGE:
            kept = self._kept = (now, self._read())
        return kept[1]

    def keep(self, days: Days) -> None:
        """Know some days from now on, as if they had just been read."""
        self._kept = (self._clock(), days)


calendar = Calendar()


def ids_since(at: datetime) -> int:
    """Return a number that no span has less than that came at a time or later; 0 bounds nothing."""
    if connection.vendor != "postgresql":
        return 0
    begun = at - CLOCKS_DIFFER
    return max((first for first, opened_at in calendar.days() if opened_at <= begun), default=0)


def ids_since_uid(uid: UUID) -> int:
    """Return the same for a span whose id was made by ``new_uid`` before it came."""
    if uid.version != 7:
        return 0
    # Any 48 bits are a time that Python's dates can hold, but for the last 2,000 years of them.
    seconds = min((uid.int >> 80) / 1000, 4e9)
    return ids_since(datetime.fromtimestamp(seconds, tz=UTC))
