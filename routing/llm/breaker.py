"""A circuit breaker: a model that fails again and again is left alone for a while.

Closed, it counts outcomes over a window. When enough of them failed it opens and nobody is let
through, until after a pause one attempt, the probe, may show that the model is well again.
"""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """How a breaker stands."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """When a breaker opens: ``rate`` of at least ``fewest`` outcomes within ``window`` seconds.

    ``pause`` is how many seconds it stays open before a probe.
    """

    rate: float = 0.5
    fewest: int = 5
    window: float = 60.0
    pause: float = 30.0


@dataclass(frozen=True, slots=True)
class Ticket:
    """An attempt that was let through and whose outcome is awaited."""

    is_probe: bool


class Breaker:
    """One breaker, shared by the threads of a process. ``now`` is seconds on a monotonic clock."""

    def __init__(self, *, name: str, limits: Limits) -> None:
        self.name = name
        self._limits = limits
        self._outcomes: deque[tuple[float, bool]] = deque()
        self._opened_at: float | None = None
        self._probing = False
        self._lock = threading.Lock()

    def state(self, *, now: float) -> State:
        """Return how the breaker stands."""
        if self._opened_at is None:
            return State.CLOSED
        rested = now - self._opened_at >= self._limits.pause
        return State.HALF_OPEN if rested else State.OPEN

    def admit(self, *, now: float) -> Ticket | None:
        """Return a ticket, which must be settled, or ``None`` where the model is left alone."""
        with self._lock:
            state = self.state(now=now)
            if state is State.CLOSED:
                return Ticket(is_probe=False)
            if state is State.OPEN or self._probing:
                return None
            self._probing = True
            return Ticket(is_probe=True)

    def settle(self, ticket: Ticket, *, failed: bool, now: float) -> None:
        """Say what came of an attempt. One that began before the breaker opened is not heard."""
        with self._lock:
            if ticket.is_probe:
                self._probing = False
                self._outcomes.clear()
                self._opened_at = now if failed else None
            elif self._opened_at is None:
                self._outcomes.append((now, failed))
                self._judge(now)

    def _judge(self, now: float) -> None:
        while self._outcomes and now - self._outcomes[0][0] > self._limits.window:
            self._outcomes.popleft()
        failures = sum(failed for _, failed in self._outcomes)
        enough = len(self._outcomes) >= self._limits.fewest
        if enough and failures >= self._limits.rate * len(self._outcomes):
            self._opened_at = now
            self._outcomes.clear()
