"""The tools of the run's phase."""

from __future__ import annotations

from routing.selection.strategies.contract import Proposal, Request, allowed, groups_of
from routing.selection.types import Strategy, Why, WhyNot


class PhaseTools:
    """Serve what the phase names: its tools, then those of its groups, in their order."""

    name = Strategy.PHASE

    def propose(self, request: Request) -> Proposal | None:
        """Return the phase's tools; ``None`` without a phase or where none may be served."""
        return propose_phase(request, name=self.name)


def propose_phase(request: Request, *, name: Strategy) -> Proposal | None:
    """Return the phase's tools; ``None`` without a phase or where none may be served."""
    ranked = allowed(request, request.phase.tools) if request.phase else ()
    if not ranked:
        return None
    return Proposal(
        decided_by=name,
        ranked=ranked,
        reasons=dict.fromkeys(ranked, Why.PHASE),
        groups=groups_of(request, ranked),
        others=WhyNot.NOT_IN_PHASE,
    )
