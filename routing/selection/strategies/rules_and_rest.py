"""What the rules know of a task, and by its meaning what they do not.

"Issue the invoice and book the pickup": an intent rule knows the first half and would decide alone.
So the clauses in which no phrase of a rule occurs are read by their meaning, and what they are sure
of is served beside what the rule names. Where the rules know every clause the encoder stays out.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, zip_longest

from routing.selection.encoders import read_of_task
from routing.selection.reading import clauses
from routing.selection.rules import matching_intents
from routing.selection.strategies.contract import Proposal, Proposing, Request
from routing.selection.strategies.rules import Rules
from routing.selection.types import Strategy


class RulesAndRest:
    """The rules, and another strategy for the clauses that they do not know."""

    name = Strategy.RULES_EMBEDDING

    def __init__(self, rest: Proposing) -> None:
        self._rules = Rules()
        self._rest = rest

    def propose(self, request: Request) -> Proposal | None:
        """Return what the rules and the rest name; ``None`` if no rule matches."""
        known = self._rules.propose(request)
        if known is None:
            return None
        unknown = _unknown_clauses(request)
        if not unknown:
            return known
        query = replace(request.query, task=". ".join(unknown), history=())
        further = self._rest.propose(replace(request, query=query))
        if further is None or not _adds(request, known, further):
            return known
        return _both(known, further)


def _unknown_clauses(request: Request) -> list[str]:
    """Return the clauses in which no rule's phrase occurs, if there are others in which one does.

    None where the channel decides: it does not go by what the task says.
    """
    channel, index = request.query.channel, request.index
    if channel is not None and (channel.kind, channel.value) in index.channels:
        return []
    parts = clauses(read_of_task(request.query.task))
    unknown = [part for part in parts if not matching_intents(index.intent_rules, part, ())]
    return unknown if len(unknown) < len(parts) else []


def _adds(request: Request, known: Proposal, further: Proposal) -> bool:
    """Return whether the rest is sure of a group that the rules did not name."""
    sure = further.confidence >= request.index.settings.threshold
    return bool(further.ranked) and sure and not set(further.groups) <= set(known.groups)


def _both(known: Proposal, further: Proposal) -> Proposal:
    """Return both in turns, so that neither crowds the other out under the cap."""
    turns = chain.from_iterable(zip_longest(known.ranked, further.ranked))
    return replace(
        further,
        ranked=tuple(dict.fromkeys(tool for tool in turns if tool is not None)),
        reasons={**further.reasons, **known.reasons},
        groups=tuple(dict.fromkeys((*known.groups, *further.groups))),
        scored_groups=(
            *known.scored_groups,
            *(one for one in further.scored_groups if one.group not in known.groups),
        ),
    )
