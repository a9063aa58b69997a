"""What a fit says of cases that were held out of it: how good it is, and how sure it may be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from routing.learning.mixing import Seen, fit_sureness, weights_of
from routing.learning.reasons import BETTER_RANKING, CHANCE, RECALL_FALLS, Reason
from routing.selection.arrays import FloatArray, IntArray
from routing.selection.classifier import HeldOut, Sureness
from routing.selection.mixing import (
    Gate,
    Mixing,
    mixed,
    nearest_served,
    pull_served,
    softmax,
    something,
    words_served,
)
from routing.selection.strategies.classifier import keep, sureness_values

CAP = 7
NOTHING = 0.05
"""What tasks that no tool fits count beside those that some tool fits, where confidence is fitted.

Without them nothing would say that a task can be foreign to all examples.
"""
CERTAIN = 1.64
"""How many standard errors a gain on held-out cases must be above 0 to be believed."""


def measured(
    parts: Sequence[Seen],
    strangers: Sequence[Seen],
    mixing: Mixing,
    gate: Gate | None,
    *,
    unlabelled: float,
) -> tuple[Sureness, HeldOut, bool, Reason]:
    """Return the confidence, the measures on held-out cases, whether they are a gain, and why.

    ``strangers`` are tasks for which the catalog has nothing, as far as the fit can know.
    """
    told = [one for part in parts for one in _told(part, mixing, gate)]
    nothing = [one.values for part in strangers for one in _told(part, mixing, gate)]
    counts = weights_of(np.array([each.inside for each in told]), unlabelled=unlabelled)
    after = np.array([each.trained for each in told])
    first = np.array([each.untrained for each in told])
    sureness = fit_sureness(
        np.array([each.values for each in told], dtype=np.float64),
        np.array([each.complete for each in told]),
        counts,
        strangers=np.array(nothing, dtype=np.float64).reshape(len(nothing), 5),
        each_stranger=NOTHING * len(told) / max(len(nothing), 1),
    )
    means = [np.average(array, axis=0, weights=counts) for array in (first, after)]
    held_out = HeldOut(
        cases=len(after),
        untrained_recall=round(float(means[0][0]), 4),
        trained_recall=round(float(means[1][0]), 4),
        untrained_ndcg=round(float(means[0][1]), 4),
        trained_ndcg=round(float(means[1][1]), 4),
    )
    return sureness, held_out, *verdict_on(after - first, first[:, 1], counts)


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
    pull, words = pull_served(part.learned), words_served(part.learned)
    believed = something(part.learned.untrained)
    found: list[Told] = []
    for row in range(len(beliefs)):
        wanted = np.flatnonzero(part.shares[row] > 0)
        order = np.argsort(-beliefs[row], kind="stable")
        chosen = keep(beliefs[row], order, cap=CAP, inclusive=False)
        found.append(
            Told(
                values=sureness_values(
                    beliefs[row],
                    chosen,
                    nearest=float(nearest[row]),
                    believed=float(believed[row]),
                    pull=float(pull[row]),
                    words=float(words[row]),
                ),
                complete=set(wanted.tolist()) <= set(chosen),
                inside=bool(part.inside[row] >= 0.5),
                trained=_quality(order, wanted),
                untrained=_quality(np.argsort(-before[row], kind="stable"), wanted),
            )
        )
    return found


def verdict_on(
    gains: npt.NDArray[np.float64],
    before: npt.NDArray[np.float64],
    counts: npt.NDArray[np.float64],
) -> tuple[bool, Reason]:
    """Tell whether gains of recall@1 and NDCG@10, shape ``(n, 2)``, are more than chance, and why.

    ``before`` is the NDCG@10 of each case before, ``counts`` what each counts.
    """
    recall, ndcg = np.average(gains, axis=0, weights=counts)
    spread = np.average((gains[:, 1] - ndcg) ** 2, weights=counts)
    error = np.sqrt(spread * (counts**2).sum()) / counts.sum()
    cases = len(gains)
    if ndcg <= CERTAIN * error:
        return False, Reason(CHANCE, {"cases": cases, "gain": f"{ndcg:+.3f}"})
    if recall < 0:
        return False, Reason(RECALL_FALLS, {"cases": cases, "loss": f"{-recall:.3f}"})
    first = float(np.average(before, weights=counts))
    said: dict[str, str | int] = {
        "cases": cases,
        "before": f"{first:.3f}",
        "after": f"{first + ndcg:.3f}",
    }
    return True, Reason(BETTER_RANKING, said)


def _quality(order: IntArray, wanted: IntArray) -> tuple[float, float]:
    """Return recall@1 and NDCG@10 of an order of tools."""
    if not len(wanted):
        return 0.0, 0.0
    best = np.isin(order[:10], wanted)
    places = 1 / np.log2(np.arange(2, 12))
    gained = float(places[: len(best)][best].sum())
    return float(best[0]) / len(wanted), gained / float(places[: min(len(wanted), 10)].sum())
