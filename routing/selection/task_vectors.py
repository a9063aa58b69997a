"""The vectors of a task, its history and its clauses."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from routing.selection.arrays import FloatArray
from routing.selection.encoders import Encoder, memory_of, read_of_history, read_of_task
from routing.selection.index import Index

HISTORY_WEIGHT = 0.2
"""What the vector of a history counts beside that of the task."""


def task_vectors(
    index: Index, task: str, history: Sequence[str], clauses: Sequence[str]
) -> FloatArray:
    """Return the vectors of a task and its clauses, shape ``(1 + clauses, d)``.

    The task's has a little of its history in it. The encoder is called once at most.
    """
    if index.encoder is None:
        raise ValueError("The index has no encoder.")
    before = read_of_history(history)
    texts = [read_of_task(task), *map(read_of_task, clauses)]
    vectors = memory_of(index.encoder).vectors([*texts, before] if before else texts)
    if not before:
        return vectors
    found = vectors[:-1]
    found[0] = with_history(vectors[0], vectors[-1], index.encoder)
    return found


def with_history(task: FloatArray, history: FloatArray, encoder: Encoder) -> FloatArray:
    """Return a task's vector, shape ``(d,)``, with a little of its history's in it."""
    found: FloatArray = (1 - HISTORY_WEIGHT) * task + HISTORY_WEIGHT * history
    for _, leg in encoder.legs:
        found[leg] /= np.linalg.norm(found[leg]) or 1.0
    return found
