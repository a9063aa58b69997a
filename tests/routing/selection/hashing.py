"""An encoder for tests that costs nothing: a text is the sum of its words' random vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from zlib import crc32

import numpy as np

from routing.selection import Index, compile_index, texts_to_embed
from routing.selection.arrays import FloatArray
from routing.selection.encoders import Legs
from routing.selection.text import words

SIZE = 16


class Hashed:
    """Texts that share words are near to each other; ``calls`` counts how often it was asked."""

    name = "hashed"
    legs: Legs = (("hashed", slice(0, SIZE)),)

    def __init__(self) -> None:
        self.calls = 0

    def dimensions(self) -> int:
        """Return the length of a vector."""
        return SIZE

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return one vector a text, shape ``(len(texts), SIZE)``."""
        self.calls += 1
        summed = np.zeros((len(texts), SIZE), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in words(text) or [""]:
                chance = np.random.default_rng(crc32(word.encode()))
                summed[row] += chance.normal(size=SIZE).astype(np.float32)
        return np.asarray(summed / np.linalg.norm(summed, axis=1, keepdims=True), np.float32)


def hashed(document: dict[str, Any], encoder: Hashed | None = None) -> Index:
    """Return a document's index with vectors of hashed words."""
    encoder = encoder or Hashed()
    texts = texts_to_embed(document)
    vectors = encoder.encode(list(texts.values()))
    encoder.calls = 0
    return compile_index(document, encoder=encoder, vectors=dict(zip(texts, vectors, strict=True)))
