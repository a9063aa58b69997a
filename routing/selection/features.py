"""A close look at the few candidates of a task: the features that a fitted combination weighs.

Features of a tool are relative to the best tool of the same task wherever a scale differs from
catalog to catalog; those of the task as a whole (``CONTEXT``) say how much evidence there is.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np

from routing.selection.arrays import BoolArray, FloatArray, IntArray
from routing.selection.evidence import Evidence
from routing.selection.index import Index
from routing.selection.ranking import best_of_all

CANDIDATES = 40
"""How many tools of a catalog are looked at closely."""
SHARED = 0.8
"""What an example of a whole group counts beside one of a single tool, for being looked at."""

FEATURES = (
    "rough",  # the rough sum
    "lexical",  # BM25, as a share of the best tool's
    "explains",  # BM25, as a share of what a text full of the task's terms would score
    "lexical_rank",  # 1 / place
    "lexical_clause",  # BM25 of the clause in which the tool comes nearest to the best
    "semantic",  # cosine
    "semantic_gap",  # cosine less the best tool's
    "semantic_rank",
    "semantic_clause",  # the least gap in any clause
    "second",  # the same of a second encoder
    "second_gap",
    "second_clause",
    "name_words",  # the share of the name's rarity that the task says
    "name_letters",  # the share of the name's runs of three letters
    "group",  # the score of the tool's nearest group
    "group_gap",  # that less the best group's
    "shown_group",  # the same two where groups have examples, which say far more than their names
    "shown_group_gap",
    "example",  # cosine of the nearest example, of the tool or of its group
    "example_gap",  # that less the nearest example's of all
)
CONTEXT = (
    "explained",  # the share of the task's rarity that occurs in the catalog
    "size",  # log of the number of tools
    "length",  # words of the task
    "clauses",
    "grouped",
    "semantic_best",
    "semantic_lead",  # of the best over the eighth
    "lexical_best",
    "name_best",
    "vague",
    "second_best",
    "example_best",
    "agreement",  # whether words and meaning have the same best tool
)
SIZE = CONTEXT.index("size")

_RECIPROCALS = 1 / np.arange(1, CANDIDATES + 1, dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Close:
    """The candidates of a task, best first by the rough sum.

    ``places`` are positions, shape ``(k,)``; ``features`` has shape ``(k, len(FEATURES))``,
    ``context`` ``(len(CONTEXT),)``; ``homes``, shape ``(k,)``, is the number of the group that each
    tool counts for, the nearest of its groups, or -1.
    """

    places: IntArray
    features: FloatArray
    context: FloatArray
    homes: IntArray


def look_closely(
    index: Index, evidence: Evidence, *, candidates: BoolArray, groups: BoolArray
) -> Close:
    """Return the features of the candidates that the rough sum ranks highest."""
    places = _nearest(index, evidence, candidates)
    size = len(places)
    features = np.zeros((size, len(FEATURES)), dtype=np.float32)
    context = np.zeros(len(CONTEXT), dtype=np.float32)
    rarity = evidence.words[0].rarity
    most = np.float32(rarity.most or 1.0)
    lexical = evidence.lexical[0, places]
    features[:, 0] = evidence.rough[places]
    features[:, 1] = lexical / (lexical.max(initial=0) or np.float32(1))
    features[:, 2] = lexical / most
    by_words = _order(lexical)
    features[by_words, 3] = _RECIPROCALS[:size]
    clauses = len(evidence.lexical) - 1
    features[:, 4] = _clause_share(evidence.lexical, places) if clauses else features[:, 1]
    context[:5] = (
        rarity.explained,
        log(max(len(index.tools), 1)) / 8,
        min(len(evidence.words[0].said.stems), 40) / 40,
        clauses / 6,
        float(bool(groups.any())),
    )
    context[7] = features[:, 2].max(initial=0)
    if evidence.semantic is not None:
        _write_meaning(features, context, evidence.semantic[:, places], by_words)
        context[9] = evidence.vague or 0.0
    if evidence.second is not None:
        cosines = evidence.second[0, places]
        features[:, 9] = cosines
        features[:, 10] = cosines - cosines.max(initial=-1)
        features[:, 11] = _least_gap(evidence.second[:, places])
        context[10] = cosines.max(initial=-1)
    said = evidence.words[0].said
    features[:, 12:14] = index.names.said_in(said, places).T
    context[8] = features[:, 12].max(initial=0)
    homes = _homes(index, places, evidence, groups)
    grouped = homes >= 0
    of_tools, of_groups = evidence.examples or (None, None)
    if evidence.groups is not None and groups.any():
        first = 14 if of_groups is None or of_groups[groups].max() <= -1 else 16
        features[grouped, first] = evidence.groups[0, homes[grouped]]
        features[grouped, first + 1] = features[grouped, first] - evidence.groups[0, groups].max()
    if of_tools is not None and of_groups is not None:
        nearest = of_tools[places]
        nearest[grouped] = np.maximum(nearest[grouped], of_groups[homes[grouped]])
        best = nearest.max(initial=-1)
        features[:, 18] = np.where(nearest > -1, nearest, 0)
        features[:, 19] = np.where(nearest > -1, nearest - best, -0.5)
        context[11] = max(float(best), 0.0)
    return Close(places=places, features=features, context=context, homes=homes)


def _nearest(index: Index, evidence: Evidence, candidates: BoolArray) -> IntArray:
    """Return the candidates with the best rough sum, or with an example that is as near."""
    reach = evidence.rough
    if evidence.examples is not None and len(index.tools) > CANDIDATES:
        of_tools, of_groups = evidence.examples
        shared = np.append(of_groups, np.float32(-1))[index.tool_groups].max(axis=1)
        reach = np.maximum.reduce([reach, of_tools, shared * np.float32(SHARED)])
    reach = np.where(candidates, reach, np.float32(-np.inf))
    return np.array(best_of_all(reach, index.rank, CANDIDATES), dtype=np.intp)


def _write_meaning(
    features: FloatArray, context: FloatArray, cosines: FloatArray, by_words: IntArray
) -> None:
    """Write what the cosines of the candidates tell, shape ``(1 + clauses, k)``."""
    whole = cosines[0]
    order = _order(whole)
    features[:, 5] = whole
    features[order, 7] = _RECIPROCALS[: len(order)]
    features[:, 8] = _least_gap(cosines)
    context[5] = -1
    if len(order):
        best, eighth = whole[order[[0, min(len(order), 8) - 1]]]
        features[:, 6] = whole - best
        context[5] = best
        context[6] = best - eighth
        context[12] = order[0] == by_words[0]


def _order(scores: FloatArray) -> IntArray:
    """Return the numbers of the scores, the best first; equal scores in the order given."""
    return (-scores).argsort(kind="stable")


def _clause_share(lexical: FloatArray, places: IntArray) -> FloatArray:
    clauses = lexical[1:, places]
    best = clauses.max(axis=1, keepdims=True, initial=0)
    shares: FloatArray = (clauses / np.where(best > 0, best, np.float32(1))).max(axis=0)
    return shares


def _least_gap(cosines: FloatArray) -> FloatArray:
    """Return how near to the best tool each tool comes in any clause, or else in the whole task."""
    rows = cosines[1:] if len(cosines) > 1 else cosines
    gaps: FloatArray = (rows - rows.max(axis=1, keepdims=True, initial=-1)).max(axis=0)
    return gaps


def _homes(index: Index, places: IntArray, evidence: Evidence, groups: BoolArray) -> IntArray:
    """Return the group that each tool counts for: the nearest of its groups that may be opened."""
    if not groups.any():
        return np.full(len(places), -1, dtype=np.intp)
    near = evidence.groups[0] if evidence.groups is not None else np.zeros(len(groups), np.float32)
    listed = index.tool_groups[places]
    open_to = np.full(len(groups) + 1, -2, dtype=np.float32)  # the last: of no group
    np.copyto(open_to[:-1], near, where=groups)
    shown = open_to[listed]
    nearest = shown.argmax(axis=1)
    rows = np.arange(len(places))
    return np.where(shown[rows, nearest] > -2, listed[rows, nearest], -1)
