"""Fit a logistic mapping: Newton's method on the penalised likelihood."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from routing.selection.arrays import FloatArray
from routing.selection.weights import Logistic

ROUNDS = 25


def fit_logistic(
    values: Sequence[Sequence[float]] | Sequence[FloatArray],
    wanted: Sequence[bool],
    counts: Sequence[float],
    *,
    names: Sequence[str],
    hold: float,
) -> Logistic:
    """Return the mapping from rows of values to the probability of what is wanted.

    ``counts`` are what each row counts. ``hold`` is the penalty on the squared weights of the
    values at unit spread: the larger, the smaller they are held.
    """
    rows = np.array(values, dtype=np.float64)
    target = np.array(wanted, dtype=np.float64)
    weights = np.array(counts) * len(counts) / np.sum(counts)
    centre, spread = rows.mean(axis=0), rows.std(axis=0)
    spread = np.where(spread > 1e-6, spread, 1)
    columns = np.column_stack([(rows - centre) / spread, np.ones(len(rows))])
    penalty = np.append(np.full(len(names), hold), 1e-6)
    found = np.zeros(columns.shape[1])
    for _ in range(ROUNDS):
        expected = 1 / (1 + np.exp(-columns @ found))
        slope = columns.T @ (weights * (expected - target)) + penalty * found
        curve = (columns * (weights * expected * (1 - expected))[:, None]).T @ columns
        found -= np.linalg.solve(curve + np.diag(penalty), slope)
    scaled = found[:-1] / spread
    return Logistic(
        names=tuple(names),
        weights=tuple(map(float, scaled)),
        constant=float(found[-1] - scaled @ centre),
    )
