"""How sure a measure is: percentile bootstrap over the cases.

Source: Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from routing.evaluation.measures import MEASURES
from routing.evaluation.outcomes import Outcomes

RESAMPLES = 1_000
LEVEL = 0.95

Interval = tuple[float, float]


def intervals(
    outcomes: Outcomes,
    *,
    seed: int,
    names: Sequence[str] | None = None,
    resamples: int = RESAMPLES,
) -> dict[str, Interval | None]:
    """Return the 95 % interval of each measure, of all but the time unless ``names`` says which.

    ``None`` for a measure that fewer than half of the resamples have.
    """
    chosen = [name for name in MEASURES if name != "ms_per_selection"] if names is None else names
    random = np.random.default_rng(seed)
    drawn: dict[str, list[float]] = {name: [] for name in chosen}
    for _ in range(resamples if len(outcomes) else 0):
        sample = outcomes.take(random.integers(len(outcomes), size=len(outcomes)))
        for name in chosen:
            value = MEASURES[name](sample)
            if value is not None:
                drawn[name].append(value)
    tail = (1 - LEVEL) / 2
    found: dict[str, Interval | None] = {}
    for name, values in drawn.items():
        if 2 * len(values) < resamples:
            found[name] = None
            continue
        low, high = np.quantile(values, [tail, 1 - tail])
        found[name] = (float(low), float(high))
    return found
