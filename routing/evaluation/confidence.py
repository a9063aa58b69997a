"""Whether a confidence means what it says."""

from __future__ import annotations

import numpy as np

from routing.evaluation.outcomes import Bools, Floats

BINS = 15


def calibration_error(confidence: Floats, right: Bools) -> float | None:
    """Return the expected calibration error over 15 bins of equal width; ``None`` without cases.

    Source: Guo, Pleiss, Sun and Weinberger, On calibration of modern neural networks, 2017. A
    perfectly calibrated predictor does not reach 0: with few cases the bins are noisy.
    """
    if not len(right):
        return None
    bins = np.minimum((confidence * BINS).astype(np.intp), BINS - 1)
    gaps = np.bincount(bins, weights=confidence - right, minlength=BINS)
    return float(np.abs(gaps).sum() / len(right))


def brier_skill(confidence: Floats, right: Bools) -> float | None:
    """Return how much of the Brier score of always saying the base rate a confidence saves.

    1 is perfect, 0 no better than the base rate; ``None`` where all cases are alike.
    """
    if not len(right) or right.all() or not right.any():
        return None
    rate = right.mean()
    return float(1 - np.mean((confidence - right) ** 2) / (rate * (1 - rate)))


def auroc(scores: Floats, positive: Bools) -> float | None:
    """Return the chance that a positive case scores higher than another, ties counting half.

    ``None`` where all cases are alike.
    """
    positives = int(positive.sum())
    negatives = len(positive) - positives
    if not positives or not negatives:
        return None
    _, places, counts = np.unique(scores, return_inverse=True, return_counts=True)
    middle = np.cumsum(counts) - (counts - 1) / 2  # the mean rank of equal scores
    ranks = middle[places.reshape(-1)]
    above = ranks[positive].sum() - positives * (positives + 1) / 2
    return float(above / (positives * negatives))
