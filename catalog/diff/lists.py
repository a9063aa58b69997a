"""What happened to a list of names: which came, which went, which moved."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Listed:
    """The difference of two lists. ``moved`` are as few names as explain the new order."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    moved: tuple[str, ...]


def compare_lists(before: Sequence[str], after: Sequence[str]) -> Listed:
    """Return the difference of two lists of names; a name that is in a list twice counts once."""
    old, new = dict.fromkeys(before), dict.fromkeys(after)
    place = {name: number for number, name in enumerate(old)}
    stayed = [name for name in new if name in old]
    kept = _longest_rising([place[name] for name in stayed])
    return Listed(
        added=tuple(name for name in new if name not in old),
        removed=tuple(name for name in old if name not in new),
        moved=tuple(name for number, name in enumerate(stayed) if number not in kept),
    )


def _longest_rising(values: Sequence[int]) -> set[int]:
    """Return the indexes of a longest rising subsequence (patience sorting, O(n log n))."""
    ends: list[int] = []  # the smallest last value of a rising run of each length
    index_of_end: list[int] = []
    previous: list[int] = []
    for index, value in enumerate(values):
        length = bisect_left(ends, value)
        previous.append(index_of_end[length - 1] if length else -1)
        if length == len(ends):
            ends.append(value)
            index_of_end.append(index)
        else:
            ends[length], index_of_end[length] = value, index
    kept: set[int] = set()
    index = index_of_end[-1] if index_of_end else -1
    while index >= 0:
        kept.add(index)
        index = previous[index]
    return kept
