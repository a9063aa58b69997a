"""The tools that keyword rules name."""

from __future__ import annotations

from dataclasses import dataclass

from routing.selection.rules import Target, matching_keyword_rules
from routing.selection.strategies.contract import Proposal, Request, allowed, groups_of
from routing.selection.types import Fallback, Strategy, Why, WhyNot


@dataclass(frozen=True, slots=True)
class Matched:
    """What the matching rules add and remove, as positions; what is removed is not added."""

    added: tuple[int, ...]
    removed: tuple[int, ...]


def match(request: Request) -> Matched:
    """Return what the rules that match the task or any of its history add and remove."""
    index, query = request.index, request.query
    rules = matching_keyword_rules(index.keyword_rules, query.task, query.history)
    removed = _tools(request, [rule.remove for rule in rules])
    gone = frozenset(removed)
    added = _tools(request, [rule.add for rule in rules])
    return Matched(added=tuple(tool for tool in added if tool not in gone), removed=removed)


class Keyword:
    """Serve what the rules add; where they add nothing, the phase's tools as a fallback."""

    name = Strategy.KEYWORD

    def propose(self, request: Request) -> Proposal | None:
        """Return the added tools, else those of the phase; ``None`` without either."""
        matched = match(request)
        if matched.added:
            return Proposal(
                decided_by=self.name,
                ranked=matched.added,
                reasons=dict.fromkeys(matched.added, Why.KEYWORD),
                groups=groups_of(request, matched.added),
                removed=matched.removed,
            )
        named = request.phase.tools if request.phase else ()
        base = tuple(tool for tool in allowed(request, named) if tool not in matched.removed)
        if not base:
            return None
        return Proposal(
            decided_by=self.name,
            ranked=base,
            reasons=dict.fromkeys(base, Why.PHASE),
            confidence=0.0,
            removed=matched.removed,
            others=WhyNot.NOT_IN_PHASE,
            fallback=Fallback.NO_MATCH,
        )


def _tools(request: Request, targets: list[Target]) -> tuple[int, ...]:
    listed: list[int] = []
    for target in targets:
        listed.extend(target.tools)
        listed.extend(request.index.members(target.groups))
    return allowed(request, tuple(listed))
