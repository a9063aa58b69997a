"""The proposal of a catalog whose groups have examples: its groups first, then their tools."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from routing.selection.arrays import BoolArray
from routing.selection.opening import Opened, open_up
from routing.selection.ranking import best_first
from routing.selection.reading import Reading
from routing.selection.strategies.contract import Proposal, Request
from routing.selection.strategies.evidential import next_best, reasons_of, scored_groups
from routing.selection.strategies.surety import surety_of_groups
from routing.selection.types import Strategy

UNGROUPED_SHARE = 0.8
"""A tool of no group is served beside a group if it scores this share of the best tool."""


def propose_groups(request: Request, reading: Reading, *, name: Strategy) -> Proposal:
    """Return the tools of the groups that the task opens, in turns, best first."""
    index = request.index
    loose = request.candidates.copy()
    loose[index.members_of(request.groups)] = False
    opened = open_up(
        index,
        reading.evidence,
        groups=request.groups,
        loose=loose,
        cap=request.cap,
        inclusive=request.inclusive,
    )
    ranked = _ranked(request, reading, opened, loose)
    if request.inclusive:
        ranked += next_best(request, reading.ranks, ranked)
    names = tuple(index.group_names[number] for number in opened.numbers)
    surety = surety_of_groups(request, opened.confidence)
    return Proposal(
        decided_by=name,
        ranked=tuple(ranked),
        reasons=reasons_of(request, reading, ranked),
        groups=names,
        confidence=surety.confidence,
        confidence_source=surety.source,
        values=surety.values,
        scores=reading.ranks,
        scored_groups=scored_groups(request, reading),
    )


def _ranked(request: Request, reading: Reading, opened: Opened, loose: BoolArray) -> list[int]:
    """Return the tools of what is open, and those in no group that score almost as high as any."""
    index, ranks = request.index, reading.ranks
    least = 0 if opened.loose else UNGROUPED_SHARE * float(ranks[request.candidates].max())
    pool = loose & (ranks > least)
    if not opened.numbers:
        pool = loose & (ranks > 0) if opened.loose else np.zeros_like(loose)
    pool[index.members([index.group_names[number] for number in opened.numbers])] = True
    places = np.nonzero(pool & request.candidates)[0]
    ranked = best_first(places, ranks[places], index.rank[places], len(places))
    return in_turn(request, [index.group_names[number] for number in opened.numbers], ranked)


def in_turn(request: Request, groups: Sequence[str], ranked: list[int]) -> list[int]:
    """Let the open groups name their best tools in turn, so that none crowds another out.

    A tool of several counts for the first of them; those of none take turns as one group more.
    """
    if len(groups) < 2:
        return ranked
    homes: dict[int, str] = {}
    for name in groups:
        for tool in request.index.groups[name].members.tolist():
            homes.setdefault(tool, name)
    turns: Counter[str] = Counter()
    turn_of: dict[int, int] = {}
    for tool in ranked:
        home = homes.get(tool, "")
        turn_of[tool] = turns[home]
        turns[home] += 1
    return sorted(ranked, key=turn_of.__getitem__)
