"""A regression over the words of a task, by their hashes: which tools took tasks that say so.

What counts are stems and pairs of neighbouring stems, each told by a bucket of a hash: no word is
kept. Vectors say what a task is about; words tell near-repetitions of what was asked before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from zlib import crc32

import numpy as np
import numpy.typing as npt

from routing.selection.arrays import FloatArray, IntArray
from routing.selection.encoders import read_of_task
from routing.selection.stemming import stems
from routing.selection.text import as_words

BUCKETS = 1 << 15
_BEGIN, _END = "^", "$"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HashedWords:
    """What buckets say of labelled tools.

    ``known`` are the buckets, ascending, shape ``(k,)``; ``rarity``, same shape, is the idf of
    each, and ``unknown_rarity`` that of any other. ``weights`` has shape ``(k, labelled)``, in half
    precision. ``language`` is the one whose stems were hashed.
    """

    language: str
    known: IntArray
    rarity: FloatArray
    unknown_rarity: float
    weights: npt.NDArray[np.float16]

    def of(self, tools: IntArray) -> HashedWords:
        """Return what is said of some of the labelled tools, by their number."""
        return replace(self, weights=np.ascontiguousarray(self.weights[:, tools]))

    def pulls(self, tasks: Sequence[str]) -> FloatArray:
        """Return how much the words of tasks are drawn to each labelled tool, ``(n, labelled)``."""
        found = np.zeros((len(tasks), self.weights.shape[1]), dtype=np.float32)
        for row, task in enumerate(tasks):
            rows, values = self.read(buckets_of(task, self.language))
            found[row] = values @ self.weights[rows].astype(np.float32)
        return found

    def read(self, buckets: IntArray) -> tuple[IntArray, FloatArray]:
        """Return the rows of the buckets that are known, and what each counts, of unit length.

        The others take their part of the length: a task that says much else is drawn less.
        """
        places = np.searchsorted(self.known, buckets)
        inside = places < len(self.known)
        inside[inside] = self.known[places[inside]] == buckets[inside]
        rows = places[inside]
        values = self.rarity[rows]
        others = len(buckets) - len(rows)
        length = np.sqrt(float(values @ values) + others * self.unknown_rarity**2)
        return rows, np.asarray(values / max(length, 1e-6), dtype=np.float32)


def buckets_of(task: str, language: str) -> IntArray:
    """Return the buckets of a task's stems and pairs of stems, ascending, each once."""
    words = stems(as_words(read_of_task(task)).split(), language)
    pairs = (f"{first} {second}" for first, second in pairwise([_BEGIN, *words, _END]))
    found = {crc32(said.encode()) % BUCKETS for said in (*words, *pairs)}
    return np.array(sorted(found), dtype=np.intp)
