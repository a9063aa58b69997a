"""Hold what is live and what was fitted against cases that nothing was fitted to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from routing.evaluation.cases import Case
from routing.evaluation.judging import judge, memberships
from routing.evaluation.outcomes import Bools, Floats, Outcomes, gathered
from routing.evaluation.paired import Difference
from routing.evaluation.queries import encode_ahead, query_of
from routing.evaluation.side_by_side import side_by_side
from routing.learning.calibration import AT_A_TIME
from routing.selection import Circumstances, Index
from routing.selection.pipeline import decide
from routing.selection.uncut import uncut

BINS = 10
MEASURES = (
    "coverage",
    "mean_tools",
    "recall@1",
    "ndcg@10",
    "none_auroc",
    "proposed_ece",
    "proposed_brier_skill",
    "proposed_auroc",
)
"""What is shown of both sides; the first four are means, whose difference has an interval."""


def outcomes_on(
    index: Index, cases: Sequence[Case], *, watch: Callable[[int], object] = lambda made: None
) -> Outcomes:
    """Return what comes of cases with the catalog's own strategy and threshold."""
    homes = memberships(index)
    found = []
    for start in range(0, len(cases), AT_A_TIME):
        part = cases[start : start + AT_A_TIME]
        encode_ahead(index, part)
        for case in part:
            decision = decide(query_of(case, index), index, Circumstances())
            found.append(judge(case, uncut(decision), index, homes=homes, seconds=0.0))
        watch(start + len(part))
    return gathered(found)


def compared(before: Outcomes, after: Outcomes, *, seed: int) -> dict[str, dict[str, Any]]:
    """Return each measure of the same cases ``before`` and ``after``, JSON values.

    ``{"before": x, "after": x, "interval": [low, high] or None}``; the interval is of the
    difference, by a paired bootstrap, where the measure is a mean over cases.
    """
    both = side_by_side(before, after, seed=seed)
    found: dict[str, dict[str, Any]] = {}
    for name in MEASURES:
        if (one := both.get(name)) is None:
            continue
        interval = one.difference.interval if one.difference is not None else None
        found[name] = {
            "before": _rounded(one.before),
            "after": _rounded(one.after),
            "interval": [round(end, 4) for end in interval] if interval else None,
        }
    return found


def coverage_falls(before: Outcomes, after: Outcomes, *, seed: int) -> Difference | None:
    """Return the difference of coverage where it falls by more than chance."""
    one = side_by_side(before, after, seed=seed).get("coverage")
    if one is None or one.difference is None:
        return None
    found = one.difference
    return found if found.interval is not None and found.interval[1] < 0 else None


def reliability(outcomes: Outcomes) -> list[dict[str, float | int]]:
    """Return what a confidence said and what was so, in tenths that hold any case.

    ``{"low", "high", "cases", "said", "complete"}``: of selections that some tool fits and whose
    confidence is an estimate, whether what was proposed holds all that is needed.
    """
    which = (outcomes.needs > 0) & ~outcomes.assumed
    return bins_of(outcomes.confidence[which], outcomes.proposed_covered[which])


def bins_of(confidence: Floats, complete: Bools) -> list[dict[str, float | int]]:
    """Return the tenths of confidences that hold any case."""
    places = np.minimum((confidence * BINS).astype(np.intp), BINS - 1)
    found: list[dict[str, float | int]] = []
    for place in range(BINS):
        inside = places == place
        if inside.any():
            found.append(
                {
                    "low": place / BINS,
                    "high": (place + 1) / BINS,
                    "cases": int(inside.sum()),
                    "said": round(float(confidence[inside].mean()), 4),
                    "complete": round(float(complete[inside].mean()), 4),
                }
            )
    return found


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
