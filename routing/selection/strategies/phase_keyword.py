"""The tools of the phase, to which keyword rules add and from which they remove."""

from __future__ import annotations

from routing.selection.strategies import keyword
from routing.selection.strategies.contract import Proposal, Request, allowed, groups_of
from routing.selection.types import Strategy, Why, WhyNot


class PhaseKeyword:
    """Serve the phase as the base set, changed by the rules that match.

    What a rule names goes before what only the phase names, so that the cap drops the latter.
    """

    name = Strategy.PHASE_KEYWORD

    def propose(self, request: Request) -> Proposal | None:
        """Return the phase's and the rules' tools; ``None`` if nothing is left."""
        matched = keyword.match(request)
        named = request.phase.tools if request.phase else ()
        base = tuple(tool for tool in allowed(request, named) if tool not in matched.removed)
        ranked = tuple(dict.fromkeys((*matched.added, *base)))
        if not ranked:
            return None
        return Proposal(
            decided_by=self.name,
            ranked=ranked,
            reasons=dict.fromkeys(base, Why.PHASE) | dict.fromkeys(matched.added, Why.KEYWORD),
            groups=groups_of(request, ranked),
            removed=matched.removed,
            others=WhyNot.NOT_IN_PHASE,
        )
