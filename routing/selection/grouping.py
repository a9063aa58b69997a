"""Which groups a task opens.

As few as carry the catalog's threshold: the best one, or else the best two. A task across two
topics shares its belief between them; a task that says little shares it among many, or gives it to
none of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from routing.selection.arrays import BoolArray
from routing.selection.confidence import shares
from routing.selection.evidence import Evidence

SECOND = 0.9
"""What is left of a belief in two groups at once, since near to both may also mean neither."""
INCLUSIVE_SHARE = 0.1
INCLUSIVE_MOST = 3
"""An inclusive selection opens every group that has this share of belief, so many at most."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The groups opened, by number in catalog order, and the belief in them, 0..1."""

    numbers: tuple[int, ...]
    confidence: float


def open_groups(
    evidence: Evidence, mask: BoolArray, *, threshold: float, inclusive: bool
) -> Opened:
    """Return the groups of the mask that the evidence singles out; none if nothing does."""
    numbers = np.flatnonzero(mask)
    scores = evidence.groups[numbers]
    if not len(numbers) or scores.max() <= 0:
        return Opened((), 0.0)
    share = shares(evidence, scores)
    order = np.argsort(-scores, kind="stable")
    best = float(share[order[0]])
    count, confidence = 1, best
    if best < threshold and len(order) > 1:
        both = SECOND * (best + float(share[order[1]]))
        if both >= threshold:
            count, confidence = 2, both
    if inclusive:
        wide = int(np.count_nonzero(share >= INCLUSIVE_SHARE))
        count = max(count, min(wide, INCLUSIVE_MOST))
    return Opened(tuple(sorted(numbers[order[:count]].tolist())), confidence)
