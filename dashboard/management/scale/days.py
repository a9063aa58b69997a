"""Numbers for spans of the past where the database keeps each day's spans apart (PostgreSQL)."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import count

from django.db import connection
from django.db.models import Max

from dashboard.management.scale.copying import DAY, NextId
from routing.models import Span, SpanDay
from routing.partitions.days import day_of, day_of_id, first_id
from routing.partitions.tables import COLUMNS, make_days, partitions


def make_past_days(*, since: datetime, now: datetime) -> None:
    """Make the partitions of days that are over; the one of everything before must hold nothing.

    Nothing is done where the database has none.
    """
    if connection.vendor != "postgresql":
        return
    first = day_of(since)
    with connection.cursor() as cursor:
        for table in COLUMNS:
            oldest = partitions(cursor, table)[0]
            make_days(cursor, table, range(first, day_of_id(oldest.end)))
    SpanDay.objects.bulk_create(
        (
            SpanDay(first=first_id(day), opened_at=datetime.fromtimestamp(day * 86_400, tz=UTC))
            for day in range(first, day_of(now) + 1)
        ),
        ignore_conflicts=True,
    )


def next_ids(*, late: bool) -> NextId:
    """Return what gives spans their numbers, each day's in the range of that day.

    Where they come ``late`` all are numbered after those that there are, whatever their times.
    """
    if late or connection.vendor != "postgresql":
        numbers = count(_newest() + 1)
        return lambda _at: next(numbers)
    given: dict[int, Callable[[], int]] = {}

    def next_id(at: int) -> int:
        day = at // DAY
        if day not in given:
            given[day] = _numbers_of(day).__next__
        return given[day]()

    return next_id


def _numbers_of(day: int) -> Iterator[int]:
    first, end = first_id(day), first_id(day + 1)
    found = Span.objects.filter(pk__gte=first, pk__lt=end).aggregate(newest=Max("pk"))
    return count(max(first, (found["newest"] or 0) + 1))


def _newest() -> int:
    return Span.objects.aggregate(newest=Max("pk"))["newest"] or 0
