"""The circuit before a router model: one that fails again and again is left alone for a while.

It is a circuit like any other, a row that all processes see and that a person may open and close.
Failures are counted in each process, since most answers are on no record that could be counted.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Protocol

from django.utils import timezone

from routing import circuits
from routing.policy.circuits import LIMITS, ROUTER, Limits

_GRACE = timedelta(seconds=5)
"""How much longer than its own time limit a probe is waited for."""


class LeftAlone(Exception):
    """The model may not be asked now; the message says why."""


@dataclass(frozen=True, slots=True)
class Ticket:
    """A question that was let through and whose outcome is awaited.

    ``probe_until`` is how long it is waited for where it is a probe.
    """

    model: str
    probe_until: datetime | None = None


class Guard(Protocol):
    """What stands before a model."""

    def admit(self, *, model: str, seconds: float) -> Ticket:
        """Let a question through that takes so long at most; it must be settled.

        Raises ``LeftAlone``.
        """

    def settle(self, ticket: Ticket, *, failed: bool) -> None:
        """Say what came of a question."""


class Outcomes:
    """What came of the newest questions to one model for one catalog, in this process."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._newest: deque[tuple[datetime, bool]] = deque(maxlen=200)
        self._lock = threading.Lock()

    def add(self, *, failed: bool, now: datetime) -> str:
        """Count one more; return why the circuit is to be opened now, or nothing."""
        with self._lock:
            self._newest.append((now, failed))
            while now - self._newest[0][0] > self._limits.window:
                self._newest.popleft()
            failures, settled = sum(one for _, one in self._newest), len(self._newest)
            if not failed or not self._limits.reached(settled=settled, failed=failures):
                return ""
            self._newest.clear()
        return circuits.reason_of(failed=failures, settled=settled)


# Of this process, by catalog and model: as many as there are catalogs that ask one.
_outcomes: dict[tuple[int, str], Outcomes] = {}


@dataclass(frozen=True, slots=True)
class CatalogGuard:
    """The circuits of one catalog before the models that it asks."""

    catalog_id: int
    clock: Callable[[], datetime] = field(default=timezone.now)

    def admit(self, *, model: str, seconds: float) -> Ticket:
        """Let a question through; raises ``LeftAlone``."""
        now = self.clock()
        gate = circuits.standing(self.catalog_id).router_gate(model=model, now=now)
        if gate.stopped_by is not None:
            raise LeftAlone(
                "switched off by hand"
                if gate.stopped_by.by_hand
                else "left alone for a while after repeated failures"
            )
        until = now + timedelta(seconds=seconds) + _GRACE
        if not circuits.claim_probe(catalog_id=self.catalog_id, gate=gate, until=until, now=now):
            raise LeftAlone("left alone for a while after repeated failures")
        return Ticket(model=model, probe_until=until if gate.probing else None)

    def settle(self, ticket: Ticket, *, failed: bool) -> None:
        """Count an outcome; that of a probe closes the circuit or opens it for longer."""
        now = self.clock()
        if ticket.probe_until is not None:
            circuits.settle_probe(
                catalog_id=self.catalog_id,
                targets=[(ROUTER, ticket.model)],
                until=ticket.probe_until,
                failed=failed,
                now=now,
            )
            _outcomes.pop((self.catalog_id, ticket.model), None)
            return
        standing = circuits.standing(self.catalog_id)
        if standing.unclosed(kind=ROUTER, target=ticket.model) is not None:
            return  # it began before the circuit opened
        known = _outcomes.setdefault((self.catalog_id, ticket.model), Outcomes(LIMITS))
        reason = known.add(failed=failed, now=now)
        if reason:
            circuits.open_for_failures(
                catalog_id=self.catalog_id,
                kind=ROUTER,
                target=ticket.model,
                reason=reason,
                now=now,
            )


def forget_outcomes() -> None:
    """Count anew, as a process does that has just begun."""
    _outcomes.clear()
