"""What a run says in the end: measures with intervals, of all cases and by group, tag, language."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from routing.datasets.results import Result
from routing.evaluation.cases import Case
from routing.evaluation.intervals import intervals_of_means
from routing.evaluation.outcomes import Bools, Outcomes, gathered
from routing.evaluation.report import report

MOST_SLICES = 60
FEWEST = 5
"""Cases that a slice has at least: of fewer nothing can be said."""
DIGITS = 6

Slices = Mapping[str, Callable[[Case], Iterable[str]]]
BY: Slices = {
    "group": lambda case: case.expected_groups,
    "tag": lambda case: (*case.tags, *(("vague",) if case.vague else ())),
    "language": lambda case: (case.language,) if case.language else (),
}


def report_of(results: Sequence[Result], cases: Mapping[int, Case], *, seed: int) -> dict[str, Any]:
    """Return ``{"cases", "measures", "intervals", "traffic", "unwanted", "failed", "by"}``.

    ``traffic`` is the coverage weighed by how many tasks each case stands for, ``unwanted`` the
    share of cases with tools that must not be offered in which one was. ``by`` has of each slicing
    a list of ``{"name", "cases", "measures", "intervals"}``, those with most cases first, with a
    few measures: those of a ranking and of a confidence need more cases.
    """
    outcomes = gathered([result.outcome for result in results])
    whole = report({"run": outcomes}, seed=seed)
    measures = whole["strategies"]["run"]
    return {
        "cases": len(results),
        "intervals": measures.pop("intervals"),
        "measures": measures,
        "traffic": _weighed(outcomes, [cases[one.number].weight for one in results]),
        "unwanted": _unwanted(results, cases),
        "failed": sum(one.failed for one in results),
        "by": {
            kind: _slices(results, cases, outcomes, names, seed=seed) for kind, names in BY.items()
        },
    }


def _slices(
    results: Sequence[Result],
    cases: Mapping[int, Case],
    outcomes: Outcomes,
    names: Callable[[Case], Iterable[str]],
    *,
    seed: int,
) -> list[dict[str, Any]]:
    places: dict[str, list[int]] = defaultdict(list)
    for place, result in enumerate(results):
        for name in names(cases[result.number]):
            places[name].append(place)
    large = sorted(places, key=lambda name: (-len(places[name]), name))[:MOST_SLICES]
    found = []
    for name in large:
        some = outcomes.take(np.array(places[name]))
        values = _values(some)
        sure = intervals_of_means(values, seed=seed) if len(some) >= FEWEST else {}
        found.append(
            {
                "name": name,
                "cases": len(some),
                "measures": {
                    key: _rounded(float(of[mask].mean())) if mask.any() else None
                    for key, (of, mask) in values.items()
                },
                "intervals": {
                    key: [_rounded(end) for end in ends] if ends else None
                    for key, ends in sure.items()
                },
            }
        )
    return found


def _values(some: Outcomes) -> dict[str, tuple[Any, Bools]]:
    """Return what the measures of a slice are means of, and over which cases."""
    expecting = some.needs > 0
    return {
        "coverage": (some.covered, expecting),
        "group_coverage": (some.groups_covered, expecting & some.grouped),
        "mean_tools": (some.tools, expecting),
        "expansion_rate": (some.expands, expecting),
        "fallback_rate": (some.fallback, expecting),
    }


def _weighed(outcomes: Outcomes, weights: Sequence[float]) -> float | None:
    expecting = outcomes.needs > 0
    of = np.array(weights)[expecting]
    return _rounded(float(np.average(outcomes.covered[expecting], weights=of))) if len(of) else None


def _unwanted(results: Sequence[Result], cases: Mapping[int, Case]) -> float | None:
    told = [bool(one.unwanted) for one in results if cases[one.number].not_expected]
    return _rounded(sum(told) / len(told)) if told else None


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, DIGITS)
