"""How sure a measure is: percentile bootstrap over the cases.

Source: Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from routing.evaluation.measures import MEASURES, OF_ALL_CASES
from routing.evaluation.outcomes import Bools, Floats, Ints, Outcomes

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
        # Taken once: most measures are over these alone.
        expecting = sample.expecting
        for name in chosen:
            value = MEASURES[name](sample if name in OF_ALL_CASES else expecting)
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


def intervals_of_means(
    values: Mapping[str, tuple[Floats | Ints | Bools, Bools]],
    *,
    seed: int,
    resamples: int = RESAMPLES,
) -> dict[str, Interval | None]:
    """Return the same intervals of plain means: each over its own values where a mask is true.

    All are drawn from the same cases, shape ``(n,)``, whose counts in every resample are one matrix
    product away from the means.
    """
    random = np.random.default_rng(seed)
    tail = (1 - LEVEL) / 2
    found: dict[str, Interval | None] = {}
    count = len(next(iter(values.values()))[1]) if values else 0
    drawn = random.multinomial(count, np.full(count, 1 / count), size=resamples) if count else None
    for name, (of, mask) in values.items():
        found[name] = None
        if drawn is None or not mask.any():
            continue
        weights = drawn @ mask.astype(np.float64)
        there = weights > 0
        if 2 * there.sum() < resamples:
            continue
        means = (drawn @ (np.asarray(of, dtype=np.float64) * mask))[there] / weights[there]
        low, high = np.quantile(means, [tail, 1 - tail])
        found[name] = (float(low), float(high))
    return found
