"""Fit the head: two matrices that bring the vectors of tasks and of the tools they need together.

InfoNCE (van den Oord and others, "Representation Learning with Contrastive Predictive Coding",
2018) with the other tools of the same catalog as negatives. Both matrices begin as the identity
and are held near it, so that what the encoder knows of languages and domains beyond the public
tasks is kept. Adam with a linear decay of its rate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from routing.learning.shipped.adam import Moments
from routing.selection.arrays import FloatArray
from routing.selection.weights import Head, unit

STEPS = 800
RATE = 3e-4
WARM = 50
HOLD = 1e-2
TEMPERATURE = 0.05
NOISE = 0.02
TASKS = 128
TOOLS = 512


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """Tasks, shape ``(n, d)``, and the tools of their catalog, shape ``(tools, d)``.

    ``needs`` says for each task which tools it needs, ``equals`` which others would do as well.
    """

    family: str
    tasks: FloatArray
    tools: FloatArray
    needs: Sequence[Sequence[int]]
    equals: Sequence[Sequence[int]]
    weight: float


def fit_head(pairs: Sequence[Pairs], *, seed: int) -> Head:
    """Return the head of some pairs; the same seed gives the same head."""
    chance = np.random.default_rng(seed)
    size = pairs[0].tasks.shape[1]
    shares = np.array([one.weight for one in pairs], dtype=np.float64)
    shares /= shares.sum()
    identity = np.eye(size, dtype=np.float32)
    matrices = [identity.copy(), identity.copy()]
    moments = [Moments.of(identity.shape) for _ in matrices]
    for step in range(1, STEPS + 1):
        one = pairs[chance.choice(len(pairs), p=shares)]
        gradients = _gradients(one, matrices, chance)
        rate = RATE * min(1, step / WARM) * (1 - step / (STEPS + 1))
        for place, gradient in enumerate(gradients):
            held = gradient + HOLD * (matrices[place] - identity)
            matrices[place] -= np.asarray(rate * moments[place].step(held, step), np.float32)
    return Head(task=matrices[0], tool=matrices[1])


def _gradients(
    pairs: Pairs, matrices: Sequence[FloatArray], chance: np.random.Generator
) -> list[FloatArray]:
    """Return the gradients of the loss on a batch of tasks against some tools of their catalog."""
    count = min(TASKS, len(pairs.tasks))
    batch = chance.choice(len(pairs.tasks), count, replace=False)
    columns = _tools_of(pairs, batch, chance)
    where = {int(tool): column for column, tool in enumerate(columns)}
    tasks = _shaken(pairs.tasks[batch], chance)
    tools = _shaken(pairs.tools[columns], chance)
    wanted = np.zeros((count, len(columns)), dtype=np.float32)
    hidden = np.zeros(wanted.shape, dtype=np.bool_)
    for row, case in enumerate(batch.tolist()):
        for tool in pairs.needs[case]:
            wanted[row, where[tool]] = 1 / len(pairs.needs[case])
        hidden[row, [where[tool] for tool in pairs.equals[case] if tool in where]] = True
    read, offered = tasks @ matrices[0], tools @ matrices[1]
    query, key = unit(read), unit(offered)
    scores = np.where(hidden, np.float32(-1e9), query @ key.T / TEMPERATURE)
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    error = (raised / raised.sum(axis=1, keepdims=True) - wanted) / (count * TEMPERATURE)
    error[hidden] = 0
    return [
        tasks.T @ _through_unit(error @ key, query, read),
        tools.T @ _through_unit(error.T @ query, key, offered),
    ]


def _tools_of(pairs: Pairs, batch: np.ndarray, chance: np.random.Generator) -> np.ndarray:
    size = len(pairs.tools)
    if size <= TOOLS:
        return np.arange(size)
    needed = np.unique([tool for case in batch.tolist() for tool in pairs.needs[case]])
    others = np.setdiff1d(chance.choice(size, TOOLS, replace=False), needed)
    return np.concatenate([needed, others])


def _shaken(vectors: FloatArray, chance: np.random.Generator) -> FloatArray:
    noise = chance.normal(0, NOISE, vectors.shape).astype(np.float32)
    return np.asarray(vectors + noise, dtype=np.float32)


def _through_unit(gradient: FloatArray, unit_rows: FloatArray, rows: FloatArray) -> FloatArray:
    """Return the gradient of rows from that of the same rows at unit length."""
    along = (gradient * unit_rows).sum(axis=1, keepdims=True) * unit_rows
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray((gradient - along) / lengths, dtype=np.float32)
