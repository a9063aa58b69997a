"""How groups are compared with those that people made."""

import pytest

from routing.suggesting.measures import adjusted_rand, purity


def test_the_same_groups_under_other_names_agree_in_full() -> None:
    assert adjusted_rand("aabbc", [1, 1, 2, 2, 3]) == 1
    assert purity("aabbc", [1, 1, 2, 2, 3]) == 1


def test_a_worked_example_is_right() -> None:
    # Pairs together in both: 1 (the first two); in found 2 and in true 4, of 10.
    found, true = "aabbc", "xxxyy"
    assert adjusted_rand(found, true) == pytest.approx((1 - 0.8) / (3 - 0.8))
    assert purity(found, true) == pytest.approx(4 / 5)


def test_one_group_of_everything_is_no_better_than_chance() -> None:
    assert adjusted_rand("aaaa", "xxyy") == 0


def test_one_tool_is_grouped_right() -> None:
    assert adjusted_rand("a", "x") == purity("a", "x") == 1
