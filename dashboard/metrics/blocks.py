"""Of which weeks, days and hours a stretch of hours is made: pure.

Counts add up, so that what is too much can be taken away again: a day of Madrid is a day of UTC and
the hour before it, less its last hour. That is three rows of counts in the place of twenty-four,
and ninety days are a dozen weeks and the few days by which they miss them.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

Stretch = tuple[int, int]
"""The hours from the first on and before the second."""


class Block(NamedTuple):
    """So many hours by their number since 1970 UTC, to add (1) or to take away (-1)."""

    hours: int
    number: int
    sign: int


def blocks(stretch: Stretch, *, lengths: Sequence[int]) -> Iterator[Block]:
    """Yield what adds up to a stretch, of blocks of some lengths: falling, and 1 the last.

    A stretch that is as long as a block is counted from the block's edge that is nearest to each of
    its ends; what lies between is added or taken away in shorter blocks.
    """
    start, end = stretch
    length, *shorter = lengths
    if length == 1:
        yield from (Block(1, hour, 1) for hour in range(start, end))
        return
    if end - start < length:
        yield from blocks(stretch, lengths=shorter)
        return
    first, after = _nearest(start, length), _nearest(end, length)
    yield from (Block(length, number, 1) for number in range(first, after))
    for low, high in ((start, first * length), (after * length, end)):
        for block in blocks((min(low, high), max(low, high)), lengths=shorter):
            yield block if low < high else block._replace(sign=-block.sign)


def _nearest(hour: int, length: int) -> int:
    """Return the block whose beginning is nearest to that of an hour."""
    return (2 * hour + length) // (2 * length)
