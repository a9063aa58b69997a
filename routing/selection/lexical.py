"""BM25 over inverted lists in numpy.

Okapi BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond",
2009) with the non-negative idf ``log(1 + (N - df + 0.5) / (df + 0.5))``. Every weight that does
not depend on the task is multiplied out when a release is compiled, so that a task costs one gather
of its terms' lists and one ``bincount``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from routing.selection.arrays import FloatArray, IntArray

K1 = 1.2
B = 0.75


@dataclass(frozen=True, slots=True)
class Rarity:
    """The summed idf of a task's terms: of those that occur in a lexicon, and of all."""

    known: float
    total: float

    @property
    def explained(self) -> float:
        """The share, 0..1, of the task's rarity that occurs in the lexicon at all."""
        return self.known / self.total if self.total else 0.0

    @property
    def most(self) -> float:
        """What a text that was full of every term of the task would score."""
        return (K1 + 1) * self.total


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Inverted lists of ``size`` texts.

    The list of term ``i`` is ``offsets[i]:offsets[i + 1]`` of ``texts`` (which text) and
    ``weights`` (how much one occurrence in the task adds to it).
    """

    size: int
    numbers: Mapping[str, int]
    offsets: IntArray
    texts: IntArray
    weights: FloatArray
    idf: FloatArray
    unknown_idf: float

    def scores(self, task: Mapping[str, float]) -> FloatArray:
        """Return the score of every text, shape ``(size,)``, for terms and their weights."""
        lists: list[IntArray] = []
        weights: list[FloatArray] = []
        start_of = self.offsets.item
        for term, weight in task.items():
            number = self.numbers.get(term)
            if number is not None:
                span = slice(start_of(number), start_of(number + 1))
                lists.append(self.texts[span])
                listed = self.weights[span]
                weights.append(listed if weight == 1 else listed * np.float32(weight))
        if not lists:
            return np.zeros(self.size, dtype=np.float32)
        summed = np.bincount(
            np.concatenate(lists), weights=np.concatenate(weights), minlength=self.size
        )
        return summed.astype(np.float32)

    def rarity(self, task: Mapping[str, float]) -> Rarity:
        """Return how much rarity (idf) the terms of a task hold.

        A term with a digit in it that occurs nowhere is taken for a code and not counted.
        """
        known = total = 0.0
        for term, weight in task.items():
            number = self.numbers.get(term)
            if number is not None:
                mass = weight * self.idf.item(number)
                known += mass
                total += mass
            elif not any(character.isdecimal() for character in term):
                total += weight * self.unknown_idf
        return Rarity(known=known, total=total)


def compile_lexicon(texts: Sequence[Sequence[str]]) -> Lexicon:
    """Return the inverted lists of texts that are given as terms."""
    size = len(texts)
    counts = [Counter(text) for text in texts]
    lengths = np.array([len(text) for text in texts], dtype=np.float64)
    mean = float(lengths.mean()) if size and lengths.any() else 1.0
    norms = K1 * (1 - B + B * lengths / mean)
    postings: dict[str, list[tuple[int, int]]] = {}
    for place, counter in enumerate(counts):
        for term, count in counter.items():
            postings.setdefault(term, []).append((place, count))
    offsets = np.zeros(len(postings) + 1, dtype=np.intp)
    np.cumsum([len(listed) for listed in postings.values()], out=offsets[1:])
    idf = np.array([_idf(size, len(listed)) for listed in postings.values()], dtype=np.float64)
    flat = [entry for listed in postings.values() for entry in listed]
    places = np.array([place for place, _ in flat], dtype=np.intp)
    found = np.array([count for _, count in flat], dtype=np.float64)
    saturated = found * (K1 + 1) / (found + norms[places]) if flat else found
    weights = saturated * np.repeat(idf, np.diff(offsets))
    return Lexicon(
        size=size,
        numbers={term: number for number, term in enumerate(postings)},
        offsets=offsets,
        texts=places,
        weights=weights.astype(np.float32),
        idf=idf.astype(np.float32),
        unknown_idf=_idf(size, 0),
    )


def _idf(size: int, frequency: int) -> float:
    return log(1 + (size - frequency + 0.5) / (frequency + 0.5))
