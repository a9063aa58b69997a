"""How alike tools are, as rows whose products are the likeness of two tools.

Four legs stand side by side, each of unit length times the root of its weight: the encoder's
vector, and the cosines of rarity-weighted words of names, texts and arguments. What tools are said
to belong to is a fifth. The mean vector of a catalog's tools is taken off first: what all its tools
have in common tells none of them apart.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import log, sqrt
from typing import Any

import numpy as np

from routing.selection.arrays import FloatArray
from routing.selection.stemming import stems
from routing.selection.text import bounded, terms
from routing.selection.texts import content_hash, parameters
from routing.suggesting.reading import MOST_READ, Languages, ReadTool, text_of

VECTOR, NAME, TEXT, ARGUMENTS, HOME = 0.6, 0.2, 0.1, 0.1, 0.5
# Names of one system say most: they count for more as far as each has another that is more like it,
# on average, than this.
REGULAR = 0.75
# Columns of a lexical leg; past them two words share one, with signs that cancel on average.
COLUMNS = 1024
_BLOCK = 512
Bag = Counter[str]


def rows_of(
    *,
    tools: Sequence[Mapping[str, Any]],
    read: Sequence[ReadTool],
    languages: Languages,
    vectors: Mapping[str, FloatArray],
) -> FloatArray:
    """Return one row a tool, float32; ``vectors`` are those of ``texts_of`` by hash, or none."""
    names = _weighted([_name(one, languages.names) for one in read])
    legs = [
        sqrt(NAME + max(0.0, _likeness_to_nearest(names) - REGULAR)) * names,
        sqrt(TEXT) * _weighted([_text(tool, languages.prose) for tool in tools]),
        sqrt(ARGUMENTS) * _weighted([_arguments(tool, languages.names) for tool in tools]),
        sqrt(HOME) * _weighted([Counter(one.homes) for one in read]),
    ]
    if vectors:
        legs.append(sqrt(VECTOR) * _centred([vectors[content_hash(text_of(t))] for t in tools]))
    return np.hstack(legs).astype(np.float32)


def _likeness_to_nearest(rows: FloatArray) -> float:
    """Return how like the row that is most like it each row is, on average."""
    nearest = np.zeros(len(rows), dtype=np.float32)
    for start in range(0, len(rows), _BLOCK):
        block = rows[start : start + _BLOCK] @ rows.T
        block[np.arange(len(block)), np.arange(start, start + len(block))] = 0
        nearest[start : start + len(block)] = block.max(axis=1)
    return float(nearest.mean()) if len(rows) else 0.0


def _name(tool: ReadTool, language: str) -> Bag:
    """Return the words of what a tool acts on, their pairs, and the whole of it."""
    words = stems(tool.object, language)
    pairs = [f"{first}_{second}" for first, second in pairwise(words)]
    return Counter([*words, *pairs, "=" + "_".join(words)])


def _text(tool: Mapping[str, Any], language: str) -> Bag:
    description = (tool.get("description") or "")[:MOST_READ]
    whole = f"{tool['name']} {tool.get('title') or ''} {description}"
    return Counter(stems(terms(whole), language))


def _arguments(tool: Mapping[str, Any], language: str) -> Bag:
    names = " ".join(name for name, _ in parameters(tool))
    return Counter(stems(terms(bounded(names, head=MOST_READ, tail=0)), language))


def _weighted(bags: Sequence[Bag]) -> FloatArray:
    """Return unit rows of ``(1 + log tf) * log(1 + n / df)``; what one tool alone says counts not.

    A word that only one tool has likens it to none.
    """
    frequency = Counter(word for bag in bags for word in bag)
    shared = sorted(word for word, count in frequency.items() if count > 1)
    place = {word: (n % COLUMNS, 1 - 2 * (n // COLUMNS % 2)) for n, word in enumerate(shared)}
    rows = np.zeros((len(bags), max(1, min(COLUMNS, len(shared)))), dtype=np.float32)
    for row, bag in zip(rows, bags, strict=True):
        for word, count in bag.items():
            if word in place:
                column, sign = place[word]
                row[column] += sign * (1 + log(count)) * log(1 + len(bags) / frequency[word])
    return _unit(rows)


def _centred(vectors: Sequence[FloatArray]) -> FloatArray:
    rows = np.stack(vectors).astype(np.float32)
    return _unit(rows - rows.mean(axis=0)) if len(rows) > 1 else _unit(rows)


def _unit(rows: FloatArray) -> FloatArray:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 1e-6, lengths, 1), dtype=np.float32)
