"""The measures of an evaluation, each from outcomes alone.

Cases without expected tools enter only ``none_auroc`` and ``none_fallback_rate``. Group measures
are over the cases that expect a group. Measures of a confidence leave out those that are assumed: a
rule's 1.0 is no estimate. A measure without a case to be measured on is ``None``.

``proposed_*`` are over what would have been served were no confidence too low. A fallback to no
tools at all covers nothing, whatever its confidence said of the proposal: these measures tell the
proposal's part from the threshold's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from routing.evaluation.confidence import auroc, brier_skill, calibration_error
from routing.evaluation.outcomes import Bools, Floats, Ints, Outcomes

Measure = Callable[[Outcomes], float | None]


def measured(outcomes: Outcomes) -> dict[str, float | None]:
    """Return every measure by name."""
    return {name: measure(outcomes) for name, measure in MEASURES.items()}


def recall(outcomes: Outcomes, *, depth: int) -> float | None:
    """Return the mean share of needs that the first ``depth`` tools of the ranking meet."""
    cases = outcomes.expecting
    return _mean(cases.met[:, depth - 1] / cases.needs)


def coverage_at(outcomes: Outcomes, *, depth: int) -> float | None:
    """Return the share of cases whose every need the first ``depth`` tools meet."""
    cases = outcomes.expecting
    return _mean(cases.met[:, depth - 1] == cases.needs)


def _mean_of(name: str) -> Measure:
    return lambda outcomes: _mean(getattr(outcomes.expecting, name))


def _grouped_mean_of(name: str) -> Measure:
    def measure(outcomes: Outcomes) -> float | None:
        cases = outcomes.expecting
        return _mean(getattr(cases, name)[cases.grouped])

    return measure


def _of_confidence(function: Callable[[Floats, Bools], float | None], right: str) -> Measure:
    def measure(outcomes: Outcomes) -> float | None:
        cases = outcomes.expecting
        estimated = ~cases.assumed
        return function(cases.confidence[estimated], getattr(cases, right)[estimated])

    return measure


def _none_auroc(outcomes: Outcomes) -> float | None:
    """Return how well a low confidence tells the cases that no tool fits from the others."""
    return auroc(-outcomes.confidence, outcomes.needs == 0)


def _milliseconds(outcomes: Outcomes) -> float | None:
    return float(np.median(outcomes.seconds) * 1000) if len(outcomes) else None


def _mean(values: Floats | Ints | Bools) -> float | None:
    return float(np.mean(values)) if len(values) else None


MEASURES: Mapping[str, Measure] = {
    "recall@1": partial(recall, depth=1),
    "recall@5": partial(recall, depth=5),
    "recall@7": partial(recall, depth=7),
    "coverage@7": partial(coverage_at, depth=7),
    "ndcg@10": _mean_of("ndcg"),
    "group_accuracy@1": _grouped_mean_of("first_group_right"),
    "coverage": _mean_of("covered"),
    "group_coverage": _grouped_mean_of("groups_covered"),
    "mean_tools": _mean_of("tools"),
    "mean_groups": _mean_of("groups"),
    "fallback_rate": _mean_of("fallback"),
    "expansion_rate": _mean_of("expands"),
    "none_auroc": _none_auroc,
    "none_fallback_rate": lambda outcomes: _mean(outcomes.expecting_nothing.fallback),
    "ece": _of_confidence(calibration_error, "covered"),
    "brier_skill": _of_confidence(brier_skill, "covered"),
    "auroc": _of_confidence(auroc, "covered"),
    "proposed_coverage": _mean_of("proposed_covered"),
    "proposed_tools": _mean_of("proposed_tools"),
    "proposed_ece": _of_confidence(calibration_error, "proposed_covered"),
    "proposed_brier_skill": _of_confidence(brier_skill, "proposed_covered"),
    "proposed_auroc": _of_confidence(auroc, "proposed_covered"),
    "failure_rate": lambda outcomes: _mean(outcomes.failed),
    "ms_per_selection": _milliseconds,
}
OF_ALL_CASES = frozenset({"none_auroc", "none_fallback_rate", "failure_rate", "ms_per_selection"})
"""The measures that look at cases without expected tools as well."""
