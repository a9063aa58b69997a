"""Fit a catalog's own mapping to a confidence to its labelled cases, and say whether it is better.

A case is tried as an agent would be answered; what was proposed is complete where it holds what the
case needs, whatever the threshold. So much was known of public catalogs when the shipped mapping
was fitted; here it is known of this one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from routing.evaluation.queries import encode_ahead
from routing.learning.held import fit_held
from routing.learning.reasons import ALIKE, FEW, Reason
from routing.selection import Circumstances, Index, Query, Strategy
from routing.selection.calibration import SHIPPED, Calibration, Way, mark_of
from routing.selection.confidence import MOST_CERTAIN, VALUES
from routing.selection.pipeline import decide
from routing.selection.weights import Logistic

HOLD = 16.0
FOLDS = 5
FEWEST_CASES = 20
FEWEST_OF_A_KIND = 4
AT_A_TIME = 64

Needs = Sequence[frozenset[int]]
_Floats = npt.NDArray[np.float64]
_Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """A case as it is asked: the query, and what it needs, as positions of tools."""

    query: Query
    needs: Needs


@dataclass(frozen=True, slots=True, eq=False)
class Observed:
    """What the confidence of cases went by, ``(n, values)``, and which proposals were complete.

    ``shipped`` is what the shipped mapping said. Cases for which nothing was estimated are left
    out: what a rule decides is certain.
    """

    way: Way
    names: tuple[str, ...]
    values: _Floats
    shipped: _Floats
    complete: _Bools


@dataclass(frozen=True, slots=True, eq=False)
class CalibrationFit:
    """What came of a fit: the mapping, and what it said of each case held out of its own fit.

    ``told`` has shape ``(n,)``, the observed cases' order. ``reason`` says why there is none.
    """

    calibration: Calibration | None
    told: _Floats
    reason: Reason | None = None


def observe(
    index: Index, cases: Sequence[Asked], *, watch: Callable[[int], object] = lambda made: None
) -> Observed:
    """Try cases with the shipped mapping, and return what came of them.

    ``watch`` is told how many are tried, every ``AT_A_TIME``.
    """
    bare = replace(index, calibration=None)
    strategy, way = _way(index)
    names = (SHIPPED,) if way is Way.GROUPS else (SHIPPED, *VALUES)
    rows: list[list[float]] = []
    shipped: list[float] = []
    complete: list[bool] = []
    for start in range(0, len(cases), AT_A_TIME):
        part = cases[start : start + AT_A_TIME]
        encode_ahead(index, [case.query for case in part])
        for case in part:
            decision = decide(replace(case.query, strategy=strategy), bare, Circumstances())
            proposal = decision.proposal
            if proposal is None or not proposal.values or decision.selection.failure is not None:
                continue
            rows.append([proposal.values[name] for name in names])
            shipped.append(proposal.confidence)
            proposed = frozenset(decision.proposed)
            complete.append(all(need & proposed for need in case.needs))
        watch(start + len(part))
    return Observed(
        way=way,
        names=names,
        values=np.array(rows, dtype=np.float64).reshape(len(rows), len(names)),
        shipped=np.array(shipped, dtype=np.float64),
        complete=np.array(complete, dtype=np.bool_),
    )


def fit_calibration(index: Index, seen: Observed, *, seed: int) -> CalibrationFit:
    """Return a mapping fitted to what was observed, and what folds of it say of the rest.

    Equal arguments give equal mappings. There is none where there are too few cases of a kind.
    """
    nothing = np.zeros(0)
    count = len(seen.complete)
    if count < FEWEST_CASES:
        return CalibrationFit(None, nothing, Reason(FEW, {"cases": count, "least": FEWEST_CASES}))
    rarer = int(min(seen.complete.sum(), (~seen.complete).sum()))
    if rarer < FEWEST_OF_A_KIND:
        return CalibrationFit(
            None, nothing, Reason(ALIKE, {"cases": rarer, "least": FEWEST_OF_A_KIND})
        )
    part = np.random.default_rng(seed).permutation(count) % FOLDS
    told = np.zeros(count)
    for number in range(FOLDS):
        out = part == number
        told[out] = said(_fitted(seen, ~out), seen.values[out])
    semantic = index.encoder is not None and index.semantic
    numbers = index.weights if semantic else index.weights_of_words
    made = Calibration(
        way=seen.way,
        encoder=index.encoder.name if semantic and index.encoder is not None else "none",
        weights=mark_of(numbers),
        logistic=_fitted(seen, np.ones(count, dtype=np.bool_)),
        cases=count,
        seed=seed,
    )
    return CalibrationFit(made, told)


def said(logistic: Logistic, rows: _Floats) -> _Floats:
    """Return the confidences that a mapping gives rows of values, as a selection rounds them."""
    logits = rows @ np.array(logistic.weights) + logistic.constant
    found = 1 / (1 + np.exp(-np.clip(logits, -30, 30)))
    return np.asarray(np.minimum(found, MOST_CERTAIN).round(4), dtype=np.float64)


def _fitted(seen: Observed, which: _Bools) -> Logistic:
    return fit_held(
        seen.values[which], seen.complete[which], names=seen.names, near=SHIPPED, hold=HOLD
    )


def _way(index: Index) -> tuple[Strategy, Way]:
    if index.settings.strategy is Strategy.HIERARCHICAL:
        return Strategy.HIERARCHICAL, Way.HIERARCHICAL
    return Strategy.EMBEDDING, Way.GROUPS if index.groups_are_shown else Way.TOOLS
