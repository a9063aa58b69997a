"""What a task opens in a catalog whose groups have example tasks: groups, rather than tools.

Examples in the words of a catalog's own users say which group a task is about better than the texts
of tools do, and the owner of a group put its tools together for one kind of task. So groups share
one unit of belief with *nothing*: a softmax of their scores over a temperature. The score of
nothing is a constant, raised by the task's nearness to sentences that say nothing. As little is
opened as carries the catalog's threshold: the best group, or else the best two, and beside them
what one of the task's clauses is sure of. Tools in no group count together as one thing.

The numbers here were set by hand on tasks in three languages: no public set has examples as owners
write them. Catalogs without examples go by what was fitted (``cut``, ``confidence``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from routing.selection.arrays import BoolArray, FloatArray, IntArray
from routing.selection.evidence import Evidence, two_best
from routing.selection.index import Index

TEMPERATURE = 0.03
NOTHING = 0.15
VAGUENESS = 1.75
BONUS = 0.3
"""What words in common, as a share of all that the task's words could score, add to a cosine."""
SECOND = 0.9
"""What is left of a belief in two groups at once, since near to both may also mean neither."""
SURE = 0.9
"""The share of a clause's belief that opens a group."""
INCLUSIVE_SHARE = 0.1
"""The share that opens a group in an inclusive selection."""
MOST = 3


@dataclass(frozen=True, slots=True)
class Opened:
    """The groups opened, by number in catalog order; whether tools in no group are; the belief."""

    numbers: tuple[int, ...]
    loose: bool
    confidence: float


def open_up(
    index: Index,
    evidence: Evidence,
    *,
    groups: BoolArray,
    loose: BoolArray,
    cap: int,
    inclusive: bool,
) -> Opened:
    """Return what a task and its clauses single out among the groups and the tools in none."""
    numbers, tools = np.nonzero(groups)[0], np.nonzero(loose)[0]
    rows = [
        _beliefs(index, evidence, row, numbers, tools, cap) for row in range(len(evidence.words))
    ]
    share, clauses = rows[0], rows[1:]
    order = np.argsort(-share, kind="stable")
    threshold = index.settings.threshold
    chosen, confidence = _fewest(share, order, threshold)
    for place, stated in _stated(clauses):
        if confidence < threshold:
            chosen, confidence = [place], stated
        elif place not in chosen and len(chosen) < MOST:
            chosen.append(place)
            confidence = min(confidence, stated)
    if inclusive:
        wide = [place for place in order.tolist() if share[place] >= INCLUSIVE_SHARE]
        chosen += [place for place in wide if place not in chosen][: MOST - len(chosen)]
    return Opened(
        numbers=tuple(int(numbers[place]) for place in sorted(chosen) if place < len(numbers)),
        loose=len(numbers) in chosen,
        confidence=confidence,
    )


def _beliefs(
    index: Index, evidence: Evidence, row: int, groups: IntArray, loose: IntArray, cap: int
) -> FloatArray:
    """Return the share of each group and, if there are loose tools, last that of the best of them.

    What they lack to 1 is nothing's.
    """
    if evidence.groups is None or evidence.semantic is None or evidence.vague is None:
        raise ValueError("Groups are opened by their examples where there is an encoder.")
    words = evidence.lexical[row] / np.float32(evidence.words[row].rarity.most or 1.0)
    of_groups = evidence.groups[row] + np.float32(BONUS) * two_best(index, words)
    of_tools = evidence.semantic[row, loose] + np.float32(BONUS) * words[loose]
    scores = np.concatenate([of_groups[groups], of_tools])
    nothing = NOTHING + VAGUENESS * evidence.vague
    top = max(float(scores.max(initial=nothing)), nothing)
    raised = np.exp((scores - top) / TEMPERATURE)
    shares = raised / (raised.sum() + np.exp((nothing - top) / TEMPERATURE))
    if not len(loose):
        return np.asarray(shares, dtype=np.float32)
    best = np.sort(shares[len(groups) :])[-cap:]
    return np.append(shares[: len(groups)], best.sum()).astype(np.float32)


def _fewest(share: FloatArray, order: IntArray, threshold: float) -> tuple[list[int], float]:
    """Return the best place, or the best two if only they carry the threshold, and the belief."""
    best = float(share[order[0]])
    if best < threshold and len(order) > 1:
        both = SECOND * (best + float(share[order[1]]))
        if both >= threshold:
            return order[:2].tolist(), both
    return order[:1].tolist(), best


def _stated(beliefs: Sequence[FloatArray]) -> list[tuple[int, float]]:
    """Return the places that a clause is sure of and how sure it is, surest first."""
    if not beliefs:
        return []
    best = np.maximum.reduce(beliefs)
    sure = np.nonzero(best >= SURE)[0]
    order = sure[np.argsort(-best[sure], kind="stable")]
    return list(zip(order.tolist(), best[order].tolist(), strict=True))
