"""Best first, in one order whatever the machine: equal scores stand in catalog order."""

from __future__ import annotations

from math import inf

import numpy as np
import numpy.typing as npt

from routing.selection.arrays import FloatArray, IntArray

_STEP = 1e-10  # far below what a score of 0..1 means, far above what float64 can tell apart
_COLUMNS = 8
"""Into how many times as many columns as are wanted scores are folded to find a bound."""

Scores = FloatArray | npt.NDArray[np.float64]


def best_of_all(scores: Scores, rank: IntArray, count: int) -> list[int]:
    """Return the ``count`` positions with the highest scores, best first.

    ``scores`` and ``rank`` are of all tools; one whose score is minus infinity is left out.
    """
    least = least_of_best(scores, count)
    if least == -inf:
        return _best(None, rank * _STEP - scores, count)
    near = (scores >= least - len(scores) * _STEP).nonzero()[0]
    return _best(near, rank[near] * _STEP - scores[near], count)


def best_first(places: IntArray, scores: Scores, rank: IntArray, count: int) -> list[int]:
    """Return the ``count`` places with the highest scores, best first.

    ``scores`` and ``rank`` belong to ``places``, same shape; scores are of the order of one.
    """
    return _best(places, rank * _STEP - scores, count)


def least_of_best(scores: Scores, count: int) -> float:
    """Return a score that at least ``count`` reach, if there are so many, and few others.

    The scores are folded into columns, and each column's best is taken: the ``count`` best of
    these are scores of as many tools. One pass over all that keeps no order, a few times faster
    than partitioning them. Minus infinity where there are too few scores for that to pay.
    """
    columns = _COLUMNS * count
    if not columns or len(scores) < 2 * columns:
        return -inf
    return float(_least_of_columns(scores[None], count, columns)[0])


def least_of_each(rows: FloatArray, count: int) -> Scores:
    """Return the same of each row, shape ``(m,)``; there are four scores in it for one to find."""
    return _least_of_columns(rows, count, min(_COLUMNS * count, rows.shape[1] // 2))


def _least_of_columns(rows: Scores, count: int, columns: int) -> Scores:
    """Return the least of the best ``count`` of each row's scores, folded into columns."""
    depth = rows.shape[1] // columns
    folded = rows[:, : depth * columns].reshape(len(rows), depth, columns)
    best = np.maximum.reduce(folded, axis=1)
    best.partition(columns - count, axis=1)
    least: Scores = best[:, columns - count]
    return least


def _best(places: IntArray | None, distance: npt.NDArray[np.float64], count: int) -> list[int]:
    """Return the ``count`` places with the least distance, nearest first, none that is infinite.

    ``places`` are the positions in ``distance`` themselves where ``None``.
    """
    if len(distance) > _COLUMNS * count:
        near = distance.argpartition(count - 1)[:count] if count else np.zeros(0, np.intp)
        places, distance = near if places is None else places[near], distance[near]
    order = distance.argsort()[:count]
    finite = len(order) - int(np.count_nonzero(distance[order] == np.inf))
    order = order[:finite]
    ordered: list[int] = (order if places is None else places[order]).tolist()
    return ordered
