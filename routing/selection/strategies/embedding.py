"""The task against tools, group descriptions and examples: by meaning, with words beside it."""

from __future__ import annotations

from dataclasses import replace

from routing.selection.calibration import Way
from routing.selection.cut import also, keep, whole_groups
from routing.selection.strategies.contract import Proposal, Request
from routing.selection.strategies.evidential import (
    needed,
    next_best,
    read_request,
    reasons_of,
    scored_groups,
)
from routing.selection.strategies.shown_groups import propose_groups
from routing.selection.strategies.surety import surety_of_tools
from routing.selection.types import Strategy


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
        if reading.evidence.semantic is not None and request.index.groups_are_shown:
            return propose_groups(request, reading, name=self.name)
        beliefs = reading.beliefs
        kept = keep(beliefs, needed(request, reading), cap=request.cap, inclusive=request.inclusive)
        if not (reading.evidence.rough > 0).any():
            kept = replace(kept, numbers=())
        chosen = list(kept.numbers)
        ranked = beliefs.places[chosen].tolist()
        whole = whole_groups(
            chosen,
            beliefs,
            members_of=request.index.members_by_number,
            candidates=request.candidates,
            cap=request.cap,
        )
        ranked += whole
        kept = also(kept, beliefs, whole)
        numbers = {int(beliefs.homes[number]) for number in chosen} - {-1}
        if request.inclusive and chosen:
            ranked += next_best(request, reading.ranks, ranked)
        surety = surety_of_tools(request, reading, kept, way=Way.TOOLS)
        return Proposal(
            decided_by=self.name,
            ranked=tuple(ranked),
            reasons=reasons_of(request, reading, ranked),
            groups=tuple(request.index.group_names[number] for number in sorted(numbers)),
            confidence=surety.confidence,
            confidence_source=surety.source,
            values=surety.values,
            scores=reading.ranks,
            scored_groups=scored_groups(request, reading),
        )
