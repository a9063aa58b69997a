"""Quantiles of values that were only counted by bin."""

from collections.abc import Iterable, Sequence
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
    return quantiles(bins, shares=(share,))[0]


def quantiles(bins: Iterable[Bin], *, shares: Sequence[float]) -> Sequence[float | None]:
    """Return the quantile of each share; shares rise."""
    filled = sorted((one for one in bins if one.count), key=_low)
    if not filled:
        return [None] * len(shares)
    count = sum(one.count for one in filled)
    found: list[float | None] = []
    passed, at = 0, 0
    for share in shares:
        wanted = share * count
        while passed + filled[at].count < wanted and at + 1 < len(filled):
            passed += filled[at].count
            at += 1
        one = filled[at]
        found.append(one.low + (one.high - one.low) * min(wanted - passed, one.count) / one.count)
    return found


def _low(one: Bin) -> float:
    return one.low
