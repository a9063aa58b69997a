"""What speaks for each tool and each group: words in common, and nearness of meaning.

The two legs are min-max scaled over what may be served and added. The lexical one weighs in
proportion to the share of the task's rarity that the catalog's words explain at all, so that it
stays quiet where task and catalog are written in different languages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from routing.selection.arrays import BoolArray, FloatArray
from routing.selection.encoders import memory_of, read_of_history, read_of_task
from routing.selection.index import Index, Vectors
from routing.selection.text import bounded, terms

LEXICAL_WEIGHT = 0.4
SEMANTIC_WEIGHT = 0.6
HISTORY_WEIGHT = 0.2
"""What a history counts beside a task: its terms this much, its vector this much."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Scores of all tools, shape ``(tools,)``, and all groups, shape ``(groups,)``.

    ``lexical`` is BM25's, ``semantic`` are cosines (``None`` without an encoder), ``tools`` and
    ``groups`` the sums of the scaled legs, 0..1. ``explained`` is the share, 0..1, of the task's
    rarity that occurs in the catalog; ``lexical_share`` the lexical leg's share of a sum.
    """

    lexical: FloatArray
    semantic: FloatArray | None
    tools: FloatArray
    group_lexical: FloatArray
    group_semantic: FloatArray | None
    groups: FloatArray
    explained: float
    lexical_share: float


def gather(
    index: Index,
    task: str,
    history: Sequence[str],
    *,
    candidates: BoolArray,
    groups: BoolArray,
    semantic: bool = True,
) -> Evidence:
    """Return the evidence for a task, scaled over the candidates and the groups of the masks.

    With ``semantic`` false the encoder is not called.
    """
    counted = task_terms(task, history)
    lexical = index.tool_lexicon.scores(counted)
    explained = index.tool_lexicon.explained(counted)
    group_lexical = index.group_lexicon.scores(counted)
    tool_cosines: FloatArray | None = None
    group_cosines: FloatArray | None = None
    share = 1.0
    if semantic and index.vectors is not None:
        vector = task_vector(index, task, history)
        examples: FloatArray = index.vectors.examples.vectors @ vector
        tool_cosines = _tool_cosines(index.vectors, vector, examples)
        group_cosines = _group_cosines(index, index.vectors, vector, examples, candidates)
        weight = LEXICAL_WEIGHT * explained
        share = weight / (weight + SEMANTIC_WEIGHT)
    return Evidence(
        lexical=lexical,
        semantic=tool_cosines,
        tools=_sum(lexical, tool_cosines, share, candidates),
        group_lexical=group_lexical,
        group_semantic=group_cosines,
        groups=_sum(group_lexical, group_cosines, share, groups),
        explained=explained,
        lexical_share=share,
    )


def task_terms(task: str, history: Sequence[str]) -> dict[str, float]:
    """Return the terms of a task with their weights; those of the history weigh less.

    A term counts twice at most: a word that is repeated all through a long text is not its topic.
    """
    weights = {term: float(min(n, 2)) for term, n in Counter(terms(bounded(task))).items()}
    if history:
        for term in dict.fromkeys(terms(bounded("\n".join(history[-20:])))):
            weights.setdefault(term, HISTORY_WEIGHT)
    return weights


def task_vector(index: Index, task: str, history: Sequence[str]) -> FloatArray:
    """Return the unit vector of a task, with a little of its history in it."""
    if index.encoder is None:
        raise ValueError("The index has no encoder.")
    memory = memory_of(index.encoder)
    before = read_of_history(history)
    if not before:
        alone: FloatArray = memory.vectors([read_of_task(task)])[0]
        return alone
    now, then = memory.vectors([read_of_task(task), before])
    mixed = (1 - HISTORY_WEIGHT) * now + HISTORY_WEIGHT * then
    return np.asarray(mixed / (np.linalg.norm(mixed) or 1.0), dtype=np.float32)


def _tool_cosines(vectors: Vectors, vector: FloatArray, examples: FloatArray) -> FloatArray:
    """Return the cosine of each tool, raised half-way to that of its best example."""
    cosines: FloatArray = vectors.tools @ vector
    own = vectors.examples.tools >= 0
    if own.any():
        best = cosines.copy()
        np.maximum.at(best, vectors.examples.tools[own], examples[own])
        cosines = (cosines + best) * np.float32(0.5)
    return cosines


def _group_cosines(
    index: Index, vectors: Vectors, vector: FloatArray, examples: FloatArray, candidates: BoolArray
) -> FloatArray:
    """Return each group's mean of three cosines: description, best example, best tool.

    A group without examples has the mean of the other two.
    """
    described: FloatArray = vectors.groups @ vector
    if not len(described):
        return described
    best_tool = _best_member(index, np.where(candidates, vectors.tools @ vector, np.float32(-1)))
    best_example = np.full(len(described), -2, dtype=np.float32)
    grouped = vectors.examples.groups >= 0
    np.maximum.at(best_example, vectors.examples.groups[grouped], examples[grouped])
    plain = (described + best_tool) / 2
    shown = (described + best_tool + best_example) / 3
    return np.where(best_example > -2, shown, plain).astype(np.float32)


def _best_member(index: Index, scores: FloatArray) -> FloatArray:
    """Return the best score among each group's members; -1 for a group without any."""
    best = np.full(len(index.group_names), -1, dtype=np.float32)
    sizes = np.diff(index.member_offsets)
    filled = sizes > 0
    if filled.any():
        best[filled] = np.maximum.reduceat(
            scores[index.member_tools], index.member_offsets[:-1][filled]
        )
    return best


def _sum(
    lexical: FloatArray, semantic: FloatArray | None, share: float, mask: BoolArray
) -> FloatArray:
    """Return the weighted sum of both legs, each min-max scaled over the mask; 0 outside it."""
    scaled = _scaled(lexical, mask) * np.float32(share)
    if semantic is not None:
        scaled += _scaled(semantic, mask) * np.float32(1 - share)
    return scaled


def _scaled(scores: FloatArray, mask: BoolArray) -> FloatArray:
    inside = scores[mask]
    if not len(inside):
        return np.zeros_like(scores)
    low, high = inside.min(), inside.max()
    if high <= low:
        return np.zeros_like(scores)
    scaled = np.clip((scores - low) / (high - low), 0, 1)
    scaled[~mask] = 0
    return np.asarray(scaled, dtype=np.float32)
