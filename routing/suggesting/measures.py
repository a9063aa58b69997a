"""How well groups agree with those that people made."""

from collections import Counter
from collections.abc import Hashable, Sequence
from math import comb


def adjusted_rand(found: Sequence[Hashable], true: Sequence[Hashable]) -> float:
    """Return the share of pairs that both put together or apart, less what chance would give.

    1 for the same groups, about 0 for random ones (Hubert and Arabie, "Comparing partitions",
    1985). Both give the group of each tool, in one order.
    """
    both = sum(comb(count, 2) for count in Counter(zip(found, true, strict=True)).values())
    mine = sum(comb(count, 2) for count in Counter(found).values())
    theirs = sum(comb(count, 2) for count in Counter(true).values())
    if len(true) < 2:
        return 1.0
    expected = mine * theirs / comb(len(true), 2)
    most = (mine + theirs) / 2
    return 1.0 if most == expected else (both - expected) / (most - expected)


def purity(found: Sequence[Hashable], true: Sequence[Hashable]) -> float:
    """Return the share of tools that are of the true group which most of their found group is of.

    Grows with the number of groups: tools that are each alone are pure.
    """
    largest: dict[Hashable, int] = {}
    for (group, _), count in Counter(zip(found, true, strict=True)).items():
        largest[group] = max(count, largest.get(group, 0))
    return sum(largest.values()) / len(true)
