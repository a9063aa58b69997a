"""Every measure of two evaluations, tested over the cases that count in both."""

from dataclasses import replace

import pytest

from routing.evaluation.outcomes import gathered
from routing.evaluation.side_by_side import side_by_side
from tests.routing.evaluation.outcomes import outcome


def test_measures_stand_beside_each_other_with_their_tests() -> None:
    before = [outcome(covered=True, tools=4) for _ in range(8)]
    after = [replace(one, covered=place >= 5, tools=3) for place, one in enumerate(before)]
    nothing = outcome(needs=0, met=(0,) * 10, fallback=True)

    found = side_by_side(gathered([*before, nothing]), gathered([*after, nothing]), seed=0)

    coverage = found["coverage"]
    assert (coverage.before, coverage.after) == (1, 3 / 8)
    assert coverage.test is not None
    assert (coverage.test.lost, coverage.test.won, coverage.test.test) == (5, 0, "exact")
    assert coverage.test.p_value == pytest.approx(2 / 2**5)
    assert coverage.difference is not None
    assert coverage.difference.is_sure
    size = found["mean_tools"]
    assert (size.before, size.after, size.test) == (4, 3, None)
    assert size.difference is not None
    assert (size.difference.cases, size.difference.interval) == (8, (-1, -1))
    assert found["none_fallback_rate"].before == 1
    # A median is no mean: it is shown, and not tested.
    assert found["ms_per_selection"].difference is None
