"""Group first, then tools inside: for catalogs of many tools in groups that hold together."""

from __future__ import annotations

from routing.selection.calibration import Way
from routing.selection.cut import Kept, fewest
from routing.selection.strategies.contract import Proposal, Request
from routing.selection.strategies.evidential import (
    beliefs_by_group,
    needed,
    read_request,
    reasons_of,
    scored_groups,
)
from routing.selection.strategies.surety import surety_of_tools
from routing.selection.types import Strategy

SHARE = 0.8
INCLUSIVE_SHARE = 0.95
MOST = 3


class Hierarchical:
    """Open the fewest groups that hold most of the belief, at most three, and serve their tools."""

    name = Strategy.HIERARCHICAL

    def propose(self, request: Request) -> Proposal | None:
        """Return all tools of the groups that stand out, best first.

        No tools are ranked where nothing speaks for any group. ``None`` without a group to open:
        there is no level above the tools.
        """
        if not request.groups.any():
            return None
        reading = read_request(request)
        by_group = beliefs_by_group(reading)
        spoken_for = bool((reading.evidence.rough > 0).any())
        share = INCLUSIVE_SHARE if request.inclusive else SHARE
        count = fewest(list(by_group.values()), share=share, most=MOST) if spoken_for else 0
        numbers = list(by_group)[:count]
        groups = request.index.in_group_order([request.index.group_names[n] for n in numbers])
        inside = [tool for tool in request.index.members(groups) if request.candidates[tool]]
        ranked = sorted(inside, key=lambda tool: -float(reading.ranks[tool]))
        served = frozenset(ranked[: request.cap])
        places = reading.beliefs.places.tolist()
        kept = Kept(
            numbers=tuple(number for number, tool in enumerate(places) if tool in served),
            needed=needed(request, reading),
            cut=len(ranked) > request.cap,
        )
        surety = surety_of_tools(request, reading, kept, way=Way.HIERARCHICAL)
        return Proposal(
            decided_by=self.name,
            ranked=tuple(ranked),
            reasons=reasons_of(request, reading, ranked),
            groups=groups,
            confidence=surety.confidence,
            confidence_source=surety.source,
            values=surety.values,
            scores=reading.ranks,
            scored_groups=scored_groups(request, reading),
        )
