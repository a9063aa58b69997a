"""Fit the regression over hashed words to labelled tasks.

Minimises the cross-entropy of a softmax by stochastic gradients, each bucket's step by what it has
moved so far (AdaGrad: Duchi, Hazan and Singer, 2011; one sum of squares a bucket). A few rounds
learn rare words as fast as frequent ones and stop before they fit alone: no ridge is needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from routing.selection.arrays import FloatArray, IntArray
from routing.selection.hashed_words import HashedWords, buckets_of
from routing.selection.mixing import softmax

FEWEST_TASKS = 2
"""Of so many tasks that are not the same a bucket must be, or nothing of it is kept."""
ROUNDS = 6
RATE = 6.0
STEPS = 60
"""Steps that a round has, of at least ``SMALLEST`` tasks each and at most ``LARGEST``."""
SMALLEST, LARGEST = 8, 256
NONE: IntArray = np.zeros(0, dtype=np.intp)


def fit_words(tasks: Sequence[str], shares: FloatArray, *, language: str, seed: int) -> HashedWords:
    """Return what the words of tasks say of labelled tools; equal arguments give equal weights.

    ``shares``, shape ``(n, labelled)``, is the part of each tool in each task, 1 in sum a row.
    """
    buckets = [buckets_of(task, language) for task in tasks]
    known, often = _kept(dict(zip(tasks, buckets, strict=True)).values())
    words = HashedWords(
        language=language,
        known=known,
        rarity=_rarity(often, of=len(tasks)),
        unknown_rarity=float(_rarity(np.array([FEWEST_TASKS - 1]), of=len(tasks))[0]),
        weights=np.zeros((len(known), shares.shape[1]), dtype=np.float16),
    )
    rows = [words.read(of) for of in buckets]
    weights = _descended(rows, shares, np.zeros(words.weights.shape, dtype=np.float32), seed=seed)
    return replace(words, weights=weights.astype(np.float16))


def _kept(tasks: Iterable[IntArray]) -> tuple[IntArray, IntArray]:
    """Return the buckets that enough tasks have, ascending, and how many have each."""
    found, often = np.unique(np.concatenate([*tasks, NONE]), return_counts=True)
    enough = often >= FEWEST_TASKS
    return found[enough], often[enough]


def _rarity(often: IntArray, *, of: int) -> FloatArray:
    # In half precision, as it is stored.
    return np.log((1 + of) / (1 + often)).astype(np.float16).astype(np.float32)


def _descended(
    tasks: Sequence[tuple[IntArray, FloatArray]],
    shares: FloatArray,
    weights: FloatArray,
    *,
    seed: int,
) -> FloatArray:
    """Return ``weights`` moved to where tasks, by their rows and values, take what they took."""
    chance = np.random.default_rng(seed)
    moved = np.full(len(weights), 1e-8, dtype=np.float32)
    steps = max(1, len(tasks) // min(max(len(tasks) // STEPS, SMALLEST), LARGEST))
    for number in range(ROUNDS):
        rate = np.float32(RATE * (1 - number / ROUNDS))
        for some in np.array_split(chance.permutation(len(tasks)), steps):
            rows, values = _together([tasks[place] for place in some.tolist()])
            wrong = softmax(np.asarray(values @ weights[rows], dtype=np.float32)) - shares[some]
            slope = values.T @ wrong / np.float32(len(some))
            moved[rows] += (slope * slope).sum(axis=1)
            weights[rows] -= rate * slope / np.sqrt(moved[rows])[:, None]
    return weights


def _together(tasks: Sequence[tuple[IntArray, FloatArray]]) -> tuple[IntArray, FloatArray]:
    """Return the rows that some tasks have, and the value of each in each, ``(tasks, rows)``."""
    rows, places = np.unique(np.concatenate([of for of, _ in tasks]), return_inverse=True)
    values = np.zeros((len(tasks), len(rows)), dtype=np.float32)
    owners = np.repeat(np.arange(len(tasks)), [len(of) for of, _ in tasks])
    values[owners, places] = np.concatenate([of for _, of in tasks])
    return rows, values
