"""How sure a selection is: the probability that it holds every tool that the task needs.

A logistic mapping of a few values that describe the belief in what is kept, none of which depends
on a catalog's scale. It is fitted on public tasks of many catalogs (``fit_shipped``), so that 0.6
means the same in every catalog, until a catalog has a mapping fitted to its own traffic.
"""

from __future__ import annotations

from math import log

from routing.selection.cut import Kept
from routing.selection.features import CONTEXT
from routing.selection.reading import Beliefs
from routing.selection.weights import Weights

MOST_CERTAIN = 0.99
"""No estimate is surer than this: only what was decided without one is certain."""
VALUES = (
    "kept",  # logit of the belief in what is kept
    "best",  # logit of the belief in the best tool
    "margin",  # of the best over the second
    "entropy",  # of the belief in tools, 0..1
    "nothing",  # logit of the belief in nothing
    "count",  # log of how many are kept
    "cut",  # whether the cap ended the list
    "needed",  # log of how many needed tools are expected among the kept
    "missed",  # log of how many are expected among the others
    "first",  # logit of the best tool's being needed
    # How long the tasks of a set are says how hard that set is, and nothing of another one.
    *(name for name in CONTEXT if name != "length"),
)


def describe(beliefs: Beliefs, kept: Kept) -> dict[str, float]:
    """Return the values of a task's beliefs and of what is kept of them."""
    shares: list[float] = beliefs.shares.tolist()
    needed: list[float] = kept.needed.tolist()
    expected = sum([needed[number] for number in kept.numbers])
    whole = sum(shares) or 1.0
    parts = [share / whole for share in shares if share > 0]
    values = {
        "kept": logit(sum([shares[number] for number in kept.numbers])),
        "best": logit(shares[0]),
        "margin": shares[0] - (shares[1] if len(shares) > 1 else 0.0),
        "entropy": -sum([part * log(part) for part in parts]) / log(max(len(shares), 2)),
        "nothing": logit(beliefs.nothing),
        "count": log(len(kept.numbers)),
        "cut": float(kept.cut),
        "needed": log(expected + 1e-3),
        "missed": log(max(sum(needed) - expected, 0.0) + 1e-3),
        "first": logit(needed[0]),
    }
    return values | dict(zip(CONTEXT, beliefs.context.tolist(), strict=True))


def confidence_of(beliefs: Beliefs, kept: Kept, *, weights: Weights) -> float:
    """Return the probability, 0..1, that what is kept is all that the task needs."""
    if not kept.numbers:
        return 0.0
    found = weights.confidence.probability(describe(beliefs, kept))
    return round(min(found, MOST_CERTAIN), 4)


def logit(probability: float) -> float:
    """Return the logit of a probability, -8 to 8; a sum of shares may be a little over 1."""
    return max(min(log((probability + 1e-6) / (1 - min(probability, 1) + 1e-6)), 8.0), -8.0)
