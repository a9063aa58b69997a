"""Best first, in one order whatever the machine: equal scores stand in catalog order."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from routing.selection.arrays import FloatArray, IntArray

_STEP = 1e-10  # far below what a score of 0..1 means, far above what float64 can tell apart


def best_of_all(
    scores: FloatArray | npt.NDArray[np.float64], rank: IntArray, count: int
) -> list[int]:
    """Return the ``count`` positions with the highest scores, best first.

    ``scores`` and ``rank`` are of all tools; one whose score is minus infinity is left out.
    """
    distance = rank * _STEP - scores
    near = np.arange(len(scores))
    if len(scores) > count:
        near = np.argpartition(distance, count - 1)[:count]
    beyond = distance[near]
    order = beyond.argsort()
    finite = len(order) - int(np.count_nonzero(beyond == np.inf))
    ordered: list[int] = near[order[:finite]].tolist()
    return ordered


def best_first(
    places: IntArray, scores: FloatArray | npt.NDArray[np.float64], rank: IntArray, count: int
) -> list[int]:
    """Return the ``count`` places with the highest scores, best first.

    ``scores`` and ``rank`` belong to ``places``, same shape; scores are of the order of one.
    """
    distance = rank * _STEP - scores
    if len(places) > count:
        near = np.argpartition(distance, count - 1)[:count] if count else np.zeros(0, np.intp)
        places, distance = places[near], distance[near]
    ordered: list[int] = places[np.argsort(distance)].tolist()
    return ordered
