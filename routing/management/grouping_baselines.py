"""What a suggestion of groups is measured beside: k-means over vectors, and the names' first words.

Neither knows of a size that a group must keep to.
"""

from collections.abc import Sequence

import numpy as np

from routing.selection.arrays import FloatArray
from routing.selection.text import spelled

_ROUNDS = 50


def k_means(rows: FloatArray, *, clusters: int, seed: int) -> list[int]:
    """Return the cluster of each unit row, by cosine (Lloyd's algorithm, 1982)."""
    chance = np.random.default_rng(seed)
    centres = rows[chance.choice(len(rows), min(clusters, len(rows)), replace=False)]
    nearest = (rows @ centres.T).argmax(axis=1)
    for _ in range(_ROUNDS):
        for number in range(len(centres)):
            members = rows[nearest == number]
            if len(members):
                mean = members.mean(axis=0)
                centres[number] = mean / max(float(np.linalg.norm(mean)), 1e-9)
        again = (rows @ centres.T).argmax(axis=1)
        if np.array_equal(again, nearest):
            break
        nearest = again
    return [int(number) for number in nearest]


def first_words(names: Sequence[str]) -> list[str]:
    """Return the first word of each name, as ``billing_get_invoice`` has one."""
    return [(spelled(name).split() or [""])[0] for name in names]


def best_within(groups: Sequence[str], *, most: int) -> list[tuple[str, int]]:
    """Return the true groups cut to a size: what no suggestion of such groups can do better."""
    seen: dict[str, int] = {}
    parts = []
    for group in groups:
        number = seen.get(group, 0)
        seen[group] = number + 1
        parts.append((group, number // most))
    return parts
