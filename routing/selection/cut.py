"""How many tools are served: as far as the evidence goes, between one and the cap.

A task that needs one tool leaves nearly all belief on it; one that needs several spreads it. So
the best tools are kept until they hold a fixed share of all that is not believed of *nothing*: few
where the task is plain, more where it is not. An inclusive selection takes a larger share.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from routing.selection.arrays import FloatArray, IntArray

SHARE = 0.93
INCLUSIVE_SHARE = 0.99
STRAY = 0.04
"""A group that holds less of the belief is not opened for a tool that only just made the cut."""


def kept(
    beliefs: FloatArray,
    homes: IntArray,
    *,
    cap: int,
    inclusive: bool = False,
    share: float | None = None,
) -> list[int]:
    """Return the numbers of the candidates that are kept, best first.

    ``beliefs`` are those of the candidates, best first, ``homes`` the number of the group that each
    counts for, or -1. At least one is kept unless there is none.
    """
    whole = float(beliefs.sum())
    if not whole:
        return []
    share = share or (INCLUSIVE_SHARE if inclusive else SHARE)
    reached = np.cumsum(beliefs) / whole
    count = min(int(np.searchsorted(reached, share)) + 1, cap, len(beliefs))
    if inclusive:
        return list(range(count))
    mass = group_beliefs(beliefs, homes) / whole
    strays = (homes >= 0) & (mass < STRAY)
    return [number for number in range(count) if number == 0 or not strays[number]]


def group_beliefs(beliefs: FloatArray, homes: IntArray) -> FloatArray:
    """Return for every candidate what is believed of its whole group, or of itself without one."""
    _, numbers = np.unique(homes, return_inverse=True)
    summed = np.bincount(numbers, weights=beliefs)[numbers].astype(np.float32)
    return np.where(homes >= 0, summed, beliefs)


def fewest(beliefs: Sequence[float], *, share: float, most: int) -> int:
    """Return how many of some beliefs, best first, hold a share of them all, at most ``most``."""
    whole = sum(beliefs)
    held = 0.0
    for count, belief in enumerate(beliefs[:most], start=1):
        held += belief
        if held >= share * whole:
            return count
    return min(len(beliefs), most)
