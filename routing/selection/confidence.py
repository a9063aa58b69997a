"""How sure a selection is: the probability that it holds every tool that the task needs.

A logistic mapping of a few values that describe the belief in what is kept, none of which depends
on a catalog's scale. It is fitted on public tasks of many catalogs (``fit_shipped``), so that 0.6
means the same in every catalog, until a catalog has a mapping fitted to its own traffic.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log

import numpy as np

from routing.selection.features import CONTEXT
from routing.selection.reading import Beliefs
from routing.selection.weights import Weights

MOST_CERTAIN = 0.99
"""A mapping that was not fitted to the catalog is never surer than this."""
VALUES = (
    "kept",  # logit of the belief in what is kept
    "best",  # logit of the belief in the best tool
    "margin",  # of the best over the second
    "entropy",  # of the belief in tools, 0..1
    "nothing",  # logit of the belief in nothing
    "count",  # log of how many are kept
    "cut",  # whether the cap cut the evidence off
    *CONTEXT,
)


def describe(beliefs: Beliefs, chosen: Sequence[int]) -> dict[str, float]:
    """Return the values of beliefs of which the candidates with these numbers are kept."""
    shares = beliefs.shares
    inside = float(shares[list(chosen)].sum())
    best = float(shares[0])
    second = float(shares[1]) if len(shares) > 1 else 0.0
    parts = shares[shares > 0] / (float(shares.sum()) or 1.0)
    values = {
        "kept": _logit(inside),
        "best": _logit(best),
        "margin": best - second,
        "entropy": float(-(parts * np.log(parts)).sum()) / log(max(len(shares), 2)),
        "nothing": _logit(beliefs.nothing),
        "count": log(len(chosen)) if chosen else 0.0,
        "cut": max(1 - beliefs.nothing - inside, 0.0),
    }
    return values | dict(zip(CONTEXT, beliefs.context.tolist(), strict=True))


def confidence_of(beliefs: Beliefs, chosen: Sequence[int], *, weights: Weights) -> float:
    """Return the probability, 0..1, that the kept candidates are all that the task needs."""
    if not chosen:
        return 0.0
    found = weights.confidence.probability(describe(beliefs, chosen))
    return round(min(found, MOST_CERTAIN), 4)


def _logit(probability: float) -> float:
    return max(min(log((probability + 1e-6) / (1 - probability + 1e-6)), 8.0), -8.0)
