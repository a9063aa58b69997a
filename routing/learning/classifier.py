"""Fit a classifier to the labelled cases of a catalog, and say whether it is worth having.

What is fitted is a logistic regression and the mean of each tool's examples, over whitened task
vectors (``routing.selection.classifier`` says how they are mixed with the untrained evidence). The
mixing, the gate and the confidence are fitted on cases that were held out, and the whole is
accepted only if it ranks these better than the untrained evidence does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from routing.learning.labels import Fold, LabelledCase, folds, shares_of
from routing.learning.mixing import Seen, fit_gate, fit_mixing, fit_sureness, weights_of
from routing.learning.softmax_regression import fit_softmax
from routing.learning.untrained import read_untrained, tasks_of, vectors_of
from routing.selection.arrays import FloatArray, IntArray
from routing.selection.classifier import Classifier, HeldOut, Sureness, learned
from routing.selection.encoders import Encoder
from routing.selection.index import Index
from routing.selection.mixing import (
    Gate,
    Learned,
    Mixing,
    mixed,
    nearest_served,
    softmax,
    something,
    without,
)
from routing.selection.strategies.classifier import keep, sureness_values

RIDGE = 3e-4
FLOOR = 1e-3
"""What is added to the second moments before whitening: half their mean in 512 dimensions."""
FEWEST_CASES = 20
CAP = 7
NOTHING = 0.07
"""What a task that no tool fits counts beside one that some tool fits, where confidence is fitted.

Such tasks are made of the held-out ones: each once more, as if the catalog had not the tools that
it needs. Without them nothing would say that a task can be foreign to all examples.
"""
CERTAIN = 1.64
"""How many standard errors a gain on held-out cases must be above 0 to be believed."""


@dataclass(frozen=True, slots=True, eq=False)
class Fitting:
    """What came of a fit: the model, what was measured, and whether it is an improvement.

    ``reason`` says why it is none; the model is ``None`` only where none could be fitted.
    """

    classifier: Classifier | None
    accepted: bool
    reason: str


def fit_classifier(index: Index, cases: Sequence[LabelledCase], *, seed: int) -> Classifier | None:
    """Return a classifier that ranks held-out cases better than the untrained evidence; else none.

    Equal arguments give equal classifiers. Cases that no tool fits are left out.
    """
    fitting = fit(index, cases, seed=seed)
    return fitting.classifier if fitting.accepted else None


def fit(index: Index, cases: Sequence[LabelledCase], *, seed: int) -> Fitting:
    """Return what comes of a fit, accepted or not; ``fit_classifier`` says more."""
    if index.encoder is None or index.vectors is None:
        return Fitting(None, accepted=False, reason="The release has no encoder.")
    usable, needs = _usable(index, cases)
    if len(usable) < FEWEST_CASES:
        reason = f"{len(usable)} labelled cases are too few; {FEWEST_CASES} is the least."
        return Fitting(None, accepted=False, reason=reason)
    shares = shares_of(needs, len(index.tools))
    candidates = index.enabled & index.selectable
    labelled = (shares > 0).max(axis=0)
    missing = float(1 - labelled[candidates].mean())
    vectors = vectors_of(index.encoder, usable)
    parts: list[Seen] = []
    for fold in folds(shares, sparse=missing > 0, seed=seed):
        part = _held_out(index, index.encoder, usable, vectors, shares, fold)
        if part is not None:
            parts.append(part)
    if not any((part.inside > 0).any() for part in parts):
        reason = "No tool has two examples, so that nothing can be held out."
        return Fitting(None, accepted=False, reason=reason)
    mixing = fit_mixing(parts)
    gate = fit_gate(parts, unlabelled=missing) if missing > 0 else None
    sureness, held_out, gain = _measured(parts, mixing, gate, unlabelled=missing)
    tools = np.flatnonzero(shares.any(axis=0))
    whitening, weights, centroids = _model(vectors, shares[:, tools])
    classifier = Classifier(
        encoder=index.encoder.name,
        tools=tuple(index.tools[tool] for tool in tools.tolist()),
        marks=tuple(index.marks[tool] for tool in tools.tolist()),
        counts=np.asarray((shares[:, tools] > 0).sum(axis=0), dtype=np.intp),
        whitening=whitening,
        weights=weights,
        centroids=centroids,
        mixing=mixing,
        gate=gate,
        sureness=sureness,
        held_out=held_out,
        seed=seed,
    )
    return Fitting(classifier, accepted=not gain, reason=gain)


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
) -> Seen | None:
    """Return what a model of a fold's fitted cases says of those held out."""
    tools = np.flatnonzero(shares[fold.fitted].any(axis=0))
    if not len(tools) or not len(fold.held_out):
        return None
    whitening, weights, centroids = _model(vectors[fold.fitted], shares[np.ix_(fold.fitted, tools)])
    held = [cases[row] for row in fold.held_out.tolist()]
    tasks = tasks_of(encoder, held, vectors[fold.held_out])
    seen = learned(tasks, whitening=whitening, weights=weights, centroids=centroids)
    return Seen(
        learned=Learned(
            untrained=read_untrained(index, held),
            tools=tools,
            counts=np.asarray((shares[np.ix_(fold.fitted, tools)] > 0).sum(axis=0), dtype=np.intp),
            logistic=seen[0],
            nearness=seen[1],
            several=tasks.several,
        ),
        shares=shares[fold.held_out],
    )


def _model(vectors: FloatArray, shares: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the whitening, the weights and the centroids, rounded as they are stored."""
    moments = vectors.T @ vectors / np.float32(len(vectors))
    values, axes = np.linalg.eigh(moments.astype(np.float64))
    whitening = _stored(axes / np.sqrt(np.maximum(values, 0) + FLOOR))
    white = vectors @ whitening
    known = shares / shares.sum(axis=1, keepdims=True)
    weights = fit_softmax(white, known, ridge=RIDGE)
    unit = white / np.maximum(np.linalg.norm(white, axis=1, keepdims=True), 1e-6)
    means = known.T @ unit
    means /= np.maximum(np.linalg.norm(means, axis=1, keepdims=True), 1e-6)
    return whitening, _stored(weights), _stored(means)


def _stored(array: npt.NDArray[np.floating]) -> FloatArray:
    return np.asarray(array, dtype=np.float16).astype(np.float32)


def _measured(
    parts: Sequence[Seen], mixing: Mixing, gate: Gate | None, *, unlabelled: float
) -> tuple[Sureness, HeldOut, str]:
    """Return the confidence, the measures on held-out cases, and why they are no gain, if so."""
    told: list[Told] = []
    nothing: list[FloatArray] = []
    for part in parts:
        told += _told(part, mixing, gate)
        lacking = replace(part, learned=without(part.learned, part.shares > 0))
        nothing += [each.values for each in _told(lacking, mixing, gate)]
    counts = weights_of(np.array([each.inside for each in told]), unlabelled=unlabelled)
    after = np.array([each.trained for each in told])
    first = np.array([each.untrained for each in told])
    sureness = fit_sureness(
        np.array([*(each.values for each in told), *nothing]),
        np.array([*(each.complete for each in told), *(False for _ in nothing)]),
        np.append(counts, np.full(len(nothing), NOTHING)),
    )
    means = [np.average(array, axis=0, weights=counts) for array in (first, after)]
    held_out = HeldOut(
        cases=len(after),
        untrained_recall=round(float(means[0][0]), 4),
        trained_recall=round(float(means[1][0]), 4),
        untrained_ndcg=round(float(means[0][1]), 4),
        trained_ndcg=round(float(means[1][1]), 4),
    )
    return sureness, held_out, _no_gain(after - first, counts)


@dataclass(frozen=True, slots=True, eq=False)
class Told:
    """A held-out case: what its confidence goes by, whether what is kept is complete, quality."""

    values: FloatArray
    complete: bool
    inside: bool
    trained: tuple[float, float]
    untrained: tuple[float, float]


def _told(part: Seen, mixing: Mixing, gate: Gate | None) -> list[Told]:
    beliefs = mixed(part.learned, mixing, gate)
    before = softmax(part.learned.untrained)
    nearest = nearest_served(part.learned)
    believed = something(part.learned.untrained)
    found: list[Told] = []
    for row in range(len(beliefs)):
        wanted = np.flatnonzero(part.shares[row] > 0)
        order = np.argsort(-beliefs[row], kind="stable")
        chosen = keep(beliefs[row], order, cap=CAP, inclusive=False)
        found.append(
            Told(
                values=sureness_values(
                    beliefs[row], chosen, float(nearest[row]), float(believed[row])
                ),
                complete=set(wanted.tolist()) <= set(chosen),
                inside=bool(part.inside[row] >= 0.5),
                trained=_quality(order, wanted),
                untrained=_quality(np.argsort(-before[row], kind="stable"), wanted),
            )
        )
    return found


def _no_gain(gains: npt.NDArray[np.float64], counts: npt.NDArray[np.float64]) -> str:
    """Say why gains, shape ``(n, 2)``, are none; nothing if they are some."""
    recall, ndcg = np.average(gains, axis=0, weights=counts)
    spread = np.average((gains[:, 1] - ndcg) ** 2, weights=counts)
    error = np.sqrt(spread * (counts**2).sum()) / counts.sum()
    if ndcg <= CERTAIN * error:
        return f"NDCG@10 of held-out cases gains {ndcg:+.4f}, which may be chance."
    if recall < 0:
        return f"recall@1 of held-out cases falls by {-recall:.4f}."
    return ""


def _quality(order: IntArray, wanted: IntArray) -> tuple[float, float]:
    """Return recall@1 and NDCG@10 of an order of tools."""
    best = np.isin(order[:10], wanted)
    places = 1 / np.log2(np.arange(2, 12))
    gained = float(places[: len(best)][best].sum())
    return float(best[0]) / len(wanted), gained / float(places[: min(len(wanted), 10)].sum())
