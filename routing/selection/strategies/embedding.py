"""The task against tools, group descriptions and examples: by meaning, with words beside it."""

from __future__ import annotations

import numpy as np

from routing.selection.arrays import FloatArray
from routing.selection.confidence import Features, confidence
from routing.selection.evidence import Evidence, gather
from routing.selection.grouping import Opened, open_groups
from routing.selection.strategies.contract import Proposal, Request, groups_of
from routing.selection.types import ConfidenceSource, ScoredGroup, Strategy, Why

UNGROUPED_SHARE = 0.8
"""A tool of no group is served beside a group if it scores this share of the best tool."""


class Embedding:
    """Open the groups that the task is about; without groups, take the nearest tools."""

    name = Strategy.EMBEDDING

    def propose(self, request: Request) -> Proposal | None:
        """Return the tools of the groups that stand out or, where there are no groups, the best.

        No tools are ranked where no group stands out or nothing at all speaks for any tool.
        ``None`` if there is no candidate.
        """
        if not request.candidates.any():
            return None
        evidence = gather(
            request.index,
            request.query.task,
            request.query.history,
            candidates=request.candidates,
            groups=request.groups,
            semantic=request.semantic,
        )
        opened = open_groups(evidence, request.groups, inclusive=request.inclusive)
        ranked = _ranked(request, evidence, opened)
        return Proposal(
            decided_by=self.name,
            ranked=ranked,
            reasons=_reasons(request, evidence, ranked),
            groups=_groups(request, opened, ranked),
            confidence=confidence(_features(request, evidence, opened)),
            confidence_source=ConfidenceSource.SHIPPED,
            scores=evidence.tools,
            scored_groups=_scored(request, evidence),
        )


def _ranked(request: Request, evidence: Evidence, opened: Opened) -> tuple[int, ...]:
    """Return the tools of the open groups and those of no allowed group, best first."""
    pool = np.zeros(len(request.index.tools), dtype=np.bool_)
    loose = request.candidates.copy()
    for group in request.index.groups.values():
        if request.groups[group.number]:
            loose[group.members] = False
    if request.groups.any():
        if not opened.numbers:
            return ()
        for number in opened.numbers:
            pool[request.index.groups[request.index.group_names[number]].members] = True
        best = evidence.tools[request.candidates].max()
        loose &= evidence.tools >= UNGROUPED_SHARE * best
    pool |= loose
    pool &= request.candidates
    if not opened.numbers:
        pool &= evidence.tools > 0
    places = np.flatnonzero(pool)
    order = np.lexsort((request.index.rank[places], -evidence.tools[places]))
    ranked: list[int] = places[order].tolist()
    if not opened.numbers:
        return tuple(ranked[: request.cap])
    if request.inclusive and len(ranked) < request.cap:
        ranked += _next_best(request, evidence, ranked)
    return tuple(ranked)


def _next_best(request: Request, evidence: Evidence, ranked: list[int]) -> list[int]:
    """Return the best of the other candidates, as many as the cap has room for."""
    others = request.candidates & (evidence.tools > 0)
    others[ranked] = False
    places = np.flatnonzero(others)
    order = np.lexsort((request.index.rank[places], -evidence.tools[places]))
    best: list[int] = places[order[: request.cap - len(ranked)]].tolist()
    return best


def _groups(request: Request, opened: Opened, ranked: tuple[int, ...]) -> tuple[str, ...]:
    if opened.numbers:
        return tuple(request.index.group_names[number] for number in opened.numbers)
    return groups_of(request, ranked)


def _features(request: Request, evidence: Evidence, opened: Opened) -> Features:
    """Return what the confidence is made of, from the groups, or the tools if there are none."""
    if opened.numbers:
        mask, lexical, semantic = request.groups, evidence.group_lexical, evidence.group_semantic
        margin = opened.margin
    else:
        mask, lexical, semantic = request.candidates, evidence.lexical, evidence.semantic
        margin = _tool_margin(request, evidence)
    agreement = 0.0
    nearness = None
    if semantic is not None:
        inside = np.flatnonzero(mask)
        nearness = max(0.0, float(semantic[inside].max()))
        best = lexical[inside].max()
        agreement = float(best > 0 and lexical[inside[semantic[inside].argmax()]] == best)
    return Features(
        nearness=nearness, margin=margin, agreement=agreement, explained=evidence.explained
    )


def _tool_margin(request: Request, evidence: Evidence) -> float:
    """Return how far the best tool lies before the first one past the cap."""
    scores = np.sort(evidence.tools[request.candidates])[::-1]
    return float(scores[0] - scores[request.cap]) if len(scores) > request.cap else 0.5


def _reasons(request: Request, evidence: Evidence, ranked: tuple[int, ...]) -> dict[int, Why]:
    """Say for each tool which leg brought it up; ``group`` if only its group did."""
    scores = evidence.tools[request.candidates]
    cut = float(np.sort(scores)[-min(request.cap, len(scores))])
    reasons: dict[int, Why] = {}
    for tool in ranked:
        if float(evidence.tools[tool]) < cut or evidence.tools[tool] <= 0:
            reasons[tool] = Why.GROUP
        else:
            reasons[tool] = _leg(evidence.lexical, evidence.semantic, tool)
    return reasons


def _leg(lexical: FloatArray, semantic: FloatArray | None, place: int) -> Why:
    """Return the leg on which a tool or group comes closer to the best one."""
    if semantic is None:
        return Why.LEXICAL
    words = float(lexical[place]) / (float(lexical.max()) or 1.0)
    meaning = float(semantic[place]) / max(float(semantic.max()), 1e-6)
    return Why.LEXICAL if words > meaning else Why.SEMANTIC


def _scored(request: Request, evidence: Evidence) -> tuple[ScoredGroup, ...]:
    numbers = np.flatnonzero(request.groups)
    order = numbers[np.argsort(-evidence.groups[numbers], kind="stable")]
    return tuple(
        ScoredGroup(
            group=request.index.group_names[number],
            score=round(float(evidence.groups[number]), 4),
            reason=_leg(evidence.group_lexical, evidence.group_semantic, number),
        )
        for number in order.tolist()
    )
