"""Fit how learned and untrained evidence are mixed, on examples that the model did not see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from routing.learning.shipped.logistic import fit_logistic
from routing.selection.arrays import BoolArray, FloatArray, IntArray
from routing.selection.classifier import Sureness
from routing.selection.mixing import Gate, Learned, Mixing, gate_values, own_logits, softmax

FEW = (0.0, 1.0, 3.0)
START = Mixing(untrained=1.0, logistic=0.0, nearness=0.0, words=0.0, few=0.0)
"""What the weights are held near."""
TERMS = ("untrained", "logistic", "nearness", "words")
BEGINNING = np.array([1.0, 0.5, 5.0, 0.5])
HOLD = 0.002
ROUNDS = 40
HALVINGS = 12
LEAST = 0.02
"""What words must weigh at least, or nothing of them is kept."""


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """What a fold's model says of its held-out cases, and what they took, ``(n, tools)``."""

    learned: Learned
    shares: FloatArray

    def take(self, rows: IntArray) -> Seen:
        """Return what is said of some of the cases."""
        seen = self.learned
        kept = replace(
            seen,
            untrained=seen.untrained[rows],
            logistic=seen.logistic[rows],
            nearness=seen.nearness[rows],
            words=seen.words[rows],
            lengths=seen.lengths[rows],
            several=seen.several[rows],
        )
        return Seen(learned=kept, shares=self.shares[rows])

    @property
    def inside(self) -> FloatArray:
        """The part of each case's tools that is labelled, shape ``(n,)``."""
        return np.asarray(self.shares[:, self.learned.tools].sum(axis=1), dtype=np.float32)


def fit_mixing(parts: Sequence[Seen]) -> Mixing:
    """Return the mixing under which the tools that cases took are most probable."""
    best, least = START, np.inf
    for few in FEW:
        mixing, loss = _weighed(parts, few)
        if loss < least - 1e-4:
            best, least = mixing, loss
    return best


def with_or_without_words(parts: Sequence[Seen]) -> tuple[Mixing, list[Seen]]:
    """Return the mixing and the parts it is of: without what words say where that is next to 0."""
    mixing = fit_mixing(parts)
    if mixing.words >= LEAST:
        return mixing, list(parts)
    deaf = [unworded(part) for part in parts]
    return fit_mixing(deaf), deaf


def unworded(part: Seen) -> Seen:
    """Return the same cases as if their words said nothing."""
    return replace(part, learned=replace(part.learned, words=np.zeros_like(part.learned.words)))


def fit_gate(parts: Sequence[Seen], *, unlabelled: float) -> Gate:
    """Return the mapping to the probability that a task belongs to a labelled tool.

    ``unlabelled`` is the share of the catalog's tools without a label: tasks of such are weighed as
    if tasks were spread evenly over all tools.
    """
    values = [gate_values(part.learned) for part in parts]
    wanted = np.concatenate([part.inside for part in parts]) >= 0.5
    counts = weights_of(wanted, unlabelled=unlabelled)
    found = fit_logistic(
        np.column_stack([np.concatenate(column) for column in zip(*values, strict=True)]).tolist(),
        wanted.tolist(),
        counts.tolist(),
        names=("untrained", "nearness"),
        hold=1.0,
    )
    untrained, nearness = found.weights
    return Gate(untrained=untrained, nearness=nearness, constant=found.constant)


def fit_sureness(
    values: npt.NDArray[np.float64],
    complete: BoolArray,
    counts: npt.NDArray[np.float64],
    *,
    strangers: npt.NDArray[np.float64],
    each_stranger: float,
) -> Sureness:
    """Return the mappings from ``sureness_values``, a row a case, to completeness.

    ``strangers`` are the values of tasks that no tool fits, each of which counts so much.
    """
    of_completeness = fit_logistic(
        values[:, :3].tolist(),
        complete.tolist(),
        counts.tolist(),
        names=("kept", "nearness", "something"),
        hold=1.0,
    )
    kept, nearness, something = of_completeness.weights
    pull, words, foreign = 0.0, 0.0, 30.0
    if len(strangers):
        of_known = fit_logistic(
            np.vstack([values[:, 3:], strangers[:, 3:]]).tolist(),
            [True] * len(values) + [False] * len(strangers),
            np.append(counts, np.full(len(strangers), each_stranger)).tolist(),
            names=("pull", "words"),
            hold=0.05,
        )
        (pull, words), foreign = of_known.weights, of_known.constant
    return Sureness(
        kept=kept,
        nearness=nearness,
        something=something,
        constant=of_completeness.constant,
        pull=pull,
        words=words,
        foreign=foreign,
    )


def weights_of(labelled: BoolArray, *, unlabelled: float) -> npt.NDArray[np.float64]:
    """Return what each case counts, 1 on average, so that both kinds have their share."""
    counts = np.ones(len(labelled))
    for mask, share in ((labelled, 1 - unlabelled), (~labelled, unlabelled)):
        if mask.any():
            counts[mask] = share / mask.sum()
    return np.asarray(counts / counts.mean(), dtype=np.float64)


def _weighed(parts: Sequence[Seen], few: float) -> tuple[Mixing, float]:
    """Return the best weights for one value of ``few``, none below 0, and the loss.

    A softmax regression of one weight a term by projected Newton steps on the penalised
    likelihood: a weight that is 0 stays there for as long as more of it would be worse.
    """
    weights = BEGINNING.copy()
    columns = [_columns(part, few) for part in parts]
    near = np.array([getattr(START, name) for name in TERMS])
    loss = _penalised(columns, weights, near)
    for _ in range(ROUNDS):
        slope, curve = _slope(columns, weights)
        slope += HOLD * (weights - near)
        curve += HOLD * np.eye(len(TERMS))
        chosen = np.flatnonzero((weights > 0) | (slope < 0))
        move = np.zeros(len(TERMS))
        move[chosen] = np.linalg.solve(curve[np.ix_(chosen, chosen)], slope[chosen])
        for halving in range(HALVINGS):
            following = np.maximum(weights - move / 2**halving, 0)
            after = _penalised(columns, following, near)
            if after <= loss:
                break
        else:
            break
        done = bool(np.abs(following - weights).max() < 1e-4)
        weights, loss = following, after
        if done:
            break
    found = dict(zip(TERMS, map(float, weights), strict=True))
    return replace(START, few=few, **found), loss


def _columns(part: Seen, few: float) -> tuple[FloatArray, FloatArray]:
    """Return the terms of each labelled tool's logit, ``(n, labelled, terms)``, and the parts."""
    rows = np.flatnonzero(part.inside > 0)
    seen = part.learned
    kept = replace(
        part.take(rows).learned,
        untrained=np.maximum(seen.untrained[rows], -30),
        several=np.zeros(len(rows), dtype=np.bool_),
    )
    silent = replace(START, untrained=0.0, few=few)
    terms = [own_logits(kept, replace(silent, **{name: 1.0})) for name in TERMS]
    shares = part.shares[np.ix_(rows, seen.tools)]
    return np.stack(terms, axis=-1), shares / shares.sum(axis=1, keepdims=True)


def _penalised(
    columns: Sequence[tuple[FloatArray, FloatArray]],
    weights: npt.NDArray[np.float64],
    near: npt.NDArray[np.float64],
) -> float:
    """Return the mean loss at some weights, and what holds these."""
    lost = sum(
        -float((shares * np.log(np.maximum(_believed(terms, weights), 1e-9))).sum())
        for terms, shares in columns
        if len(terms)
    )
    count = max(sum(len(terms) for terms, _ in columns), 1)
    return lost / count + HOLD / 2 * float(((weights - near) ** 2).sum())


def _believed(terms: FloatArray, weights: npt.NDArray[np.float64]) -> FloatArray:
    return softmax(np.asarray(terms @ weights.astype(np.float32), dtype=np.float32))


def _slope(
    columns: Sequence[tuple[FloatArray, FloatArray]], weights: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the gradient and the curvature of the mean loss at some weights."""
    size, count = len(weights), 0
    slope, curve = np.zeros(size), np.zeros((size, size))
    for terms, shares in columns:
        if not len(terms):
            continue
        believed = _believed(terms, weights)
        slope += np.einsum("nt,ntk->k", believed - shares, terms, optimize=True)
        mean = np.einsum("nt,ntk->nk", believed, terms, optimize=True)
        weighed = terms * np.sqrt(believed)[:, :, None]
        flat = weighed.reshape(-1, size)
        curve += flat.T @ flat - mean.T @ mean
        count += len(terms)
    count = max(count, 1)
    return slope / count, curve / count
