"""Quantiles of values that were only counted by bin."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bin:
    """``count`` values that are at least ``low`` and below ``high``."""

    low: float
    high: float
    count: int


def quantile(bins: Iterable[Bin], *, share: float) -> float | None:
    """Return the value that ``share`` (0 to 1) of the values lie below; ``None`` where none is.

    Values are taken to lie evenly in their bin, so the error is at most a bin's width. Bins may
    come in any order and more than once.
    """
    filled = sorted((one for one in bins if one.count), key=lambda one: one.low)
    if not filled:
        return None
    wanted = share * sum(one.count for one in filled)
    passed = 0
    for one in filled:
        if passed + one.count >= wanted:
            return one.low + (one.high - one.low) * (wanted - passed) / one.count
        passed += one.count
    return filled[-1].high
