"""Multinomial logistic regression with a ridge, in numpy.

Minimises the mean cross-entropy of a softmax plus ``ridge / 2`` times the squared weights by
Nesterov's accelerated gradient with adaptive restart (O'Donoghue and Candes, 2015). The step is one
over a bound on the curvature, half the largest eigenvalue of the second moments (Boehning, 1992),
so that nothing is tuned and nothing is random.
"""

from __future__ import annotations

import numpy as np

from routing.selection.arrays import FloatArray

ROUNDS = 60
_POWER_ROUNDS = 12


def fit_softmax(
    vectors: FloatArray, shares: FloatArray, *, ridge: float, rounds: int = ROUNDS
) -> FloatArray:
    """Return weights of shape ``(classes, d)``.

    ``vectors`` has shape ``(n, d)``; ``shares``, shape ``(n, classes)``, is the part of each class
    in each row, 1 in sum.
    """
    count, size = vectors.shape
    weights = np.zeros((shares.shape[1], size), dtype=np.float32)
    ahead = weights.copy()
    step = np.float32(1 / (0.5 * _largest(vectors) + ridge))
    momentum = 1.0
    for _ in range(rounds):
        logits = vectors @ ahead.T
        logits -= logits.max(axis=1, keepdims=True)
        np.exp(logits, out=logits)
        logits /= logits.sum(axis=1, keepdims=True)
        logits -= shares
        gradient = logits.T @ vectors / np.float32(count) + np.float32(ridge) * ahead
        following: FloatArray = (ahead - step * gradient).astype(np.float32)
        moved = following - weights
        if float((gradient * moved).sum()) > 0:
            momentum = 1.0
        after = (1 + (1 + 4 * momentum * momentum) ** 0.5) / 2
        ahead = (following + np.float32((momentum - 1) / after) * moved).astype(np.float32)
        weights, momentum = following, after
    return weights


def _largest(vectors: FloatArray) -> float:
    """Return the largest eigenvalue of the second moments, by power iteration."""
    direction = np.full(vectors.shape[1], vectors.shape[1] ** -0.5, dtype=np.float32)
    length = 0.0
    for _ in range(_POWER_ROUNDS):
        direction = (vectors.T @ (vectors @ direction)).astype(np.float32)
        direction /= np.float32(len(vectors))
        length = float(np.linalg.norm(direction))
        if not length:
            return 1.0
        direction /= np.float32(length)
    return 1.05 * length  # the iteration comes from below
