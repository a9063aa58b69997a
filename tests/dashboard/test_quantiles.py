"""Quantiles from counts."""

from hypothesis import given
from hypothesis import strategies as st

from dashboard.metrics.quantiles import Bin, quantile, quantiles


def test_there_is_none_of_nothing() -> None:
    assert quantile([], share=0.5) is None
    assert quantile([Bin(low=0, high=1, count=0)], share=0.5) is None


def test_values_lie_evenly_in_their_bin() -> None:
    bins = [Bin(low=10, high=20, count=10), Bin(low=0, high=10, count=10)]
    assert quantile(bins, share=0.25) == 5
    assert quantile(bins, share=0.5) == 10
    assert quantile(bins, share=0.95) == 19


@given(
    values=st.lists(st.integers(0, 999), min_size=1, max_size=200),
    share=st.sampled_from([0.1, 0.5, 0.95, 1.0]),
)
def test_it_is_within_a_bin_of_the_exact_one(values: list[int], share: float) -> None:
    width = 50
    bins = [Bin(low=v - v % width, high=v - v % width + width, count=1) for v in values]
    exact = sorted(values)[max(0, -int(-share * len(values) // 1) - 1)]
    found = quantile(bins, share=share)
    assert found is not None
    assert abs(found - exact) <= width


@given(counts=st.lists(st.integers(0, 9), min_size=1, max_size=30))
def test_several_at_once_are_those_asked_for_one_by_one(counts: list[int]) -> None:
    bins = [Bin(low=at, high=at + 1, count=count) for at, count in enumerate(counts)]
    shares = (0.0, 0.1, 0.5, 0.95, 1.0)
    assert quantiles(bins, shares=shares) == [quantile(bins, share=share) for share in shares]
