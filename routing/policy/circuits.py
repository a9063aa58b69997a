"""Circuits: when one opens, for how long, and what an open one stops.

A circuit is of a tool, a capability, a route or a router model. Closed, it lets everything through.
It is opened by hand, or where too many calls fail. One that failures opened is half open after a
while: a single call, the probe, may then show whether things are well again.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

TOOL, CAPABILITY, ROUTE, ROUTER = "tool", "capability", "route", "router"


class State(StrEnum):
    """How a circuit stands."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """When failures open a circuit: ``rate`` of at least ``fewest`` calls settled in ``window``.

    It then stays open for ``pause``, twice as long after each probe that fails, and never longer
    than ``longest``.
    """

    rate: float = 0.5
    fewest: int = 5
    window: timedelta = timedelta(seconds=60)
    pause: timedelta = timedelta(seconds=30)
    longest: timedelta = timedelta(minutes=10)

    def reached(self, *, settled: int, failed: int) -> bool:
        """Tell whether so many failures among so many calls open a circuit."""
        return settled >= self.fewest and failed >= self.rate * settled

    def pause_of(self, openings: int) -> timedelta:
        """Return how long a circuit stays open that has opened so many times in a row, from 1."""
        doublings = min(openings - 1, 20)
        longer: timedelta = self.pause * 2**doublings
        return min(longer, self.longest)


LIMITS = Limits()


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """A circuit that was opened and that nobody and nothing closed so far; as its row has it.

    ``until`` is null only for one that is open until a person closes it. ``probe_until`` is how
    long the probe that was let through is waited for.
    """

    pk: int
    kind: str
    target: str
    by_hand: bool
    until: datetime | None = None
    openings: int = 1
    probe_until: datetime | None = None

    def state(self, *, now: datetime, limits: Limits = LIMITS) -> State:
        """Return how the circuit stands at a time."""
        until = self.open_until(now=now, limits=limits)
        if until is None or now < until:
            return State.OPEN
        return State.CLOSED if self.by_hand else State.HALF_OPEN

    def open_until(self, *, now: datetime, limits: Limits = LIMITS) -> datetime | None:
        """Return until when the circuit is or was open; ``None`` until a person closes it.

        A probe of which nothing was heard in time has failed.
        """
        if self.probe_until is None or now < self.probe_until:
            return self.until
        return self.probe_until + limits.pause_of(self.openings + 1)

    def told(self, *, now: datetime) -> str:
        """Return in words why a call is stopped, as the API says it."""
        what = "router model" if self.kind == ROUTER else self.kind
        if self.state(now=now) is State.HALF_OPEN:
            return f"The circuit of the {what} {self.target} is half open: one call is being tried."
        why = "by hand" if self.by_hand else "after repeated failures"
        until = self.open_until(now=now)
        end = f" until {until:%Y-%m-%dT%H:%M:%SZ}" if until else ""
        return f"The circuit of the {what} {self.target} is open {why}{end}."

    def probe_was_lost(self, *, now: datetime) -> bool:
        """Tell whether a probe was let through and its time ran out."""
        return self.probe_until is not None and self.probe_until <= now

    def awaits_probe(self, *, now: datetime) -> bool:
        """Tell whether a probe is out and still waited for."""
        return self.probe_until is not None and now < self.probe_until


@dataclass(frozen=True, slots=True)
class Gate:
    """Whether a call may pass: not where ``stopped_by`` names a circuit.

    ``probing`` are the half-open circuits whose probe the call would be: it must become that of all
    of them before it is let through.
    """

    stopped_by: Opening | None = None
    probing: tuple[Opening, ...] = ()

    @property
    def is_open(self) -> bool:
        """Tell whether a circuit stops the call."""
        return self.stopped_by is not None


@dataclass(frozen=True, slots=True)
class Standing:
    """How the circuits of a catalog stand: those that are not closed, oldest first."""

    openings: tuple[Opening, ...] = ()

    def gate(self, *, tool: str, capability: str = "", route: str = "", now: datetime) -> Gate:
        """Return whether a call of a tool may pass."""
        return self._gate({TOOL: tool, CAPABILITY: capability, ROUTE: route}, now=now)

    def router_gate(self, *, model: str, now: datetime) -> Gate:
        """Return whether a router model may be asked."""
        return self._gate({ROUTER: model}, now=now)

    def open_targets(self, *, kind: str, now: datetime) -> list[str]:
        """Return the names whose circuit is open; a half-open one is not."""
        return [
            opening.target
            for opening in self.openings
            if opening.kind == kind and opening.state(now=now) is State.OPEN
        ]

    def unclosed(self, *, kind: str, target: str) -> Opening | None:
        """Return the opening by failures of a circuit, if it has one that is not closed."""
        for opening in self.openings:
            if (opening.kind, opening.target, opening.by_hand) == (kind, target, False):
                return opening
        return None

    def _gate(self, targets: dict[str, str], *, now: datetime) -> Gate:
        if not self.openings:
            return Gate()
        probing = []
        for opening in self._of(targets):
            state = opening.state(now=now)
            if state is State.OPEN:
                return Gate(stopped_by=opening)
            if state is State.HALF_OPEN:
                if opening.awaits_probe(now=now):
                    return Gate(stopped_by=opening)
                probing.append(opening)
        return Gate(probing=tuple(probing))

    def _of(self, targets: dict[str, str]) -> Iterable[Opening]:
        return (one for one in self.openings if one.target and targets.get(one.kind) == one.target)
