"""Requests a minute, per key: counted by all processes together, and cheaply.

A process takes what a key may spend of a minute in blocks, so that most requests cost no query. No
more is let through in a minute than the limit, ever. A key that has spent its minute is refused by
a process without a query. What a process has taken and does not need until the minute ends is lost:
at most a fiftieth of the limit for each process but one.
"""

import threading
from collections import OrderedDict
from datetime import datetime

from django.db import connection

from routing.models import ApiKey, RateWindow

BLOCKS = 50
"""In how many blocks a limit is taken; one of 50 or less is taken request by request."""

_MOST_KEYS = 10_000
# What is left of a minute of which there is nothing left for any process.
_SPENT = -1

# Nothing is returned where the minute is spent: the update then finds no row.
_TAKE = """
INSERT INTO routing_ratewindow (key_id, minute, taken) VALUES (%s, %s, %s)
ON CONFLICT (key_id, minute) DO UPDATE SET taken = routing_ratewindow.taken + excluded.taken
WHERE routing_ratewindow.taken < %s
RETURNING taken
"""


class RateExceeded(Exception):
    """A key has spent its minute; ``retry_after`` is how many seconds until the next, 1 to 60."""

    def __init__(self, *, limit: int, retry_after: int) -> None:
        super().__init__(f"This key may send {limit:,} requests a minute.")
        self.retry_after = retry_after


class RateLimits:
    """What this process has taken of its keys' minutes and not spent yet."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        # By key: the minute, and what is left of it here.
        self._left: OrderedDict[int, tuple[int, int]] = OrderedDict()

    def spend(self, *, key: ApiKey, now: datetime) -> None:
        """Count a request; raises ``RateExceeded``. A key without a limit costs nothing."""
        limit = key.rate_limit
        if limit is None:
            return
        minute, second = divmod(int(now.timestamp()), 60)
        left = self._spend_here(key.pk, minute)
        if left == 0:
            # Nobody waits for another's query: two threads may both take a block, and both will do.
            taken = _take(key=key.pk, minute=minute, most=max(1, limit // BLOCKS), limit=limit)
            left = taken or _SPENT
            self._keep(key.pk, minute, taken - 1)
        if left == _SPENT:
            raise RateExceeded(limit=limit, retry_after=60 - second)

    def forget(self) -> None:
        """Forget what was taken and not spent."""
        with self._lock:
            self._left.clear()

    def _spend_here(self, key: int, minute: int) -> int:
        """Spend one of what is left here and return how much it was."""
        with self._lock:
            of, left = self._left.get(key, (minute, 0))
            if of != minute:
                return 0
            if left > 0:
                self._left[key] = (minute, left - 1)
            return left

    def _keep(self, key: int, minute: int, more: int) -> None:
        """Add to what is left here; where nothing was to be had, remember that for the minute."""
        with self._lock:
            of, left = self._left.pop(key, (minute, 0))
            left = max(left, 0) if of == minute else 0
            self._left[key] = (minute, (left or _SPENT) if more < 0 else left + more)
            while len(self._left) > _MOST_KEYS:
                self._left.popitem(last=False)


limits = RateLimits()


def _take(*, key: int, minute: int, most: int, limit: int) -> int:
    """Take up to ``most`` of a minute for this process, and return how much that is."""
    with connection.cursor() as cursor:
        cursor.execute(_TAKE, [key, minute, most, limit])
        row = cursor.fetchone()
    if row is None:
        return 0
    taken: int = row[0]
    if taken == most:
        # The first of a minute puts the minutes before away.
        RateWindow.objects.filter(key_id=key, minute__lt=minute).delete()
    return most - max(0, taken - limit)
