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
from routing.selection.arrays import FloatArray
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
    strangers = _strangers(index, cases, usable, vectors, shares, apart=apart, seed=seed)
    if not mixing.words:
        strangers = [unworded(part) for part in strangers]
    sureness, held_out, accepted, reason = measured(
        parts, strangers, mixing, gate, unlabelled=missing
    )
    watch()
    tools = np.flatnonzero(shares.any(axis=0))
    whitening, weights, centroids = _model(vectors, shares[:, tools])
    words = _words(index, usable, shares[:, tools], seed=seed) if mixing.words else None
    classifier = Classifier(
        encoder=index.encoder.name,
        tools=tuple(index.tools[tool] for tool in tools.tolist()),
        marks=tuple(index.marks[tool] for tool in tools.tolist()),
        counts=np.asarray((shares[:, tools] > 0).sum(axis=0), dtype=np.intp),
        whitening=whitening,
        weights=weights,
        centroids=centroids,
        words=words,
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
    cases: Sequence[LabelledCase],
    usable: Sequence[LabelledCase],
    vectors: FloatArray,
    shares: FloatArray,
    *,
    apart: Sequence[Seen],
    seed: int,
) -> list[Seen]:
    """Return tasks that no tool fits: cases that say so, and some made of those with tools.

    These are cases of tools that a fit knew nothing of, as if the catalog had not these tools.
    """
    found = []
    for part in apart:
        outside = np.flatnonzero(part.inside <= 0)
        if len(outside):
            of_them = part.take(outside)
            lacking = without(of_them.learned, of_them.shares > 0)
            found.append(replace(of_them, learned=lacking))
    none = [case for case in cases if not case.needs][:MOST_HELD_OUT]
    if none and index.encoder is not None:
        empty = np.zeros((len(none), shares.shape[1]), dtype=np.float32)
        every = Fold(
            fitted=np.arange(len(usable)),
            held_out=np.arange(len(usable), len(usable) + len(none)),
            unlabelled=np.zeros(shares.shape[1], dtype=np.bool_),
        )
        together = np.vstack([vectors, vectors_of(index.encoder, none)])
        part_of_none = _held_out(
            index,
            index.encoder,
            [*usable, *none],
            together,
            np.vstack([shares, empty]),
            every,
            seed=seed,
        )
        found += [part_of_none] if part_of_none is not None else []
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
    tools = np.flatnonzero(shares[fold.fitted].any(axis=0))
    if not len(tools) or not len(fold.held_out):
        return None
    taught = shares[np.ix_(fold.fitted, tools)]
    whitening, weights, centroids = _model(vectors[fold.fitted], taught)
    words = _words(index, [cases[row] for row in fold.fitted.tolist()], taught, seed=seed)
    held = [cases[row] for row in fold.held_out.tolist()]
    tasks = tasks_of(encoder, held, vectors[fold.held_out])
    seen = learned(tasks, whitening=whitening, weights=weights, centroids=centroids)
    return Seen(
        learned=Learned(
            untrained=read_untrained(index, held),
            tools=tools,
            counts=np.asarray((taught > 0).sum(axis=0), dtype=np.intp),
            logistic=seen[0],
            nearness=seen[1],
            words=words.pulls(tasks.texts),
            lengths=seen[2],
            several=tasks.several,
        ),
        shares=shares[fold.held_out],
    )


def _words(
    index: Index, cases: Sequence[LabelledCase], shares: FloatArray, *, seed: int
) -> HashedWords:
    known = shares / shares.sum(axis=1, keepdims=True)
    return fit_words([case.task for case in cases], known, language=index.language, seed=seed)


def _model(vectors: FloatArray, shares: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the whitening, the weights and the centroids, rounded as they are stored."""
    whitening = _stored(_whitening(vectors.astype(np.float64)))
    white = vectors @ whitening
    known = shares / shares.sum(axis=1, keepdims=True)
    weights = fit_softmax(white, known, ridge=RIDGE)
    unit = white / np.maximum(np.linalg.norm(white, axis=1, keepdims=True), 1e-6)
    means = known.T @ unit
    means /= np.maximum(np.linalg.norm(means, axis=1, keepdims=True), 1e-6)
    return whitening, _stored(weights), _stored(means)


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
