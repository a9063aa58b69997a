"""What a release says of cases before anything is fitted to them, and their tasks' vectors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from routing.evaluation.queries import encode_ahead
from routing.learning.labels import LabelledCase
from routing.selection.arrays import FloatArray
from routing.selection.classifier import Tasks
from routing.selection.encoders import Encoder, read_of_history, read_of_task
from routing.selection.index import Index
from routing.selection.mixing import untrained_logits
from routing.selection.reading import clauses, read
from routing.selection.task_vectors import with_history

BATCH = 32
CASES_AT_A_TIME = 64


def vectors_of(encoder: Encoder, cases: Sequence[LabelledCase]) -> FloatArray:
    """Return the vectors of the cases as a selection reads them, shape ``(n, d)``."""
    read_texts = [(read_of_task(case.task), read_of_history(case.history)) for case in cases]
    vectors = _encoded(encoder, [text for pair in read_texts for text in pair if text])
    return np.stack(
        [
            with_history(vectors[now], vectors[before], encoder) if before else vectors[now]
            for now, before in read_texts
        ]
    ).astype(np.float32)


def tasks_of(encoder: Encoder, cases: Sequence[LabelledCase], vectors: FloatArray) -> Tasks:
    """Return the tasks of cases whose own vectors are known, with those of their clauses."""
    parts = [
        (number, read_of_task(clause))
        for number, case in enumerate(cases)
        for clause in clauses(read_of_task(case.task))
    ]
    made = _encoded(encoder, [text for _, text in parts])
    return Tasks(
        texts=[case.task for case in cases],
        whole=vectors,
        clauses=np.array([made[text] for _, text in parts], dtype=np.float32).reshape(
            len(parts), vectors.shape[1]
        ),
        owners=np.array([number for number, _ in parts], dtype=np.intp),
    )


def read_untrained(index: Index, cases: Sequence[LabelledCase]) -> FloatArray:
    """Return the untrained logits of the cases, shape ``(n, tools)``."""
    candidates = index.enabled & index.selectable
    groups = index.groups_holding(candidates)
    rows = []
    for start in range(0, len(cases), CASES_AT_A_TIME):
        part = cases[start : start + CASES_AT_A_TIME]
        encode_ahead(index, part)
        for case in part:
            reading = read(index, case.task, case.history, candidates=candidates, groups=groups)
            rows.append(untrained_logits(reading.beliefs, reading.ranks, candidates))
    return np.stack(rows)


def _encoded(encoder: Encoder, texts: Sequence[str]) -> dict[str, FloatArray]:
    """Return the vectors of texts, made in batches of texts alike in length."""
    ordered = sorted(dict.fromkeys(texts), key=lambda text: (len(text), text))
    vectors: dict[str, FloatArray] = {}
    for start in range(0, len(ordered), BATCH):
        batch = ordered[start : start + BATCH]
        vectors.update(zip(batch, encoder.encode(batch), strict=True))
    return vectors
