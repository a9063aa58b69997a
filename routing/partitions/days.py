"""Which numbers the spans of a day have."""

from datetime import UTC, datetime, timedelta

BITS = 36
"""A day has room for 2^36 spans, 800,000 a second; JSON's numbers hold the days until 2328."""

_SECONDS = 24 * 3600


def day_of(now: datetime) -> int:
    """Return the whole days since 1970 UTC."""
    return int(now.timestamp()) // _SECONDS


def first_id(day: int) -> int:
    """Return the first number of a day's spans."""
    return day << BITS


def day_of_id(span: int) -> int:
    """Return the day in whose range the number of a span lies; 0 for those given before days."""
    return span >> BITS


def date_of(day: int) -> str:
    """Return a day as the names of tables have it: ``2026_11_30``."""
    return f"{datetime.fromtimestamp(0, tz=UTC) + timedelta(days=day):%Y_%m_%d}"
