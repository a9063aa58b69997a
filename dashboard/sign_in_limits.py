"""How often one may fail to sign in, counted in the cache.

The default cache is each process's own, so that N server processes together allow N times as many.
"""

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.core.cache import cache


@dataclass(frozen=True, slots=True)
class SignInLimit:
    """At most `failures` within a `window` that begins with the first."""

    failures: int = 10
    window: timedelta = timedelta(minutes=15)


SIGN_IN_LIMIT = SignInLimit()


def take_attempt(
    *, username: str, address: str, now: datetime, limit: SignInLimit = SIGN_IN_LIMIT
) -> datetime | None:
    """Count an attempt before its password is looked at.

    Returns None if it may be made, else the time of the next one that may. Counting first keeps
    attempts sent side by side from slipping through between the check and the count.
    """
    key = _key(username=username, address=address)
    seconds = limit.window.total_seconds()
    # The entries outlive the window: `now`, not the cache's own clock, decides when it ends.
    lifetime = 2 * seconds
    cache.add(f"{key}:count", 0, lifetime)
    cache.add(f"{key}:start", now.timestamp(), lifetime)
    start = float(cache.get(f"{key}:start", now.timestamp()))
    if now.timestamp() - start >= seconds:
        start = now.timestamp()
        cache.set(f"{key}:start", start, lifetime)
        cache.set(f"{key}:count", 0, lifetime)
    if int(cache.incr(f"{key}:count")) <= limit.failures:
        return None
    return datetime.fromtimestamp(start + seconds, tz=UTC)


def forget_attempts(*, username: str, address: str) -> None:
    """Begin anew after a success."""
    key = _key(username=username, address=address)
    cache.delete_many([f"{key}:count", f"{key}:start"])


def _key(*, username: str, address: str) -> str:
    identity = f"{username.casefold()}\n{address}".encode("utf-8", "replace")
    return f"sign-in:{hashlib.sha256(identity).hexdigest()}"
