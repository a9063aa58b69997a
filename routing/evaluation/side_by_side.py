"""The measures of two evaluations of the same cases, each with its paired test."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from routing.evaluation.measures import measured
from routing.evaluation.outcomes import Bools, Outcomes
from routing.evaluation.paired import Difference, McNemar, Values, mcnemar, paired_differences

SHARES = ("coverage", "group_coverage", "fallback_rate", "expansion_rate", "none_fallback_rate")
"""The measures that are a share of cases of which something is true: McNemar's test is theirs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """A measure of both; ``difference`` and ``test`` where it is a mean over the cases.

    The values of a measure with a difference are over the cases that count in both.
    """

    before: float | None
    after: float | None
    difference: Difference | None = None
    test: McNemar | None = None


def side_by_side(
    before: Outcomes, after: Outcomes, *, seed: int, shares: Mapping[str, Values] | None = None
) -> dict[str, Compared]:
    """Return every measure that either has, by name; outcomes are of the same cases in order.

    ``shares`` are further ones, of which something is true before and after: they come first.
    """
    own = shares or {}
    values = {**own, **_values(before, after)}
    differences = paired_differences(values, seed=seed)
    others = dict.fromkeys(own) | measured(after)
    found: dict[str, Compared] = {}
    for name, one in (dict.fromkeys(own) | measured(before)).items():
        difference = differences.get(name)
        if difference is not None:
            found[name] = Compared(
                before=difference.before,
                after=difference.after,
                difference=difference,
                test=_test(values[name]) if name in SHARES or name in own else None,
            )
        elif one is not None or others[name] is not None:
            found[name] = Compared(before=one, after=others[name])
    return found


def _test(values: Values) -> McNemar:
    before, after, mask = values
    return mcnemar(before[mask].astype(bool), after[mask].astype(bool))


def _values(before: Outcomes, after: Outcomes) -> Mapping[str, Values]:
    """Return what the means are of, before and after, and over which pairs."""
    expecting = (before.needs > 0) & (after.needs > 0)
    grouped: Bools = expecting & before.grouped & after.grouped
    nothing: Bools = (before.needs == 0) & (after.needs == 0)

    def of(name: str, mask: Bools) -> Values:
        return getattr(before, name), getattr(after, name), mask

    def recall(depth: int) -> Values:
        one, other = (side.met[:, depth - 1] / side.needs.clip(min=1) for side in (before, after))
        return one, other, expecting

    seven = recall(7)
    return {
        "coverage": of("covered", expecting),
        "group_coverage": of("groups_covered", grouped),
        "group_accuracy@1": of("first_group_right", grouped),
        "mean_tools": of("tools", expecting),
        "mean_groups": of("groups", expecting),
        "fallback_rate": of("fallback", expecting),
        "expansion_rate": of("expands", expecting),
        "none_fallback_rate": of("fallback", nothing),
        "recall@1": recall(1),
        "recall@5": recall(5),
        "recall@7": seven,
        "coverage@7": (seven[0] == 1, seven[1] == 1, expecting),
        "ndcg@10": of("ndcg", expecting),
    }
