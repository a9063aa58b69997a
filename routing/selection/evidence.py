"""What speaks for each tool and each group: words in common, and nearness of meaning.

**Tools** are ranked by the sum of both, each min-max scaled over what may be served. The lexical
leg weighs in proportion to the share of the task's rarity that the catalog's words explain at all,
so that it stays quiet where task and catalog are written in different languages.

**Groups** are scored by the cosines of their description, of their best example and of their two
best tools, plus a little for words in common. Nothing is scaled there, so that a score means the
same for every task and catalog, and a confidence can be made of it.
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
BONUS = 0.3
"""What words in common, as a share of all that the task's words could score, add to a cosine."""
DESCRIPTION = 0.15
EXAMPLE = 0.45
BEST_TOOLS = 0.4
"""The parts of a group's score; without examples the best tools have their part as well."""
HISTORY_WEIGHT = 0.2
"""What a history counts beside a task: its terms this much, its vector this much."""
HISTORY_ITEMS = 20
"""How many items at the end of a history are read for their words."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Scores of all tools, shape ``(tools,)``, and all groups, shape ``(groups,)``.

    ``lexical`` is BM25's, ``semantic`` are cosines, ``vague`` the cosine to tasks that say nothing
    (``None`` both without an encoder). ``ranks`` orders tools, 0..1. ``tools`` and ``groups`` are
    absolute: a cosine plus a bonus for words or, without an encoder, the share of words, 0..1.
    """

    lexical: FloatArray
    semantic: FloatArray | None
    vague: float | None
    ranks: FloatArray
    tools: FloatArray
    groups: FloatArray
    group_lexical: FloatArray
    group_semantic: FloatArray | None


def gather(
    index: Index,
    task: str,
    history: Sequence[str],
    *,
    candidates: BoolArray,
    semantic: bool = True,
) -> Evidence:
    """Return the evidence for a task among the candidates; others have no part in any score.

    With ``semantic`` false the encoder is not called.
    """
    counted = task_terms(task, history)
    lexical = np.where(candidates, index.tool_lexicon.scores(counted), np.float32(0))
    rarity = index.tool_lexicon.rarity(counted)
    words = (lexical / (rarity.most or 1.0)).astype(np.float32, copy=False)
    group_words = _two_best(index, words)
    if not semantic or index.vectors is None:
        return Evidence(
            lexical=lexical,
            semantic=None,
            vague=None,
            ranks=_scaled(lexical, candidates),
            tools=words,
            groups=group_words,
            group_lexical=group_words,
            group_semantic=None,
        )
    vector = task_vector(index, task, history)
    near = _nearness(index, index.vectors, vector, candidates)
    weight = LEXICAL_WEIGHT * rarity.explained
    share = np.float32(weight / (weight + SEMANTIC_WEIGHT))
    return Evidence(
        lexical=lexical,
        semantic=near.tools,
        vague=float(index.vectors.vague @ vector),
        ranks=_scaled(lexical, candidates) * share + _scaled(near.tools, candidates) * (1 - share),
        tools=near.tools + np.float32(BONUS) * words,
        groups=near.groups + np.float32(BONUS) * group_words,
        group_lexical=group_words,
        group_semantic=near.groups,
    )


def task_terms(task: str, history: Sequence[str]) -> dict[str, float]:
    """Return the terms of a task with their weights; those of the history weigh less.

    A term counts twice at most: a word that is repeated all through a long text is not its topic.
    """
    weights = {term: float(min(n, 2)) for term, n in Counter(terms(bounded(task))).items()}
    if history:
        before = bounded("\n".join(history[-HISTORY_ITEMS:]))
        for term in dict.fromkeys(terms(before)):
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


@dataclass(frozen=True, slots=True)
class _Nearness:
    tools: FloatArray
    groups: FloatArray


def _nearness(
    index: Index, vectors: Vectors, vector: FloatArray, candidates: BoolArray
) -> _Nearness:
    """Return the cosines of tools and groups; -1 for a tool that is no candidate.

    A tool with examples of its own is raised half-way to the best of them.
    """
    plain: FloatArray = np.where(candidates, vectors.tools @ vector, np.float32(-1))
    described: FloatArray = vectors.groups @ vector
    examples: FloatArray = vectors.examples.vectors @ vector
    whose = vectors.examples.tools
    shown = (whose < 0) | candidates[whose]
    tools = plain
    own = shown & (whose >= 0)
    if own.any():
        best = plain.copy()
        np.maximum.at(best, whose[own], examples[own])
        tools = (plain + best) * np.float32(0.5)
    best_example = np.full(len(described), -2, dtype=np.float32)
    grouped = shown & (vectors.examples.groups >= 0)
    np.maximum.at(best_example, vectors.examples.groups[grouped], examples[grouped])
    best_tools = _two_best(index, plain)
    best_example = np.where(best_example > -2, best_example, best_tools)
    groups = DESCRIPTION * described + EXAMPLE * best_example + BEST_TOOLS * best_tools
    return _Nearness(tools=tools, groups=groups.astype(np.float32))


def _two_best(index: Index, scores: FloatArray) -> FloatArray:
    """Return the mean of the two best scores among each group's members, shape ``(groups,)``.

    The score itself for a group of one, 0 for an empty one.
    """
    means = np.zeros(len(index.group_names), dtype=np.float32)
    filled = index.member_counts > 0
    counts = index.member_counts[filled]
    if not len(counts):
        return means
    starts = index.member_offsets[:-1][filled]
    listed = scores[index.member_tools]
    best = np.maximum.reduceat(listed, starts)
    is_best = listed == np.repeat(best, counts)
    rest = np.maximum.reduceat(np.where(is_best, np.float32(-np.inf), listed), starts)
    alone = np.add.reduceat(is_best, starts, dtype=np.intp) == 1
    second = np.where(alone & (counts > 1), rest, best)
    means[filled] = (best + second) * np.float32(0.5)
    return means


def _scaled(scores: FloatArray, mask: BoolArray) -> FloatArray:
    """Return the scores min-max scaled over the mask, and 0 outside it."""
    inside = scores[mask]
    if not len(inside) or inside.max() <= inside.min():
        return np.zeros_like(scores)
    low, high = inside.min(), inside.max()
    return np.where(mask, (scores - low) / (high - low), np.float32(0))
