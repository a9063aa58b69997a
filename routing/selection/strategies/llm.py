"""The groups that a small model chose, which was asked before the selection began.

The model chooses groups and nothing else: which of their tools are served, and in which order, is
decided here by words and meaning, as for every other strategy.

A model's confidence is its own word: no mapping stands behind it until one is fitted to the
catalog, and models are known to be too sure of themselves. It is compared with the threshold all
the same, is never taken for certainty, and belongs in the charts beside the others.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from routing.selection.confidence import MOST_CERTAIN
from routing.selection.index import Index
from routing.selection.model_answer import ModelAnswer
from routing.selection.ranking import best_first
from routing.selection.strategies.contract import NotServable, Proposal, Request
from routing.selection.strategies.evidential import read_request
from routing.selection.strategies.shown_groups import UNGROUPED_SHARE, in_turn
from routing.selection.types import (
    Circumstances,
    ConfidenceSource,
    Query,
    ScoredGroup,
    Strategy,
    Why,
)


class ModelFailed(RuntimeError):
    """The model was asked, or should have been, and there is no answer of it."""


class Llm:
    """Open the groups that the model chose.

    As a step of a cascade (``abstains``) it has nothing to say without an answer that names a
    group; alone it says why there is none.
    """

    name = Strategy.LLM

    def __init__(self, *, abstains: bool = False) -> None:
        self._abstains = abstains

    def propose(self, request: Request) -> Proposal | None:
        """Return the tools of the chosen groups; none are ranked where the model chose none.

        Raises ``NotServable`` where no model was asked, ``ModelFailed`` where it did not answer.
        """
        answer = request.model_answer
        if self._abstains and (answer is None or answer.failure or not answer.groups):
            return None
        if answer is None:
            raise NotServable(
                "No router model is set up: LLM_ROUTER names one (anthropic:MODEL, openai:MODEL)."
            )
        if answer.failure:
            raise ModelFailed(f"{answer.model}: {answer.failure}")
        groups = _allowed_groups(request, answer)
        confidence = round(min(answer.confidence, MOST_CERTAIN), 4)
        return _proposal(request, groups, confidence) if groups else _nothing(confidence)


def groups_to_choose_from(query: Query, index: Index, circumstances: Circumstances) -> list[str]:
    """Return what a model may choose: what the route allows and what holds a tool to serve.

    In catalog order. Raises what ``select`` raises for names that do not stand, so that nobody pays
    for a question whose selection is refused.
    """
    route = index.route(query.route)
    index.phase(query.phase)
    for name in query.open_groups:
        index.requestable_group(name, route)
    off = index.switched_off(circumstances.switched_off)
    candidates = index.enabled & ~off & route.tools & index.selectable
    mask = route.group_mask & index.groups_holding(candidates)
    return [index.group_names[number] for number in np.nonzero(mask)[0].tolist()]


def _allowed_groups(request: Request, answer: ModelAnswer) -> tuple[str, ...]:
    """Return those groups of the answer that may be served here, whatever it says, in order."""
    index = request.index
    known = [name for name in answer.groups if name in index.groups]
    return index.in_group_order(
        [name for name in known if request.groups[index.groups[name].number]]
    )


def _nothing(confidence: float) -> Proposal:
    """Return what says that nothing fits."""
    return Proposal(
        decided_by=Strategy.LLM,
        ranked=(),
        reasons={},
        confidence=confidence,
        confidence_source=ConfidenceSource.SHIPPED,
    )


def _proposal(request: Request, groups: Sequence[str], confidence: float) -> Proposal:
    index = request.index
    ranks = read_request(request).ranks
    of_groups = np.zeros_like(request.candidates)
    of_groups[index.members(groups)] = True
    of_groups &= request.candidates
    # No model can choose a tool of no group, and no agent can ask for it.
    loose = request.candidates.copy()
    loose[index.members_of(request.groups)] = False
    loose &= ranks >= max(UNGROUPED_SHARE * float(ranks[request.candidates].max()), 1e-6)
    places = np.nonzero(of_groups | loose)[0]
    ranked = best_first(places, ranks[places], index.rank[places], len(places))
    ranked = in_turn(request, groups, ranked)
    own = Why.SEMANTIC if index.semantic else Why.LEXICAL
    reasons = {tool: Why.MODEL if of_groups[tool] else own for tool in ranked}
    if request.inclusive and len(ranked) < request.cap:
        others = np.nonzero(request.candidates & ~of_groups & ~loose & (ranks > 0))[0]
        more = best_first(others, ranks[others], index.rank[others], request.cap - len(ranked))
        ranked += more
        reasons |= dict.fromkeys(more, own)
    return Proposal(
        decided_by=Strategy.LLM,
        ranked=tuple(ranked),
        reasons=reasons,
        groups=tuple(groups),
        confidence=confidence,
        confidence_source=ConfidenceSource.SHIPPED,
        scores=ranks,
        scored_groups=tuple(ScoredGroup(name, confidence, Why.MODEL) for name in groups),
    )
