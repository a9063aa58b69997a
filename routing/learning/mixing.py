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
START = Mixing(untrained=1.0, logistic=0.0, nearness=0.0, few=0.0)
HOLD = 0.002
ROUNDS = 40


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
    pull, foreign = 0.0, 30.0
    if len(strangers):
        of_known = fit_logistic(
            np.append(values[:, 3], strangers[:, 3])[:, None].tolist(),
            [True] * len(values) + [False] * len(strangers),
            np.append(counts, np.full(len(strangers), each_stranger)).tolist(),
            names=("pull",),
            hold=0.05,
        )
        (pull,), foreign = of_known.weights, of_known.constant
    return Sureness(
        kept=kept,
        nearness=nearness,
        something=something,
        constant=of_completeness.constant,
        pull=pull,
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

    A softmax regression of three weights by Newton's method on the penalised likelihood.
    """
    free = [True, True, True]
    weights = np.array([1.0, 0.5, 5.0])
    columns = [_columns(part, few) for part in parts]
    loss = np.inf
    for _ in range(ROUNDS):
        slope, curve, loss = _slope(columns, weights)
        slope += HOLD * (weights - np.array([1.0, 0.0, 0.0]))
        curve += HOLD * np.eye(3)
        chosen = np.flatnonzero(free)
        move = np.zeros(3)
        move[chosen] = np.linalg.solve(curve[np.ix_(chosen, chosen)], slope[chosen])
        following = weights - np.clip(move, -2.0, 2.0)
        for number in range(3):
            if following[number] < 0:
                following[number], free[number] = 0.0, False
        done = bool(np.abs(following - weights).max() < 1e-4)
        weights = following
        if done:
            break
    untrained, logistic, nearness = map(float, weights)
    return replace(
        START, untrained=untrained, logistic=logistic, nearness=nearness, few=few
    ), float(loss)


def _columns(part: Seen, few: float) -> tuple[FloatArray, FloatArray]:
    """Return the three terms of each labelled tool's logit, ``(n, labelled, 3)``, and the parts."""
    rows = np.flatnonzero(part.inside > 0)
    seen = part.learned
    kept = replace(
        part.take(rows).learned,
        untrained=np.maximum(seen.untrained[rows], -30),
        several=np.zeros(len(rows), dtype=np.bool_),
    )
    terms = [
        own_logits(kept, Mixing(untrained=a, logistic=b, nearness=c, few=few))
        for a, b, c in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    ]
    shares = part.shares[np.ix_(rows, seen.tools)]
    return np.stack(terms, axis=-1), shares / shares.sum(axis=1, keepdims=True)


def _slope(
    columns: Sequence[tuple[FloatArray, FloatArray]], weights: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], float]:
    """Return the gradient, the curvature and the mean loss at some weights."""
    slope, curve, loss, count = np.zeros(3), np.zeros((3, 3)), 0.0, 0
    for terms, shares in columns:
        if not len(terms):
            continue
        believed = softmax(np.asarray(terms @ weights.astype(np.float32), dtype=np.float32))
        slope += np.einsum("nt,ntk->k", believed - shares, terms, optimize=True)
        mean = np.einsum("nt,ntk->nk", believed, terms, optimize=True)
        weighed = terms * np.sqrt(believed)[:, :, None]
        flat = weighed.reshape(-1, 3)
        curve += flat.T @ flat - mean.T @ mean
        loss -= float((shares * np.log(np.maximum(believed, 1e-9))).sum())
        count += len(terms)
    count = max(count, 1)
    return slope / count, curve / count, loss / count
