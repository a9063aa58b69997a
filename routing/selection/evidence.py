"""What speaks for each tool: words in common, and nearness of meaning.

A task is read as a whole and, where it has several, clause by clause: one clause may need a tool
that the whole drowns ("issue the invoice and book the pickup"). Every leg scores all tools; their
rough sum picks the few candidates that are then looked at closely (``features``).

In the rough sum the lexical leg weighs in proportion to the share of the task's rarity that the
catalog's words explain at all, so that it stays quiet where task and catalog are written in
different languages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from routing.selection.arrays import BoolArray, FloatArray
from routing.selection.index import Index, Vectors
from routing.selection.lexical import Rarity
from routing.selection.naming import Said, said
from routing.selection.scanning import products
from routing.selection.stemming import stems
from routing.selection.task_vectors import task_vectors
from routing.selection.text import bounded, terms

LEXICAL_WEIGHT = 0.4
SEMANTIC_WEIGHT = 0.6
CLAUSE_WEIGHT = 0.4
"""The part that a tool's best clause has in the rough sum, beside the whole task."""
DESCRIPTION = 0.15
EXAMPLE = 0.45
BEST_TOOLS = 0.4
"""The parts of a group's score."""
HISTORY_WEIGHT = 0.2
"""What a term of the history counts beside one of the task."""
HISTORY_ITEMS = 20
"""How many items at the end of a history are read for their words."""


@dataclass(frozen=True, slots=True)
class Words:
    """A text as terms, each with its weight, and what the catalog knows of them."""

    counted: Mapping[str, float]
    rarity: Rarity
    said: Said


@dataclass(frozen=True, slots=True)
class Evidence:
    """The scores of a task (row 0) and its clauses (further rows) for all tools.

    ``lexical`` is BM25's and ``semantic`` are cosines, shape ``(1 + clauses, tools)``; ``second``
    are those of a second encoder. ``groups`` is the weighed mean of the cosines to a group's
    description, its nearest example and its best two tools: shape ``(1 + clauses, groups)`` where
    most groups have examples of their own, else of the whole task alone, ``(1, groups)``.
    ``examples`` are the whole task's cosines to the nearest example of every tool and of every
    group, -1 where there is none; ``None`` where nothing has an example. ``vague`` is the cosine to
    tasks that say nothing. All are ``None`` without an encoder. ``rough``, shape ``(tools,)``, is
    0..1 and -1 for a tool that is no candidate.
    """

    words: tuple[Words, ...]
    lexical: FloatArray
    semantic: FloatArray | None
    second: FloatArray | None
    groups: FloatArray | None
    examples: tuple[FloatArray, FloatArray] | None
    vague: float | None
    rough: FloatArray


def gather(
    index: Index,
    task: str,
    history: Sequence[str],
    clauses: Sequence[str],
    *,
    candidates: BoolArray,
    semantic: bool = True,
) -> Evidence:
    """Return the evidence for a task among the candidates; others have no part in any score.

    With ``semantic`` false, or without vectors, words alone are compared.
    """
    read = (
        read_words(index, task, history),
        *(read_words(index, clause, ()) for clause in clauses),
    )
    lexical = np.array([index.tool_lexicon.scores(words.counted) for words in read])
    everything = bool(candidates.all())
    if not everything:
        lexical[:, ~candidates] = 0
    near = None
    if semantic and index.vectors is not None:
        near = _nearness(
            index, index.vectors, task, history, clauses, lexical, candidates, everything
        )
    rows = [
        _summed(words, lexical[row], near.tools[row] if near else None, candidates, everything)
        for row, words in enumerate(read)
    ]
    rough = rows[0]
    if clauses:
        best = np.maximum.reduce(rows[1:])
        rough = rough * np.float32(1 - CLAUSE_WEIGHT) + best * np.float32(CLAUSE_WEIGHT)
    if not everything:
        rough[~candidates] = -1
    return Evidence(
        words=read,
        lexical=lexical,
        semantic=near.tools if near else None,
        second=near.second if near else None,
        groups=near.groups if near else None,
        examples=near.examples if near else None,
        vague=near.vague if near else None,
        rough=rough,
    )


def read_words(index: Index, task: str, history: Sequence[str]) -> Words:
    """Return the terms of a task with their weights; those of the history weigh less."""
    found = terms(bounded(task))
    now = counted(found, index.language)
    weights = now
    if history:
        before = terms(bounded("\n".join(history[-HISTORY_ITEMS:])))
        weights = dict.fromkeys(stems(before, index.language), HISTORY_WEIGHT)
        weights = now | {term: weight for term, weight in weights.items() if term not in now}
    return Words(
        counted=weights,
        rarity=index.tool_lexicon.rarity(weights),
        said=said(found, now.keys()),
    )


def counted(found: Sequence[str], language: str) -> dict[str, float]:
    """Return the stems of the terms of a text, each with how often it counts.

    Twice at most: a word that is repeated all through a long text is not its topic.
    """
    counts: dict[str, float] = {}
    for stem in stems(found, language):
        counts[stem] = 2.0 if stem in counts else 1.0
    return counts


@dataclass(frozen=True, slots=True)
class _Nearness:
    tools: FloatArray
    examples: tuple[FloatArray, FloatArray] | None
    second: FloatArray | None
    groups: FloatArray
    vague: float


def _nearness(
    index: Index,
    vectors: Vectors,
    task: str,
    history: Sequence[str],
    clauses: Sequence[str],
    lexical: FloatArray,
    candidates: BoolArray,
    everything: bool,
) -> _Nearness:
    """Return the cosines of tools, groups and examples."""
    raw = task_vectors(index, task, history, clauses)
    read = vectors.head.tasks(raw[:, : vectors.width])
    tools = vectors.tools.cosines(read, lexical, None if everything else candidates)
    shown = _examples_shown(vectors, read, candidates) if len(vectors.examples.tools) else None
    # Only groups that owners have shown examples of are opened for a clause of the task.
    told = read if vectors.groups_are_shown else read[:1]
    listed = tools[: len(told)]
    if not everything:
        listed = np.where(candidates, listed, np.float32(-1))
    groups = np.array(
        [
            _of_groups(index, described, listed[row], shown[1][row] if shown else None)
            for row, described in enumerate(products(told, vectors.groups))
        ]
    )
    second = None
    if vectors.second is not None:
        second = products(raw[:, vectors.width :], vectors.second)
    return _Nearness(
        tools=tools,
        examples=(shown[0], shown[1][0]) if shown else None,
        second=second,
        groups=groups,
        vague=float(vectors.vague @ read[0]),
    )


def _of_groups(
    index: Index, described: FloatArray, tools: FloatArray, examples: FloatArray | None
) -> FloatArray:
    """Return what speaks for each group: its description, its nearest example, its best two tools.

    Without examples the best tools have their part as well.
    """
    best = two_best(index, tools)
    example = best if examples is None else np.where(examples > -1, examples, best)
    summed = DESCRIPTION * described + EXAMPLE * example + BEST_TOOLS * best
    return np.asarray(summed, dtype=np.float32)


def two_best(index: Index, scores: FloatArray) -> FloatArray:
    """Return the mean of the two best scores among each group's members, shape ``(groups,)``.

    The score itself for a group of one, 0 for an empty one.
    """
    means = np.zeros(len(index.group_names), dtype=np.float32)
    filled = index.filled
    if not len(filled.groups):
        return means
    listed = scores[index.member_tools]
    best = np.maximum.reduceat(listed, filled.starts)
    found = (listed == best[filled.places]).nonzero()[0]
    if len(found) > len(best):  # of equal ones the first is the best, another the second
        _, firsts = np.unique(filled.places[found], return_index=True)
        found = found[firsts]
    listed[found] = -np.inf
    second = np.maximum.reduceat(listed, filled.starts)
    second = np.where(second == -np.inf, best, second)
    means[filled.groups] = (best + second) * np.float32(0.5)
    return means


def _examples_shown(
    vectors: Vectors, read: FloatArray, candidates: BoolArray
) -> tuple[FloatArray, list[FloatArray]]:
    """Return the cosine of the nearest example of every tool, and by text of every group.

    -1 where there is none; an example of a tool that is no candidate is none.
    """
    examples = vectors.examples
    cosines = read @ examples.vectors.T
    own = examples.tools >= 0
    seen = ~own | candidates[examples.tools]
    of_tools = np.full(len(candidates), -1, dtype=np.float32)
    np.maximum.at(of_tools, examples.tools[seen & own], cosines[0, seen & own])
    grouped = seen & (examples.groups >= 0)
    of_groups: list[FloatArray] = []
    for row in cosines:
        nearest = np.full(len(vectors.groups), -1, dtype=np.float32)
        np.maximum.at(nearest, examples.groups[grouped], row[grouped])
        of_groups.append(nearest)
    return of_tools, of_groups


def _summed(
    words: Words,
    lexical: FloatArray,
    semantic: FloatArray | None,
    candidates: BoolArray,
    everything: bool,
) -> FloatArray:
    """Return the weighed sum of both legs, each min-max scaled over the candidates."""
    if semantic is None:
        return _scaled(lexical, candidates, everything)
    weight = LEXICAL_WEIGHT * words.rarity.explained
    share = np.float32(weight / (weight + SEMANTIC_WEIGHT))
    return _scaled(lexical, candidates, everything) * share + _scaled(
        semantic, candidates, everything
    ) * (1 - share)


def _scaled(scores: FloatArray, mask: BoolArray, everything: bool) -> FloatArray:
    """Return the scores min-max scaled over the mask."""
    inside = scores if everything else scores[mask]
    if not len(inside):
        return np.zeros_like(scores)
    low, high = inside.min(), inside.max()
    if high <= low:
        return np.zeros_like(scores)
    return np.asarray((scores - low) * (np.float32(1) / (high - low)), dtype=np.float32)
