"""Fit a classifier for an evaluation, on cases of a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from routing.evaluation.cases import Case
from routing.evaluation.encoding import Prepared
from routing.evaluation.running import Subject
from routing.learning.classifier import Fitting, fit
from routing.management.evaluating import encode_texts
from routing.management.vector_files import VectorFile
from routing.selection import compile_index
from routing.selection.encoders import read_of_task


def with_classifier(
    subject: Subject,
    cases: Sequence[Case],
    *,
    seed: int,
    processes: int,
    kept: VectorFile | None = None,
) -> tuple[Subject, Fitting]:
    """Return a subject with the classifier that was fitted to some cases, and the fit.

    The subject is what it was where the classifier was not accepted.
    """
    encoder = None
    if subject.encoder != "none":
        texts = list(dict.fromkeys(read_of_task(case.task) for case in cases))
        made = encode_texts(texts, encoder=subject.encoder, processes=processes, kept=kept)
        encoder = Prepared(name=subject.encoder, vectors={**subject.task_vectors, **made})
    index = compile_index(
        subject.document, encoder=encoder, vectors=subject.vectors, **subject.compiling
    )
    fitting = fit(index, cases, seed=seed)
    if not fitting.accepted:
        return subject, fitting
    compiling = {**subject.compiling, "classifier": fitting.classifier}
    return replace(subject, compiling=compiling), fitting


def told(fitting: Fitting) -> str:
    """Return what came of a fit, for people."""
    if fitting.classifier is None:
        return f"classifier: none, {fitting.reason}"
    measured = fitting.classifier.held_out
    verdict = "accepted" if fitting.accepted else f"not accepted: {str(fitting.reason).rstrip('.')}"
    return (
        f"classifier: {verdict}. On {measured.cases:,} held-out cases recall@1 "
        f"{measured.untrained_recall:.3f} -> {measured.trained_recall:.3f}, NDCG@10 "
        f"{measured.untrained_ndcg:.3f} -> {measured.trained_ndcg:.3f}."
    )
