"""Fit the confidence: a logistic regression of "all that the task needs is kept".

Newton's method on the penalised likelihood; the weights are held small, since a family that was
left out is described by values that the others never showed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from routing.selection.confidence import VALUES
from routing.selection.weights import Logistic

HOLD = 30.0
ROUNDS = 25


def fit_confidence(
    described: Sequence[Mapping[str, float]],
    complete: Sequence[bool],
    weights: Sequence[float],
    *,
    names: Sequence[str] = VALUES,
) -> Logistic:
    """Return the mapping from described selections to the probability that they are complete.

    ``weights`` are what each selection counts.
    """
    rows = np.array([[values[name] for name in names] for values in described])
    wanted = np.array(complete, dtype=np.float64)
    counts = np.array(weights) * len(weights) / np.sum(weights)
    centre, spread = rows.mean(axis=0), rows.std(axis=0)
    spread = np.where(spread > 1e-6, spread, 1)
    columns = np.column_stack([(rows - centre) / spread, np.ones(len(rows))])
    hold = np.append(np.full(len(names), HOLD), 0)
    found = np.zeros(columns.shape[1])
    for _ in range(ROUNDS):
        expected = 1 / (1 + np.exp(-columns @ found))
        gradient = columns.T @ (counts * (expected - wanted)) + hold * found
        curve = (columns * (counts * expected * (1 - expected))[:, None]).T @ columns
        found -= np.linalg.solve(curve + np.diag(hold + 1e-9), gradient)
    scaled = found[:-1] / spread
    return Logistic(
        names=tuple(names),
        weights=tuple(map(float, scaled)),
        constant=float(found[-1] - scaled @ centre),
    )
