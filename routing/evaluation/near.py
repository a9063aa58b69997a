"""Which tasks say nearly the same: by their words, and by the cosine of what an encoder makes.

Digits count as noughts, for the encoder too: an order's number makes no other task.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from routing.selection.arrays import FloatArray

NEAR = 0.9
"""The cosine from which two tasks say nearly the same; docs/evals.md tells what was measured."""
BLOCK = 512

_DIGITS = re.compile(r"\d+")
_BLANKS = re.compile(r"\s+")


def plain(text: str) -> str:
    """Return a text as it is compared: runs of digits as ``0``, blanks as one, no capitals."""
    return _BLANKS.sub(" ", _DIGITS.sub("0", text)).strip().casefold()


def said_before(task: str, history: Sequence[str]) -> str:
    """Return what is compared of a task that has a history: a later step asks something else."""
    return "\n".join([task, *history])


def clusters(texts: Sequence[str], vectors: FloatArray | None, *, least: float = NEAR) -> list[int]:
    """Return the cluster of each text: the place of its first member.

    ``texts`` are ``plain``. Equal ones are of a cluster, and so are two whose ``vectors``, shape
    ``(n, d)``, have a cosine of at least ``least``, and all that hang together by such pairs.
    """
    first: dict[str, int] = {}
    root = [first.setdefault(text, place) for place, text in enumerate(texts)]

    def top(place: int) -> int:
        while root[place] != place:
            root[place] = root[root[place]]
            place = root[place]
        return place

    own = sorted(first.values())
    if vectors is not None and len(own) > 1:
        for one, other in _pairs(np.asarray(vectors, dtype=np.float32)[own], least):
            low, high = sorted((top(own[one]), top(own[other])))
            root[high] = low
    return [top(place) for place in range(len(texts))]


def _pairs(vectors: FloatArray, least: float) -> list[tuple[int, int]]:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    lengths[lengths == 0] = 1
    rows = vectors / lengths
    found: list[tuple[int, int]] = []
    for start in range(0, len(rows), BLOCK):
        near = np.argwhere(rows[start : start + BLOCK] @ rows[start:].T >= least)
        found += [(start + one, start + other) for one, other in near.tolist() if one < other]
    return found
