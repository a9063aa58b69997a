"""The task against tools, group descriptions and examples: by meaning, with words beside it."""

from __future__ import annotations

from routing.selection.confidence import confidence_of
from routing.selection.cut import kept
from routing.selection.ranking import best_first
from routing.selection.strategies.contract import Proposal, Request
from routing.selection.strategies.evidential import (
    read_request,
    reasons_of,
    scored_groups,
    weights_of,
)
from routing.selection.types import ConfidenceSource, Strategy


class Embedding:
    """Take the tools that the evidence speaks for, and open their groups."""

    name = Strategy.EMBEDDING

    def propose(self, request: Request) -> Proposal | None:
        """Return as many of the best tools as the evidence goes for.

        No tools are ranked where nothing at all speaks for any. ``None`` if there is no candidate.
        """
        if not request.candidates.any():
            return None
        reading = read_request(request)
        beliefs = reading.beliefs
        chosen = kept(beliefs.shares, beliefs.homes, cap=request.cap, inclusive=request.inclusive)
        if not (reading.evidence.rough > 0).any():
            chosen = []
        ranked = beliefs.places[chosen].tolist()
        numbers = {int(beliefs.homes[number]) for number in chosen} - {-1}
        if request.inclusive and chosen and len(ranked) < request.cap:
            others = request.candidates & (reading.ranks > 0)
            others[ranked] = False
            places = others.nonzero()[0]
            rank = request.index.rank[places]
            room = request.cap - len(ranked)
            ranked += best_first(places, reading.ranks[places], rank, room)
        return Proposal(
            decided_by=self.name,
            ranked=tuple(ranked),
            reasons=reasons_of(request, reading, ranked),
            groups=tuple(request.index.group_names[number] for number in sorted(numbers)),
            confidence=confidence_of(beliefs, chosen, weights=weights_of(request, reading)),
            confidence_source=ConfidenceSource.SHIPPED,
            scores=reading.ranks,
            scored_groups=scored_groups(request, reading),
        )
