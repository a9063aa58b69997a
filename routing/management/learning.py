"""Fit what a catalog would learn, for an evaluation, on cases of a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from routing.evaluation.cases import Case
from routing.evaluation.encoding import Prepared, texts_of_cases
from routing.evaluation.running import Subject
from routing.learning.classifier import Fitting, fit
from routing.learning.deciding import Part, calibrate
from routing.management.evaluating import encode_texts
from routing.management.vector_files import VectorFile
from routing.selection import compile_index


@dataclass(frozen=True, slots=True)
class Taught:
    """A subject with what it learned from some cases, as far as that was accepted."""

    subject: Subject
    fitting: Fitting
    calibration: Part


def taught(
    subject: Subject,
    cases: Sequence[Case],
    *,
    seed: int,
    processes: int,
    kept: VectorFile | None = None,
) -> Taught:
    """Return a subject with the classifier and the calibration that were fitted to some cases."""
    encoder = None
    if subject.encoder != "none":
        made = encode_texts(
            texts_of_cases(cases), encoder=subject.encoder, processes=processes, kept=kept
        )
        encoder = Prepared(name=subject.encoder, vectors={**subject.task_vectors, **made})
    index = compile_index(
        subject.document, encoder=encoder, vectors=subject.vectors, **subject.compiling
    )
    fitting = fit(index, cases, seed=seed)
    calibration, part = calibrate(index, cases, (), seed=seed)
    compiling = dict(subject.compiling)
    if fitting.accepted:
        compiling["classifier"] = fitting.classifier
    if part.taken:
        compiling["calibration"] = calibration
    return Taught(replace(subject, compiling=compiling), fitting, part)


def told(one: Taught) -> Iterator[str]:
    """Return what came of both fits, for people."""
    fitting = one.fitting
    if fitting.classifier is None:
        yield f"classifier: none, {fitting.reason}"
    else:
        measured = fitting.classifier.held_out
        verdict = "accepted" if fitting.accepted else "not accepted"
        yield (
            f"classifier: {verdict}. {fitting.reason} recall@1 "
            f"{measured.untrained_recall:.3f} -> {measured.trained_recall:.3f}."
        )
    verdict = "accepted" if one.calibration.taken else "not accepted"
    yield f"calibration: {verdict}. {one.calibration.reason}"
