"""Calibration error, Brier skill and AUROC: by hand, by brute force, and at their ends."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from routing.evaluation.confidence import auroc, brier_skill, calibration_error

CASES = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=40)


def arrays(cases: list[tuple[float, bool]]) -> tuple[np.ndarray, np.ndarray]:
    return np.array([score for score, _ in cases]), np.array([right for _, right in cases])


def test_calibration_error_by_hand() -> None:
    # Bin 13 of 15 holds .9 and .92 (gap |.91 - .5| twice), bin 1 holds .1 (gap .1).
    confidence, right = arrays([(0.9, True), (0.92, False), (0.1, False)])

    assert calibration_error(confidence, right) == pytest.approx((2 * 0.41 + 0.1) / 3)


def test_certainty_that_is_right_has_no_error() -> None:
    confidence, right = arrays([(1.0, True), (0.0, False)])

    assert calibration_error(confidence, right) == 0
    assert brier_skill(confidence, right) == 1
    assert auroc(confidence, right) == 1


def test_brier_skill_by_hand() -> None:
    # Base rate 1/2: reference 1/4. (.2^2 + .4^2) / 2 = .1.
    confidence, right = arrays([(0.8, True), (0.4, False)])

    assert brier_skill(confidence, right) == pytest.approx(1 - 0.1 / 0.25)


def test_saying_the_base_rate_has_no_skill() -> None:
    confidence, right = arrays([(0.25, True), (0.25, False), (0.25, False), (0.25, False)])

    assert brier_skill(confidence, right) == pytest.approx(0)
    assert calibration_error(confidence, right) == pytest.approx(0)
    assert auroc(confidence, right) == 0.5


def test_what_cannot_be_said_is_none() -> None:
    confidence, right = arrays([(0.5, True), (0.7, True)])

    assert auroc(confidence, right) is None
    assert brier_skill(confidence, right) is None
    assert calibration_error(confidence[:0], right[:0]) is None
    assert brier_skill(confidence[:0], right[:0]) is None


@given(CASES)
def test_auroc_counts_pairs(cases: list[tuple[float, bool]]) -> None:
    confidence, right = arrays(cases)
    pairs = [
        (confidence[one] > confidence[other]) + (confidence[one] == confidence[other]) / 2
        for one in np.nonzero(right)[0]
        for other in np.nonzero(~right)[0]
    ]

    found = auroc(confidence, right)

    assert found == (pytest.approx(np.mean(pairs)) if pairs else None)


@given(CASES)
def test_calibration_error_sums_the_bins(cases: list[tuple[float, bool]]) -> None:
    confidence, right = arrays(cases)
    bins: dict[int, list[float]] = {}
    for score, true in cases:
        bins.setdefault(min(int(score * 15), 14), []).append(score - true)

    expected = sum(abs(sum(gaps)) for gaps in bins.values()) / len(cases)

    assert calibration_error(confidence, right) == pytest.approx(expected)
