"""Hold what is live and what was fitted against cases that nothing was fitted to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from routing.evaluation.cases import Case
from routing.evaluation.judging import judge, memberships
from routing.evaluation.measures import measured
from routing.evaluation.outcomes import Bools, Floats, Outcomes, gathered
from routing.evaluation.paired import Difference, Values, paired_differences
from routing.learning.calibration import AT_A_TIME, encode_ahead
from routing.selection import Circumstances, Index, Query
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


def query_of(case: Case, index: Index) -> Query:
    """Return what an agent would ask for a case; a phase counts only where there are any."""
    return Query(
        task=case.task,
        history=case.history,
        phase=case.phase if index.phases else None,
        channel=case.channel,
        route=case.route,
    )


def outcomes_on(
    index: Index, cases: Sequence[Case], *, watch: Callable[[int], object] = lambda made: None
) -> Outcomes:
    """Return what comes of cases with the catalog's own strategy and threshold."""
    homes = memberships(index)
    found = []
    for start in range(0, len(cases), AT_A_TIME):
        part = cases[start : start + AT_A_TIME]
        encode_ahead(index, [query_of(case, index) for case in part])
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
    means = differences(before, after, seed=seed)
    one, other = measured(before), measured(after)
    found: dict[str, dict[str, Any]] = {}
    for name in MEASURES:
        if one[name] is None and other[name] is None:
            continue
        difference = means.get(name)
        interval = difference.interval if difference is not None else None
        found[name] = {
            "before": _rounded(one[name]),
            "after": _rounded(other[name]),
            "interval": [round(end, 4) for end in interval] if interval else None,
        }
    return found


def differences(before: Outcomes, after: Outcomes, *, seed: int) -> Mapping[str, Difference | None]:
    """Return the paired differences of the measures that are means."""
    expecting = before.needs > 0
    needs = np.maximum(before.needs, 1)
    values: dict[str, Values] = {
        "coverage": (before.covered, after.covered, expecting),
        "mean_tools": (before.tools, after.tools, expecting),
        "recall@1": (before.met[:, 0] / needs, after.met[:, 0] / needs, expecting),
        "ndcg@10": (before.ndcg, after.ndcg, expecting),
    }
    return paired_differences(values, seed=seed)


def coverage_falls(before: Outcomes, after: Outcomes, *, seed: int) -> Difference | None:
    """Return the difference of coverage where it falls by more than chance."""
    found = differences(before, after, seed=seed)["coverage"]
    falls = found is not None and found.interval is not None and found.interval[1] < 0
    return found if falls else None


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
