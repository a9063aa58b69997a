"""Vectors for a benchmark: made from words in no time, kept in memory, and every call counted."""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

import numpy as np

from routing.selection.arrays import FloatArray
from routing.selection.encoders import Legs
from routing.selection.text import words

WIDTH = 512
"""That of the default encoder."""


class MadeVectors:
    """An encoder whose vector of a text is the sum of one random vector for each word.

    How long a selection takes does not depend on what the vectors say, only on how long they are.
    ``calls`` counts how often it was asked.
    """

    def __init__(self, *, seed: int) -> None:
        self.name = "usem3"  # weighed as the default encoder is
        self.legs: Legs = ((self.name, slice(0, WIDTH)),)
        self.calls = 0
        self._seed = seed
        self._of_words: dict[str, FloatArray] = {}

    def dimensions(self) -> int:
        """Return the length of a vector."""
        return WIDTH

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return one vector a text, shape ``(len(texts), WIDTH)``, of unit length."""
        self.calls += 1
        summed = [sum(map(self._of_word, words(text)), self._of_word("")) for text in texts]
        rows = np.array(summed, dtype=np.float32).reshape(len(texts), WIDTH)
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)

    def _of_word(self, word: str) -> FloatArray:
        if word not in self._of_words:
            chance = np.random.default_rng([self._seed, crc32(word.encode())])
            self._of_words[word] = chance.standard_normal(WIDTH).astype(np.float32)
        return self._of_words[word]


class Kept:
    """The vectors of some texts as lists of floats, looked up: what other libraries are given."""

    def __init__(self, texts: Sequence[str], encoder: MadeVectors) -> None:
        listed = list(dict.fromkeys(texts))
        self._rows = dict(zip(listed, encoder.encode(listed).tolist(), strict=True))

    def __call__(self, texts: Sequence[str]) -> list[list[float]]:
        """Return the vectors of texts that are known."""
        return [self._rows[text] for text in texts]
