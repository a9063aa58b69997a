"""Which groups hold what."""

from __future__ import annotations

import numpy as np

from routing.selection.arrays import BoolArray, IntArray


def groups_holding(tools: BoolArray, members: IntArray, offsets: IntArray) -> BoolArray:
    """Return a mask of the groups that hold a tool of a mask.

    ``members`` are the groups' tools end to end, the first group's from ``offsets[0]`` on.
    """
    held = np.zeros(len(members) + 1, dtype=np.intp)
    np.cumsum(tools[members], out=held[1:])
    return held[offsets[1:]] > held[offsets[:-1]]
