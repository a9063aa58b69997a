"""Which groups a task opens.

A task about one topic puts one group clearly before all others; a task across two topics puts two
there; a task that says little leaves many groups about equally near. So as many groups are opened
as lie within ``GAP`` of the best, two at most, and the distance to the next one is the margin that
confidence is made of.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from routing.selection.arrays import BoolArray
from routing.selection.evidence import Evidence

GAP = 0.15
MOST = 2
INCLUSIVE_GAP = 0.4
INCLUSIVE_MOST = 3
ALONE = 0.5
"""The margin of a group that no other stands beside."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The groups opened, by number in catalog order, and the margin to the next one, 0..1."""

    numbers: tuple[int, ...]
    margin: float


def open_groups(evidence: Evidence, mask: BoolArray, *, inclusive: bool) -> Opened:
    """Return the groups of the mask that the evidence singles out; none if nothing does."""
    numbers = np.flatnonzero(mask)
    if not len(numbers):
        return Opened((), 0.0)
    if len(numbers) == 1:
        return Opened((int(numbers[0]),), ALONE)
    order = numbers[np.argsort(-evidence.groups[numbers], kind="stable")]
    scores = evidence.groups[order]
    if scores[0] <= 0:
        return Opened((), 0.0)
    gap, most = (INCLUSIVE_GAP, INCLUSIVE_MOST) if inclusive else (GAP, MOST)
    near = int(np.count_nonzero(scores >= scores[0] - gap))
    count = min(near, most)
    following = float(scores[count]) if count < len(scores) else 0.0
    chosen = sorted(int(number) for number in order[:count])
    return Opened(tuple(chosen), float(scores[count - 1]) - following)
