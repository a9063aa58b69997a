"""Channel and intent rules: what is known without any model."""

from __future__ import annotations

from routing.selection.evidence import gather
from routing.selection.rules import Target, matching_intents
from routing.selection.strategies.contract import Proposal, Request, allowed, groups_of
from routing.selection.types import ScoredGroup, Strategy, Why


class Rules:
    """Open the groups of the channel that the task came in by; else those of its intents.

    Where they hold more tools than the cap lets through, words in common decide which go first: the
    encoder is not called where a rule decides.
    """

    name = Strategy.RULES

    def propose(self, request: Request) -> Proposal | None:
        """Return what the rules name; ``None`` if none matches or nothing of it may be served."""
        target = _channel(request) or _intents(request)
        open_groups = tuple(
            name
            for name in request.index.in_group_order(target.groups)
            if request.groups[request.index.groups[name].number]
        )
        named = allowed(request, target.tools)
        members = allowed(request, tuple(request.index.members(open_groups)))
        ranked = tuple(dict.fromkeys((*named, *members)))
        if not ranked:
            return None
        if len(ranked) > request.cap:
            ranked = _by_words(request, ranked)
        groups = request.index.in_group_order((*open_groups, *groups_of(request, named)))
        return Proposal(
            decided_by=self.name,
            ranked=ranked,
            reasons=dict.fromkeys(ranked, Why.RULE),
            groups=groups,
            scored_groups=tuple(ScoredGroup(name, 1.0, Why.RULE) for name in groups),
        )


def _channel(request: Request) -> Target:
    channel = request.query.channel
    if channel is None:
        return Target()
    return Target(groups=request.index.channels.get((channel.kind, channel.value), ()))


def _intents(request: Request) -> Target:
    index, query = request.index, request.query
    rules = matching_intents(index.intent_rules, query.task, query.history)
    return Target(
        tools=tuple(tool for rule in rules for tool in rule.target.tools),
        groups=tuple(group for rule in rules for group in rule.target.groups),
    )


def _by_words(request: Request, ranked: tuple[int, ...]) -> tuple[int, ...]:
    evidence = gather(
        request.index,
        request.query.task,
        request.query.history,
        (),
        candidates=request.candidates,
        semantic=False,
    )
    return tuple(sorted(ranked, key=lambda tool: -float(evidence.rough[tool])))
