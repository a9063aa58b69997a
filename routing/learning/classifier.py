"""Fit a classifier to the labelled cases of a catalog, and say whether it is worth having.

What is fitted is a logistic regression and the mean of each tool's examples, over whitened task
vectors, and a regression over hashed words (``routing.selection.classifier`` says how they are
mixed with the untrained evidence). The mixing, the gate and the confidence are fitted on cases that
were held out, and the whole is accepted only if it ranks these better than the untrained evidence
does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from routing.learning.hashed_words import fit_words
from routing.learning.labels import MOST_HELD_OUT, Fold, LabelledCase, folds, shares_of
from routing.learning.measuring import measured
from routing.learning.mixing import Seen, fit_gate, unworded, with_or_without_words
from routing.learning.reasons import FEW, NO_ENCODER, NOTHING_TWICE, Reason
from routing.learning.softmax_regression import fit_softmax
from routing.learning.untrained import read_untrained, tasks_of, vectors_of
from routing.selection.arrays import FloatArray, IntArray
from routing.selection.classifier import Classifier, learned
from routing.selection.encoders import Encoder
from routing.selection.hashed_words import HashedWords
from routing.selection.index import Index
from routing.selection.mixing import Learned, without

RIDGE = 3e-4
FLOOR = 1e-3
"""What is added to the second moments before whitening: half their mean in 512 dimensions."""
FEWEST_CASES = 20
FEWEST_UNLABELLED = 0.02
"""The share of tools without a label that the gate reckons with where there is none."""


@dataclass(frozen=True, slots=True, eq=False)
class Fitting:
    """What came of a fit: the model, what was measured, and whether it is an improvement.

    ``reason`` says why or why not; the model is ``None`` only where none could be fitted.
    """

    classifier: Classifier | None
    accepted: bool
    reason: Reason


@dataclass(frozen=True, slots=True, eq=False)
class _Taught:
    """What some cases teach, as a ``Classifier`` holds it; ``tools`` are positions."""

    tools: IntArray
    counts: IntArray
    whitening: FloatArray
    weights: FloatArray
    centroids: FloatArray
    words: HashedWords


def fit(
    index: Index,
    cases: Sequence[LabelledCase],
    *,
    seed: int,
    watch: Callable[[], object] = lambda: None,
) -> Fitting:
    """Return what comes of a fit; a model is accepted that ranks held-out cases better.

    Equal arguments give equal classifiers. Cases that no tool fits teach it what is foreign.
    ``watch`` is called between its steps, some seconds apart; what it raises ends the fit.
    """
    if index.encoder is None or index.vectors is None:
        return Fitting(None, accepted=False, reason=Reason(NO_ENCODER))
    usable, needs = _usable(index, cases)
    if len(usable) < FEWEST_CASES:
        reason = Reason(FEW, {"cases": len(usable), "least": FEWEST_CASES})
        return Fitting(None, accepted=False, reason=reason)
    shares = shares_of(needs, len(index.tools))
    candidates = index.enabled & index.selectable
    labelled = (shares > 0).max(axis=0)
    missing = float(1 - labelled[candidates].mean())
    watch()
    vectors = vectors_of(index.encoder, usable)
    parts: list[Seen] = []
    for fold in folds(shares, sparse=missing > 0, seed=seed):
        part = _held_out(index, index.encoder, usable, vectors, shares, fold, seed=seed)
        watch()
        if part is not None:
            parts.append(part)
    if not any((part.inside > 0).any() for part in parts):
        return Fitting(None, accepted=False, reason=Reason(NOTHING_TWICE))
    mixing, parts = with_or_without_words(parts)
    # A later version may have tools that nobody labelled, even where this one has none.
    apart = parts if missing > 0 else _without_some_tools(index, usable, vectors, shares, seed=seed)
    gate = fit_gate(apart, unlabelled=max(missing, FEWEST_UNLABELLED))
    watch()
    taught = _teach(index, usable, vectors, shares, seed=seed)
    none = [case for case in cases if not case.needs][:MOST_HELD_OUT]
    strangers = _strangers(index, none, taught, apart=apart)
    if not mixing.words:
        strangers = [unworded(part) for part in strangers]
    sureness, held_out, accepted, reason = measured(
        parts, strangers, mixing, gate, unlabelled=missing
    )
    watch()
    classifier = Classifier(
        encoder=index.encoder.name,
        tools=tuple(index.tools[tool] for tool in taught.tools.tolist()),
        marks=tuple(index.marks[tool] for tool in taught.tools.tolist()),
        counts=taught.counts,
        whitening=taught.whitening,
        weights=taught.weights,
        centroids=taught.centroids,
        words=taught.words if mixing.words else None,
        mixing=mixing,
        gate=gate,
        sureness=sureness,
        held_out=held_out,
        seed=seed,
    )
    return Fitting(classifier, accepted=accepted, reason=reason)


def _without_some_tools(
    index: Index,
    cases: Sequence[LabelledCase],
    vectors: FloatArray,
    shares: FloatArray,
    *,
    seed: int,
) -> list[Seen]:
    """Return what a fit to a part of the tools says, of their cases and of those of the others."""
    if index.encoder is None:
        return []
    fold = next(iter(folds(shares, sparse=True, seed=seed)))
    part = _held_out(index, index.encoder, cases, vectors, shares, fold, seed=seed)
    return [part] if part is not None else []


def _strangers(
    index: Index,
    none: Sequence[LabelledCase],
    taught: _Taught,
    *,
    apart: Sequence[Seen],
) -> list[Seen]:
    """Return tasks that no tool fits: cases that say so, and some made of those with tools.

    The latter are cases of tools that a fit knew nothing of, as if the catalog had not these tools.
    """
    found = []
    for part in apart:
        outside = np.flatnonzero(part.inside <= 0)
        if len(outside):
            of_them = part.take(outside)
            lacking = without(of_them.learned, of_them.shares > 0)
            found.append(replace(of_them, learned=lacking))
    if none and index.encoder is not None:
        empty = np.zeros((len(none), len(index.tools)), dtype=np.float32)
        found.append(
            _said(taught, index, index.encoder, none, vectors_of(index.encoder, none), empty)
        )
    return found


def _usable(
    index: Index, cases: Sequence[LabelledCase]
) -> tuple[list[LabelledCase], list[list[list[int]]]]:
    """Return the cases that some selectable tool fits, and their needs as positions."""
    kept: list[LabelledCase] = []
    needs: list[list[list[int]]] = []
    for case in cases:
        met = [
            [
                index.position[name]
                for name in need
                if name in index.position and index.selectable[index.position[name]]
            ]
            for need in case.needs
        ]
        met = [need for need in met if need]
        if met:
            kept.append(case)
            needs.append(met)
    return kept, needs


def _held_out(
    index: Index,
    encoder: Encoder,
    cases: Sequence[LabelledCase],
    vectors: FloatArray,
    shares: FloatArray,
    fold: Fold,
    *,
    seed: int,
) -> Seen | None:
    """Return what a model of a fold's fitted cases says of those held out."""
    if not shares[fold.fitted].any() or not len(fold.held_out):
        return None
    fitted = [cases[row] for row in fold.fitted.tolist()]
    taught = _teach(index, fitted, vectors[fold.fitted], shares[fold.fitted], seed=seed)
    held = [cases[row] for row in fold.held_out.tolist()]
    return _said(taught, index, encoder, held, vectors[fold.held_out], shares[fold.held_out])


def _teach(
    index: Index,
    cases: Sequence[LabelledCase],
    vectors: FloatArray,
    shares: FloatArray,
    *,
    seed: int,
) -> _Taught:
    """Return what cases teach of the tools that they took, rounded as it is stored."""
    tools = np.flatnonzero(shares.any(axis=0))
    of_tools = shares[:, tools]
    known = of_tools / of_tools.sum(axis=1, keepdims=True)
    whitening = _stored(_whitening(vectors.astype(np.float64)))
    white = vectors @ whitening
    unit = white / np.maximum(np.linalg.norm(white, axis=1, keepdims=True), 1e-6)
    means = known.T @ unit
    means /= np.maximum(np.linalg.norm(means, axis=1, keepdims=True), 1e-6)
    tasks = [case.task for case in cases]
    return _Taught(
        tools=tools,
        counts=np.asarray((of_tools > 0).sum(axis=0), dtype=np.intp),
        whitening=whitening,
        weights=_stored(fit_softmax(white, known, ridge=RIDGE)),
        centroids=_stored(means),
        words=fit_words(tasks, known, language=index.language, seed=seed),
    )


def _said(
    taught: _Taught,
    index: Index,
    encoder: Encoder,
    cases: Sequence[LabelledCase],
    vectors: FloatArray,
    shares: FloatArray,
) -> Seen:
    """Return what a model says of cases that it was not taught, and what they took."""
    tasks = tasks_of(encoder, cases, vectors)
    logistic, nearness, lengths = learned(
        tasks, whitening=taught.whitening, weights=taught.weights, centroids=taught.centroids
    )
    return Seen(
        learned=Learned(
            untrained=read_untrained(index, cases),
            tools=taught.tools,
            counts=taught.counts,
            logistic=logistic,
            nearness=nearness,
            words=taught.words.pulls(tasks.texts),
            lengths=lengths,
            several=tasks.several,
        ),
        shares=shares,
    )


def _whitening(vectors: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the inverse square root of the second moments of vectors with a floor, ``(d, d)``.

    Of fewer vectors than they are long the smaller matrix of their products says the same.
    """
    count, size = vectors.shape
    if count >= size:
        values, axes = np.linalg.eigh(vectors.T @ vectors / count)
    else:
        values, among = np.linalg.eigh(vectors @ vectors.T / count)
        known = values > 1e-9
        values = values[known]
        axes = vectors.T @ among[:, known] / np.sqrt(count * values)
    scales = 1 / np.sqrt(np.maximum(values, 0) + FLOOR) - 1 / np.sqrt(FLOOR)
    made: npt.NDArray[np.float64] = (axes * scales) @ axes.T + np.eye(size) / np.sqrt(FLOOR)
    return made


def _stored(array: npt.NDArray[np.floating]) -> FloatArray:
    return np.asarray(array, dtype=np.float16).astype(np.float32)
