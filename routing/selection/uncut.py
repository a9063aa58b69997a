"""A strategy's whole ranking, before groups, threshold, cut and cap: what evaluations look at.

How well a strategy orders tools and how well it decides how many to serve are two questions. The
selection answers both at once; the ranking lets the first be asked alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from routing.selection.index import Index
from routing.selection.pipeline import Decision, decide
from routing.selection.ranking import best_first
from routing.selection.strategies.contract import Proposal, Request
from routing.selection.types import Circumstances, Query, Selection


@dataclass(frozen=True, slots=True)
class Uncut:
    """A selection with the ranking that it was cut from, of one and the same scoring.

    ``ranking`` are positions, best first. ``proposed`` are those of its tools that would be served
    if no confidence were too low. ``first_group`` is the group that scored best or, for a strategy
    that scores none, the one that the first tool belongs to.
    """

    selection: Selection
    ranking: tuple[int, ...]
    proposed: tuple[int, ...]
    first_group: str | None


def rank_tools(query: Query, index: Index, circumstances: Circumstances) -> tuple[int, ...]:
    """Return the candidates in a strategy's own order, best first; raises what ``select`` raises.

    Every candidate where the strategy has scores, else only those that it proposes.
    """
    return uncut(decide(query, index, circumstances)).ranking


def uncut(decision: Decision) -> Uncut:
    """Return a decision's selection beside the ranking that it was cut from."""
    proposal, request = decision.proposal, decision.request
    ranking = _ranking(proposal, request) if proposal is not None else ()
    return Uncut(
        selection=decision.selection,
        ranking=ranking,
        proposed=decision.proposed,
        first_group=_first_group(proposal, ranking, request.index),
    )


def _ranking(proposal: Proposal, request: Request) -> tuple[int, ...]:
    if proposal.scores is None:
        return proposal.ranked
    pool = request.candidates.copy()
    pool[list(proposal.removed)] = False
    places = np.nonzero(pool)[0]
    rank = request.index.rank[places]
    return tuple(best_first(places, proposal.scores[places], rank, len(places)))


def _first_group(proposal: Proposal | None, ranking: tuple[int, ...], index: Index) -> str | None:
    if proposal is not None and proposal.scored_groups:
        return proposal.scored_groups[0].group
    home = int(index.home[ranking[0]]) if ranking else -1
    return index.group_names[home] if home >= 0 else None
