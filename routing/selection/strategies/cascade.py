"""Strategies tried in order, cheapest first, each of which may abstain."""

from __future__ import annotations

from collections.abc import Sequence

from routing.selection.strategies.contract import Proposal, Proposing, Request
from routing.selection.types import Strategy


class Cascade:
    """The first of some strategies that does not abstain answers."""

    def __init__(self, *, name: Strategy, steps: Sequence[Proposing]) -> None:
        self.name = name
        self._steps = tuple(steps)

    def propose(self, request: Request) -> Proposal | None:
        """Return the first proposal; ``None`` if every step abstains."""
        for step in self._steps:
            proposal = step.propose(request)
            if proposal is not None:
                return proposal
        return None
