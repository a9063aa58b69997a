"""Measures over outcomes that are written out, and what holds for any."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from routing.evaluation.curve import coverage_curve, size_covering
from routing.evaluation.intervals import intervals, intervals_of_means
from routing.evaluation.measures import MEASURES, measured
from routing.evaluation.outcomes import DEPTH, gathered, joined
from tests.routing.evaluation.outcomes import outcome

FOUND_THIRD = (0, 0) + (1,) * 8


@st.composite
def any_outcome(draw: st.DrawFn) -> Any:
    needs = draw(st.integers(0, 4))
    steps = draw(st.lists(st.integers(0, needs), min_size=DEPTH, max_size=DEPTH))
    return outcome(
        needs=needs,
        met=tuple(sorted(steps)),
        ndcg=draw(st.floats(0, 1)),
        covered=draw(st.booleans()),
        tools=draw(st.integers(0, 7)),
        grouped=draw(st.booleans()),
        first_group_right=draw(st.booleans()),
        confidence=draw(st.floats(0, 1)),
        assumed=draw(st.booleans()),
        fallback=draw(st.booleans()),
    )


def test_rankings_by_hand() -> None:
    two_of_three = outcome(needs=3, met=(1, 1, 1, 1, 1, 1, 2, 2, 2, 2), ndcg=0.5, covered=False)
    found = measured(gathered([outcome(), outcome(met=FOUND_THIRD, ndcg=0.5), two_of_three]))

    assert found["recall@1"] == pytest.approx((1 + 0 + 1 / 3) / 3)
    assert found["recall@5"] == pytest.approx((1 + 1 + 1 / 3) / 3)
    assert found["recall@7"] == pytest.approx((1 + 1 + 2 / 3) / 3)
    assert found["coverage@7"] == pytest.approx(2 / 3)
    assert found["ndcg@10"] == pytest.approx(2 / 3)
    assert found["coverage"] == pytest.approx(2 / 3)


def test_selections_by_hand() -> None:
    found = measured(
        gathered(
            [
                outcome(tools=4, groups=2, grouped=True, first_group_right=True, fallback=True),
                outcome(tools=7, groups=1, grouped=True, groups_covered=True, expands=True),
                outcome(tools=1, groups=0, seconds=0.004),
            ]
        )
    )

    assert found["mean_tools"] == 4
    assert found["mean_groups"] == 1
    assert found["group_accuracy@1"] == 0.5
    assert found["group_coverage"] == 0.5
    assert found["fallback_rate"] == pytest.approx(1 / 3)
    assert found["expansion_rate"] == pytest.approx(1 / 3)
    assert found["ms_per_selection"] == pytest.approx(1)


def test_cases_that_expect_nothing_count_only_as_such() -> None:
    nothing = outcome(
        needs=0, met=(0,) * DEPTH, ndcg=0.0, tools=9, confidence=0.2, fallback=True, expands=True
    )
    alone = measured(gathered([outcome(), outcome(confidence=0.1, covered=False)]))
    found = measured(gathered([outcome(), outcome(confidence=0.1, covered=False), nothing]))

    changed = {name for name, value in found.items() if value != alone[name]}
    assert changed == {"none_auroc", "none_fallback_rate"}
    assert alone["none_auroc"] is None
    assert found["none_auroc"] == 0.5  # .2 lies under 1 and over .1
    assert found["none_fallback_rate"] == 1


def test_assumed_confidences_are_no_estimates() -> None:
    sure = outcome(confidence=1.0, assumed=True, covered=False)
    right, wrong = outcome(confidence=0.8), outcome(confidence=0.4, covered=False)

    found = measured(gathered([sure, right, wrong]))
    only_sure = measured(gathered([sure]))

    assert found["ece"] == pytest.approx((0.2 + 0.4) / 2)
    assert found["brier_skill"] == pytest.approx(1 - 0.1 / 0.25)
    assert found["auroc"] == 1
    assert only_sure["ece"] is None
    assert only_sure["coverage"] == 0


def test_without_a_case_nothing_is_said() -> None:
    assert set(measured(gathered([])).values()) == {None}


@given(st.lists(any_outcome(), max_size=12))
def test_coverage_is_never_over_recall(outcomes: list[Any]) -> None:
    found = measured(gathered(outcomes))

    assert list(found) == list(MEASURES)
    if found["recall@7"] is not None:
        assert found["coverage@7"] <= found["recall@7"] + 1e-9  # type: ignore[operator]
        assert found["recall@1"] <= found["recall@5"] <= found["recall@7"]  # type: ignore[operator]
    for name in ("coverage", "fallback_rate", "auroc", "none_auroc", "group_accuracy@1"):
        assert found[name] is None or 0 <= found[name] <= 1  # type: ignore[operator]


@given(st.lists(any_outcome(), max_size=6), st.lists(any_outcome(), max_size=6))
def test_parts_are_joined_in_order(first: list[Any], second: list[Any]) -> None:
    together = joined([gathered(first), gathered(second)])

    assert measured(together) == measured(gathered([*first, *second]))


def test_intervals_hold_the_value_and_repeat() -> None:
    outcomes = gathered([outcome(covered=place % 4 > 0) for place in range(80)])

    found = intervals(outcomes, seed=1, names=["coverage", "auroc", "none_auroc"], resamples=400)
    again = intervals(outcomes, seed=1, names=["coverage", "auroc", "none_auroc"], resamples=400)
    ends = found["coverage"]

    assert found == again
    assert ends is not None
    # The binomial spread of .75 over 80 cases: 1.96 * sqrt(.75 * .25 / 80) = .095.
    assert ends[0] == pytest.approx(0.75 - 0.095, abs=0.03)
    assert ends[1] == pytest.approx(0.75 + 0.095, abs=0.03)
    assert found["auroc"] == (0.5, 0.5)
    assert found["none_auroc"] is None
    assert intervals(gathered([]), seed=1)["coverage"] is None


def test_the_curve_by_hand() -> None:
    outcomes = gathered(
        [
            outcome(tools=0, covered=False, proposed_tools=2),
            outcome(met=FOUND_THIRD, tools=3, proposed_tools=3),
            outcome(met=FOUND_THIRD, tools=1, covered=False, proposed_covered=False),
            outcome(met=(0,) * DEPTH, tools=4, covered=False, proposed_tools=4),
        ]
    )

    curve = coverage_curve(outcomes)

    assert curve is not None
    assert curve.fixed == (0.25, 0.25) + (0.75,) * 8
    assert curve.served == (2, 0.25)
    assert curve.proposed == (2.5, 0.75)
    assert curve.equal_size == 3
    assert coverage_curve(gathered([outcome(needs=0, met=(0,) * DEPTH)])) is None


@pytest.mark.parametrize(
    ("coverage", "size"), [(0.0, 0.0), (0.2, 0.5), (0.4, 1.0), (0.5, 1.5), (0.6, 2.0), (0.7, None)]
)
def test_sizes_lie_straight_between_the_fixed_ones(coverage: float, size: float | None) -> None:
    assert size_covering((0.4, 0.6, 0.6), coverage) == (
        None if size is None else pytest.approx(size)
    )


def test_intervals_of_means_are_those_of_the_bootstrap() -> None:
    some = gathered([outcome(covered=place % 3 > 0, tools=place % 7) for place in range(120)])
    everywhere = some.needs > 0

    quick = intervals_of_means(
        {
            "coverage": (some.covered, everywhere),
            "mean_tools": (some.tools, everywhere),
            "none": (some.covered, some.needs == 0),
        },
        seed=1,
    )

    slow = intervals(some, seed=1, names=["coverage", "mean_tools"])
    for name in ("coverage", "mean_tools"):
        assert quick[name] == pytest.approx(slow[name], rel=0.05)
    assert quick["none"] is None
