"""The stretch of time that a page is about, in whole hours since 1970, and its days.

Days are cut in a time zone, so a day has 23 or 25 hours where the clocks change. Spans keep the
hour alone: where a zone's offset is no whole number of hours, the hour in which a day turns belongs
to the day in which it begins.
"""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import cached_property
from typing import TypeVar

HOUR = 3600
# The names that a URL may carry, and their length in days.
DAYS = {"24h": 1, "7d": 7, "30d": 30, "90d": 90}
DEFAULT = "30d"

Counted = TypeVar("Counted")


@dataclass(frozen=True)
class Period:
    """The hours from ``start`` up to but without ``end``, cut into one bucket a day or an hour.

    ``starts`` are the first hours of the buckets, of which the first is ``start``.
    """

    name: str
    zone: tzinfo
    start: int
    end: int
    starts: tuple[int, ...]

    @property
    def is_hourly(self) -> bool:
        """Tell whether a bucket is an hour rather than a day."""
        return DAYS[self.name] == 1

    @property
    def first_moment(self) -> datetime:
        """Return when the period begins."""
        return moment(self.start, zone=self.zone)

    @property
    def end_moment(self) -> datetime:
        """Return the first moment after the period."""
        return moment(self.end, zone=self.zone)

    @property
    def last_moment(self) -> datetime:
        """Return when the last hour of the period begins."""
        return moment(self.end - 1, zone=self.zone)

    @cached_property
    def bucket_moments(self) -> tuple[datetime, ...]:
        """Return when each bucket begins."""
        return tuple(moment(hour, zone=self.zone) for hour in self.starts)

    def contains(self, hour: int) -> bool:
        """Tell whether an hour lies in the period."""
        return self.start <= hour < self.end

    def fold(self, counted: Iterable[tuple[int, Counted]]) -> tuple[list[Counted], ...]:
        """Put what was counted by the hour into the buckets; hours outside are left out."""
        buckets: tuple[list[Counted], ...] = tuple([] for _ in self.starts)
        for hour, value in counted:
            if self.contains(hour):
                buckets[bisect_right(self.starts, hour) - 1].append(value)
        return buckets


@dataclass(frozen=True, slots=True)
class Comparison:
    """A period and the one before it, which runs to the same time of its last day."""

    now: Period
    before: Period


def moment(hour: int, *, zone: tzinfo = UTC) -> datetime:
    """Return when an hour begins."""
    return datetime.fromtimestamp(hour * HOUR, tz=zone)


def comparison(*, name: str, now: datetime, zone: tzinfo) -> Comparison:
    """Return the period of a name that ends with the hour of ``now``, and the one before it.

    A period of days begins with the first hour of its first day: "7d" is today and the six days
    before. Raises ``KeyError`` for a name that is none of ``DAYS``.
    """
    days = DAYS[name]
    if days == 1:
        end = _hour_of(now) + 1
        return Comparison(
            now=_hours(name, zone=zone, end=end), before=_hours(name, zone=zone, end=end - 24)
        )
    local = now.astimezone(zone)
    # Arithmetic on local time keeps the time of day, whatever the clocks did in between.
    earlier = local - timedelta(days=days)
    return Comparison(
        now=_days(name, zone=zone, last=local, count=days),
        before=_days(name, zone=zone, last=earlier, count=days),
    )


def _hours(name: str, *, zone: tzinfo, end: int) -> Period:
    start = end - 24
    return Period(name=name, zone=zone, start=start, end=end, starts=tuple(range(start, end)))


def _days(name: str, *, zone: tzinfo, last: datetime, count: int) -> Period:
    first = last.date() - timedelta(days=count - 1)
    starts = tuple(_first_hour(first + timedelta(days=n), zone=zone) for n in range(count))
    return Period(name=name, zone=zone, start=starts[0], end=_hour_of(last) + 1, starts=starts)


def _first_hour(day: date, *, zone: tzinfo) -> int:
    """Return the first hour that begins on a day."""
    midnight = datetime.combine(day, time.min, tzinfo=zone)
    return -int(-midnight.timestamp() // HOUR)


def _hour_of(when: datetime) -> int:
    return int(when.timestamp()) // HOUR
