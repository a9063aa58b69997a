"""A catalog whose descriptions say little, and tasks whose words give their tool away."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from routing.evaluation.cases import Case
from routing.selection import Index, compile_index, content_hash, texts_to_embed
from routing.selection.arrays import FloatArray
from routing.selection.calibration import Calibration
from routing.selection.classifier import Classifier
from routing.selection.encoders import Legs
from tests.routing.selection.documents import document, tool

SIZE = 96
WORDS = 6
"""How many words only tasks of one tool say; a task says two of them."""


class ByWords:
    """An encoder that adds up one fixed random direction a word."""

    name = "by-words"
    legs: Legs = (("by-words", slice(0, SIZE)),)

    def dimensions(self) -> int:
        """Return the length of a vector."""
        return SIZE

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return one vector a text, of unit length."""
        rows = [
            np.sum([_direction(word) for word in text.lower().split()], axis=0) for text in texts
        ]
        vectors = np.array(rows, dtype=np.float32).reshape(len(texts), SIZE)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / np.maximum(lengths, 1e-9), dtype=np.float32)


ENCODER = ByWords()


def catalog(tools: int) -> dict[str, Any]:
    """Return a document of tools in groups of five; two of its words are in each description."""
    made = [tool(f"tool_{n}", description=f"Serve {said(n, 0)} {said(n, 1)}") for n in range(tools)]
    groups = [
        {
            "name": f"group-{start // 5}",
            "description": "",
            "tools": [f"tool_{n}" for n in range(start, min(start + 5, tools))],
            "examples": [],
        }
        for start in range(0, tools, 5)
    ]
    return document(catalog="words", tools=made, groups=groups, settings={"max_tools": 3})


def compiled(
    source: dict[str, Any],
    classifier: Classifier | None = None,
    calibration: Calibration | None = None,
) -> Index:
    """Return the index of a document, with all vectors."""
    texts = texts_to_embed(source)
    vectors = dict(zip(texts, ENCODER.encode(list(texts.values())), strict=True))
    assert all(content_hash(text) == digest for digest, text in texts.items())
    return compile_index(
        source,
        encoder=ENCODER,
        vectors=vectors,
        classifier=classifier,
        calibration=calibration,
    )


def cases(tools: Sequence[int], each: int, *, seed: int) -> list[Case]:
    """Return cases of the tools, ``each`` of every one, shuffled."""
    chance = np.random.default_rng(seed)
    made = [case(n, chance) for n in tools for _ in range(each)]
    return [made[place] for place in chance.permutation(len(made))]


def case(number: int, chance: np.random.Generator, *more: int) -> Case:
    """Return a case that says two words of each tool among some that say nothing."""
    words = [
        said(n, int(place)) for n in (number, *more) for place in chance.permutation(WORDS)[:2]
    ]
    words += [said(90 + int(n), 0) for n in chance.integers(0, 30, size=2)]
    return Case(
        where="made",
        task=" ".join(words),
        needs=tuple((f"tool_{n}",) for n in (number, *more)),
    )


def said(number: int, place: int) -> str:
    """Return a word that only tasks of one tool say; encoders read no digits."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    return f"q{letters[number // 26]}{letters[number % 26]}{letters[place]}z"


def _direction(word: str) -> FloatArray:
    seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "big")
    return np.random.default_rng(seed).normal(size=SIZE).astype(np.float32)
