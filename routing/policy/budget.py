"""Budgets: what a run may spend at most, and what of that is spent."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

KINDS = ("calls", "tokens", "cost", "seconds")
_UNITS = {
    "calls": "{:g} calls",
    "tokens": "{:g} tokens",
    "cost": "{:g} USD",
    "seconds": "{:g} seconds",
}


@dataclass(frozen=True, slots=True)
class Ceiling:
    """The most that may be spent of one kind, and whose word that is: run, route or key."""

    most: float
    of: str


@dataclass(frozen=True, slots=True)
class Budget:
    """The ceilings of a run, the lowest of each kind, and what it has spent.

    Seconds are spent since the run began.
    """

    ceilings: Mapping[str, Ceiling] = field(default_factory=dict)
    spent: Mapping[str, float] = field(default_factory=dict)

    def exhausted(self, *, retry: bool = False) -> str | None:
        """Return the first kind of which nothing is left. A retry needs no further call."""
        for kind in KINDS:
            ceiling = self.ceilings.get(kind)
            if ceiling is None or (retry and kind == "calls"):
                continue
            if self.spent.get(kind, 0) >= ceiling.most:
                return kind
        return None

    def told(self, kind: str) -> str:
        """Say that a kind is exhausted, and whose ceiling it was."""
        ceiling = self.ceilings[kind]
        amount = _UNITS[kind].format(ceiling.most)
        return f"The run has spent the {amount} that its {ceiling.of} allows."

    def most(self, kind: str) -> float | None:
        """Return the ceiling of a kind, ``None`` where there is none."""
        ceiling = self.ceilings.get(kind)
        return ceiling.most if ceiling else None


def lowest_ceilings(**budgets: Mapping[str, Any] | None) -> dict[str, Ceiling]:
    """Return the lowest ceiling of each kind among budgets by whose they are.

    Each is as the document has it: a number or null by kind. A run can only narrow what its route
    and key allow.
    """
    lowest: dict[str, Ceiling] = {}
    for owner, budget in budgets.items():
        for kind in KINDS:
            most = (budget or {}).get(kind)
            if most is not None and (kind not in lowest or most < lowest[kind].most):
                lowest[kind] = Ceiling(most, owner)
    return lowest
