"""The task against tools, group descriptions and examples: by meaning, with words beside it."""

from __future__ import annotations

from collections import Counter

import numpy as np

from routing.selection.arrays import BoolArray, FloatArray, IntArray
from routing.selection.evidence import Evidence
from routing.selection.grouping import Choice, Opened, open_up
from routing.selection.ranking import best_first
from routing.selection.reading import Reading, read
from routing.selection.strategies.contract import Proposal, Request, groups_of
from routing.selection.types import ConfidenceSource, ScoredGroup, Strategy, Why

MOST_CERTAIN = 0.99
"""A mapping that was not fitted to the catalog is never surer than this."""
NEAREST_GROUPS = 20
"""How many groups are shown with their scores."""
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
        reading = read(
            request.index,
            request.query.task,
            request.query.history,
            candidates=request.candidates,
            semantic=request.semantic,
        )
        loose = request.candidates.copy()
        loose[request.index.members_of(request.groups)] = False
        opened = open_up(
            reading.whole,
            reading.clauses,
            Choice.among(groups=request.groups, loose=loose, cap=request.cap),
            threshold=request.index.settings.threshold,
            inclusive=request.inclusive,
        )
        ranked = _ranked(request, reading.ranks, opened, loose)
        return Proposal(
            decided_by=self.name,
            ranked=ranked,
            reasons=_reasons(request, reading, ranked),
            groups=_groups(request, opened, ranked),
            confidence=round(min(opened.confidence, MOST_CERTAIN), 4),
            confidence_source=ConfidenceSource.SHIPPED,
            scores=reading.ranks,
            scored_groups=_scored(request, reading.whole),
        )


def _ranked(
    request: Request, ranks: FloatArray, opened: Opened, loose: BoolArray
) -> tuple[int, ...]:
    """Return the tools of what is open, best first.

    A tool in no group is also taken beside an open group where it scores almost as high as any.
    """
    index = request.index
    if not opened.numbers:
        pool = loose & (ranks > 0) if opened.loose else np.zeros_like(loose)
        return tuple(_best(request, pool, ranks, request.cap))
    least = 0 if opened.loose else UNGROUPED_SHARE * ranks[request.candidates].max()
    pool = loose & (ranks > least)
    pool[index.members([index.group_names[number] for number in opened.numbers])] = True
    pool &= request.candidates
    ranked = _in_turn(request, opened, _best(request, pool, ranks, len(index.tools)))
    if request.inclusive and len(ranked) < request.cap:
        others = request.candidates & (ranks > 0)
        others[ranked] = False
        ranked += _best(request, others, ranks, request.cap - len(ranked))
    return tuple(ranked)


def _in_turn(request: Request, opened: Opened, ranked: list[int]) -> list[int]:
    """Let the open groups name their best tools in turn, so that none crowds another out."""
    if len(opened.numbers) < 2:
        return ranked
    turns: Counter[int] = Counter()
    turn_of: dict[int, int] = {}
    for tool in ranked:
        group = _open_group(request, opened, tool)
        turn_of[tool] = turns[group]
        turns[group] += 1
    return sorted(ranked, key=turn_of.__getitem__)


def _open_group(request: Request, opened: Opened, tool: int) -> int:
    """Return the number of the first open group that holds the tool, or -1."""
    for number in opened.numbers:
        if tool in request.index.groups[request.index.group_names[number]].members:
            return number
    return -1


def _best(request: Request, mask: BoolArray, ranks: FloatArray, count: int) -> list[int]:
    places = np.nonzero(mask)[0]
    return best_first(places, ranks[places], request.index.rank[places], count)


def _groups(request: Request, opened: Opened, ranked: tuple[int, ...]) -> tuple[str, ...]:
    if opened.numbers:
        return tuple(request.index.group_names[number] for number in opened.numbers)
    return groups_of(request, ranked)


def _reasons(request: Request, reading: Reading, ranked: tuple[int, ...]) -> dict[int, Why]:
    """Say for each tool which leg brought it up; ``group`` if only its group did."""
    scores = reading.ranks[request.candidates]
    best = min(request.cap, len(scores))
    cut = np.partition(scores, -best)[-best]
    places = np.array(ranked, dtype=np.intp)
    legs = _legs(reading.whole.lexical, reading.whole.semantic, places)
    own = (reading.ranks[places] >= cut) & (reading.ranks[places] > 0)
    return {
        tool: leg if stands else Why.GROUP
        for tool, leg, stands in zip(ranked, legs, own.tolist(), strict=True)
    }


def _legs(lexical: FloatArray, semantic: FloatArray | None, places: IntArray) -> list[Why]:
    """Return for each place the leg on which it comes closer to the best one."""
    if semantic is None or not len(places):
        return [Why.LEXICAL] * len(places)
    words = lexical[places] / (lexical.max() or 1.0)
    meaning = semantic[places] / max(float(semantic.max()), 1e-6)
    return [Why.LEXICAL if nearer else Why.SEMANTIC for nearer in (words > meaning).tolist()]


def _scored(request: Request, evidence: Evidence) -> tuple[ScoredGroup, ...]:
    numbers = np.nonzero(request.groups)[0]
    scores = evidence.groups[numbers]
    nearest = best_first(numbers, scores, numbers, NEAREST_GROUPS)
    legs = _legs(evidence.group_lexical, evidence.group_semantic, np.array(nearest, dtype=np.intp))
    return tuple(
        ScoredGroup(
            group=request.index.group_names[number],
            score=round(evidence.groups.item(number), 4),
            reason=leg,
        )
        for number, leg in zip(nearest, legs, strict=True)
    )
