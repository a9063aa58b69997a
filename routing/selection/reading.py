"""A task read as a whole, and clause by clause where it has several.

One clause may need a tool that the task as a whole drowns: "issue the invoice and book the pickup".
So tools are ranked by the whole and by their best clause, and a clause that is sure of a group
opens it (``grouping``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from routing.selection.arrays import BoolArray, FloatArray
from routing.selection.encoders import memory_of, read_of_history, read_of_task
from routing.selection.evidence import Evidence, gather
from routing.selection.index import Index

CLAUSE_WEIGHT = 0.4
"""The part that a tool's best clause has in its rank, beside the whole task."""
MOST_CLAUSES = 6
FEWEST_WORDS = 3

# Ends of sentences, commas (also those of Chinese), and the joining words of three languages.
_BETWEEN = re.compile(
    r"[.;:?!]+\s+|,\s+"
    "|[\u3002\uff1b\uff1f\uff01\uff0c]"
    r"|\s+(?:and|then|y|e|luego|depois)\s+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Reading:
    """The evidence of a task and of its clauses; ``ranks`` orders all tools, 0..1."""

    whole: Evidence
    clauses: tuple[Evidence, ...]
    ranks: FloatArray


def read(
    index: Index,
    task: str,
    history: Sequence[str],
    *,
    candidates: BoolArray,
    semantic: bool = True,
) -> Reading:
    """Return the evidence for a task and its clauses among the candidates.

    The encoder is called once at most; not at all with ``semantic`` false.
    """
    if semantic and index.vectors is not None and index.encoder is not None:
        memory_of(index.encoder).vectors(texts_read(task, history))
    parts = clauses(read_of_task(task))
    whole = gather(index, task, history, candidates=candidates, semantic=semantic)
    by_clause = tuple(
        gather(index, part, (), candidates=candidates, semantic=semantic) for part in parts
    )
    ranks = whole.ranks
    if by_clause:
        best = np.maximum.reduce([evidence.ranks for evidence in by_clause])
        ranks = ranks * np.float32(1 - CLAUSE_WEIGHT) + best * np.float32(CLAUSE_WEIGHT)
    return Reading(whole=whole, clauses=by_clause, ranks=ranks)


def texts_read(task: str, history: Sequence[str]) -> list[str]:
    """Return every text that the encoder reads of a task and its history."""
    whole = read_of_task(task)
    texts = [whole, read_of_history(history), *map(read_of_task, clauses(whole))]
    return [text for text in texts if text]


def clauses(task: str) -> tuple[str, ...]:
    """Return the clauses of a task that say something; none where there are not at least two."""
    parts = [part for part in _BETWEEN.split(task) if len(part.split()) >= FEWEST_WORDS]
    return tuple(parts[:MOST_CLAUSES]) if len(parts) > 1 else ()
