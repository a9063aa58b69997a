"""Which groups a task opens.

As few as carry the catalog's threshold: the best one, or else the best two, for a task between two
topics shares its belief among them, and one that says little shares it among many or gives it to
none. Beside them every group that one of the task's clauses is sure of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from routing.selection.arrays import BoolArray, FloatArray, IntArray
from routing.selection.confidence import shares
from routing.selection.evidence import Evidence

SECOND = 0.9
"""What is left of a belief in two groups at once, since near to both may also mean neither."""
SURE = 0.9
"""The share of a clause's belief that opens a group."""
INCLUSIVE_SHARE = 0.1
"""The share that opens a group in an inclusive selection."""
MOST = 3


@dataclass(frozen=True, slots=True)
class Opened:
    """The groups opened, by number in catalog order, and the belief in them, 0..1."""

    numbers: tuple[int, ...]
    confidence: float


def open_groups(
    whole: Evidence,
    clauses: Sequence[Evidence],
    mask: BoolArray,
    *,
    threshold: float,
    inclusive: bool,
) -> Opened:
    """Return the groups of the mask that a task and its clauses single out, if any."""
    numbers = np.flatnonzero(mask)
    if not len(numbers) or whole.groups[numbers].max() <= 0:
        return Opened((), 0.0)
    share = shares(whole, whole.groups[numbers])
    order = np.argsort(-share, kind="stable")
    chosen, confidence = _fewest(share, order, threshold)
    for place, stated in _stated(clauses, numbers):
        if confidence < threshold:
            chosen, confidence = [place], stated
        elif place not in chosen and len(chosen) < MOST:
            chosen.append(place)
            confidence = min(confidence, stated)
    if inclusive:
        wide = [place for place in order.tolist() if share[place] >= INCLUSIVE_SHARE]
        chosen += [place for place in wide if place not in chosen][: MOST - len(chosen)]
    return Opened(tuple(sorted(numbers[chosen].tolist())), confidence)


def _fewest(share: FloatArray, order: IntArray, threshold: float) -> tuple[list[int], float]:
    """Return the best place, or the best two if only they carry the threshold, and the belief."""
    best = float(share[order[0]])
    if best < threshold and len(order) > 1:
        both = SECOND * (best + float(share[order[1]]))
        if both >= threshold:
            return order[:2].tolist(), both
    return order[:1].tolist(), best


def _stated(clauses: Sequence[Evidence], numbers: IntArray) -> list[tuple[int, float]]:
    """Return the places of the groups that a clause is sure of and how sure it is, surest first."""
    if not clauses:
        return []
    best = np.maximum.reduce([shares(clause, clause.groups[numbers]) for clause in clauses])
    sure = np.nonzero(best >= SURE)[0]
    order = sure[np.argsort(-best[sure], kind="stable")]
    return list(zip(order.tolist(), best[order].tolist(), strict=True))
