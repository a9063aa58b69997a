"""The task against tools, group descriptions and examples: by meaning, with words beside it."""

from __future__ import annotations

import numpy as np

from routing.selection.arrays import FloatArray
from routing.selection.confidence import shares
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
            semantic=request.semantic,
        )
        opened = open_groups(
            evidence,
            request.groups,
            threshold=request.index.settings.threshold,
            inclusive=request.inclusive,
        )
        ranked = _ranked(request, evidence, opened)
        return Proposal(
            decided_by=self.name,
            ranked=ranked,
            reasons=_reasons(request, evidence, ranked),
            groups=_groups(request, opened, ranked),
            confidence=opened.confidence if opened.numbers else _belief(request, evidence, ranked),
            confidence_source=ConfidenceSource.SHIPPED,
            scores=evidence.ranks,
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
        best = evidence.ranks[request.candidates].max()
        loose &= evidence.ranks >= UNGROUPED_SHARE * best
    pool |= loose
    pool &= request.candidates
    if not opened.numbers:
        pool &= evidence.ranks > 0
    places = np.flatnonzero(pool)
    order = np.lexsort((request.index.rank[places], -evidence.ranks[places]))
    ranked: list[int] = places[order].tolist()
    if not opened.numbers:
        return tuple(ranked[: request.cap])
    if request.inclusive and len(ranked) < request.cap:
        ranked += _next_best(request, evidence, ranked)
    return tuple(ranked)


def _next_best(request: Request, evidence: Evidence, ranked: list[int]) -> list[int]:
    """Return the best of the other candidates, as many as the cap has room for."""
    others = request.candidates & (evidence.ranks > 0)
    others[ranked] = False
    places = np.flatnonzero(others)
    order = np.lexsort((request.index.rank[places], -evidence.ranks[places]))
    best: list[int] = places[order[: request.cap - len(ranked)]].tolist()
    return best


def _groups(request: Request, opened: Opened, ranked: tuple[int, ...]) -> tuple[str, ...]:
    if opened.numbers:
        return tuple(request.index.group_names[number] for number in opened.numbers)
    return groups_of(request, ranked)


def _belief(request: Request, evidence: Evidence, ranked: tuple[int, ...]) -> float:
    """Return the belief that the task is about one of the ranked tools."""
    if not ranked:
        return 0.0
    share = shares(evidence, evidence.tools[request.candidates])
    places = np.cumsum(request.candidates) - 1
    return float(share[places[list(ranked)]].sum())


def _reasons(request: Request, evidence: Evidence, ranked: tuple[int, ...]) -> dict[int, Why]:
    """Say for each tool which leg brought it up; ``group`` if only its group did."""
    scores = evidence.ranks[request.candidates]
    cut = float(np.sort(scores)[-min(request.cap, len(scores))])
    reasons: dict[int, Why] = {}
    for tool in ranked:
        if evidence.ranks[tool] < cut or evidence.ranks[tool] <= 0:
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
