"""Two evaluations of the same cases: whether the difference is one, or the luck of the cases.

Each case is its own control, so that only what differs within the pairs counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb, erfc, sqrt
from typing import Literal

import numpy as np

from routing.evaluation.intervals import LEVEL, RESAMPLES, Interval
from routing.evaluation.outcomes import Bools, Floats, Ints

FEW_DISCORDANT = 25
"""Below this many discordant pairs the chi-square distribution is too coarse."""

AT_ONCE = 100
"""Resamples drawn at once: of 10,000 pairs a hundred are 8 MB."""

Test = Literal["exact", "chi_square"]
Values = tuple[Floats | Ints | Bools, Floats | Ints | Bools, Bools]


@dataclass(frozen=True, slots=True, kw_only=True)
class McNemar:
    """Whether as many pairs changed one way as the other.

    ``lost`` pairs were true before only, ``won`` after only. ``p_value`` is two-sided; ``test``
    says which distribution it is of.
    """

    lost: int
    won: int
    p_value: float
    test: Test


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The mean after less the mean before, over ``cases`` pairs, with its 95 % interval.

    ``interval`` is ``None`` where fewer than half of the resamples hold any of the pairs.
    """

    before: float
    after: float
    cases: int
    interval: Interval | None

    @property
    def value(self) -> float:
        """The difference."""
        return self.after - self.before

    @property
    def is_sure(self) -> bool:
        """Whether the interval leaves out no difference at all."""
        return self.interval is not None and not self.interval[0] <= 0 <= self.interval[1]


def mcnemar(before: Bools, after: Bools) -> McNemar:
    """Return McNemar's test of pairs, both of shape ``(n,)``.

    Under ``FEW_DISCORDANT`` discordant pairs it is exact: of ``n`` of them the smaller count is
    binomial with probability one half, ``p = min(1, 2 P(X <= min(lost, won)))``. From there on
    ``(|lost - won| - 1)² / (lost + won)`` is held against chi-square with one degree of freedom,
    whose upper tail at x is ``erfc(sqrt(x / 2))``; Edwards' correction for continuity is the 1.

    Sources: McNemar, Note on the sampling error of the difference between correlated proportions or
    percentages, 1947; Edwards, Note on the "correction for continuity" in testing the significance
    of the difference between correlated proportions, 1948; for the exact test Fagerland, Lydersen
    and Laake, The McNemar test for binary matched-pairs data, 2013.
    """
    lost, won = int((before & ~after).sum()), int((after & ~before).sum())
    discordant = lost + won
    if discordant < FEW_DISCORDANT:
        tail = sum(comb(discordant, count) for count in range(min(lost, won) + 1))
        p_value = min(1.0, 2 * tail / 2**discordant)
        return McNemar(lost=lost, won=won, p_value=p_value, test="exact")
    square = max(abs(lost - won) - 1, 0) ** 2 / discordant
    return McNemar(lost=lost, won=won, p_value=erfc(sqrt(square / 2)), test="chi_square")


def paired_differences(
    values: Mapping[str, Values], *, seed: int, resamples: int = RESAMPLES
) -> dict[str, Difference | None]:
    """Return the difference of each mean with its percentile bootstrap interval over the pairs.

    A value is what a measure is the mean of, before and after, and a mask of the pairs that count,
    all of shape ``(n,)``. Pairs are drawn whole, all measures from the same draws: how often each
    is drawn is multinomial, so that all resampled means are a matrix product away. ``None`` for a
    measure of no pair. Source: Efron and Tibshirani, An Introduction to the Bootstrap, 1993,
    chapters 8.3 and 13.
    """
    told = {name: of for name, of in values.items() if of[2].any()}
    intervals = dict(zip(told, _intervals(list(told.values()), seed, resamples), strict=True))
    return {
        name: Difference(
            before=float(np.asarray(before, np.float64)[mask].mean()),
            after=float(np.asarray(after, np.float64)[mask].mean()),
            cases=int(mask.sum()),
            interval=intervals[name],
        )
        if name in told
        else None
        for name, (before, after, mask) in values.items()
    }


def _intervals(values: Sequence[Values], seed: int, resamples: int) -> list[Interval | None]:
    if not values:
        return []
    masks = np.stack([mask for _, _, mask in values], axis=1).astype(np.float64)
    ones = np.stack([np.asarray(before, np.float64) for before, _, _ in values], axis=1)
    differences = np.stack([np.asarray(after, np.float64) for _, after, _ in values], axis=1) - ones
    count = len(masks)
    random = np.random.default_rng(seed)
    weights, sums = [], []
    for start in range(0, resamples, AT_ONCE):
        size = min(AT_ONCE, resamples - start)
        drawn = random.multinomial(count, np.full(count, 1 / count), size=size).astype(np.float64)
        weights.append(drawn @ masks)
        sums.append(drawn @ (differences * masks))
    return [
        _interval(*columns)
        for columns in zip(np.concatenate(weights).T, np.concatenate(sums).T, strict=True)
    ]


def _interval(weights: Floats, sums: Floats) -> Interval | None:
    there = weights > 0
    if 2 * there.sum() < len(weights):
        return None
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(sums[there] / weights[there], [tail, 1 - tail])
    return float(low), float(high)
