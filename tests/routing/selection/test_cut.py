"""How many tools are served."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routing.selection.cut import (
    INCLUSIVE_LEAST,
    LEAST,
    NEEDED,
    STRAY,
    fewest,
    keep,
    needed_values,
    whole_groups,
)
from routing.selection.features import CONTEXT
from routing.selection.reading import Beliefs


def beliefs(shares: list[float], homes: list[int] | None = None) -> Beliefs:
    """Return beliefs in tools 0, 1, ... that leave the rest on nothing."""
    size = len(shares)
    return Beliefs(
        places=np.arange(size),
        homes=np.array(homes if homes is not None else [-1] * size, dtype=np.intp),
        shares=np.array(shares, dtype=np.float32),
        nothing=1 - sum(shares),
        against=np.array(shares, dtype=np.float32),
        context=np.zeros(len(CONTEXT), dtype=np.float32),
    )


def kept(shares: list[float], needed: list[float], cap: int = 7, **more: Any) -> tuple[int, ...]:
    homes = more.pop("homes", None)
    found = keep(beliefs(shares, homes), np.array(needed, dtype=np.float32), cap=cap, **more)
    return found.numbers


def test_at_least_one_is_kept_however_little_speaks_for_it() -> None:
    assert kept([0.001, 0.0005], [0.0, 0.0]) == (0,)
    assert kept([], []) == ()


def test_the_list_ends_where_a_tool_is_hardly_needed() -> None:
    low = LEAST / 2
    assert kept([0.5, 0.3, 0.1, 0.05], [0.9, LEAST * 2, low, 0.9]) == (0, 1)


def test_the_cap_holds_and_says_that_it_cut() -> None:
    shares, needed = [0.2, 0.2, 0.2, 0.2], np.full(4, 0.9, dtype=np.float32)
    cut = keep(beliefs(shares), needed, cap=2)
    assert (cut.numbers, cut.cut) == ((0, 1), True)
    whole = keep(beliefs(shares), needed, cap=4)
    assert (whole.numbers, whole.cut) == ((0, 1, 2, 3), False)


def test_an_inclusive_selection_goes_on_for_longer() -> None:
    between = (LEAST + INCLUSIVE_LEAST) / 2
    assert kept([0.5, 0.2], [0.9, between]) == (0,)
    assert kept([0.5, 0.2], [0.9, between], inclusive=True) == (0, 1)


def test_a_stray_is_passed_over_unless_the_selection_is_inclusive() -> None:
    little = STRAY / 2
    shares, needed, homes = [0.6, little, 0.2], [0.9, 0.5, 0.4], [0, 1, 0]
    assert kept(shares, needed, homes=homes) == (0, 2)
    assert kept(shares, needed, homes=homes, inclusive=True) == (0, 1, 2)
    # A tool of no group stands for itself.
    assert kept(shares, needed, homes=[0, -1, 0]) == (0, 1, 2)


SHARES = st.lists(st.floats(1e-6, 1), min_size=1, max_size=12)


@settings(max_examples=100, deadline=None)
@given(SHARES, st.data())
def test_never_over_the_cap_never_empty_and_inclusive_keeps_all_of_it(
    parts: list[float], drawn: st.DataObject
) -> None:
    size = len(parts)
    shares = sorted((part / (sum(parts) + 0.5) for part in parts), reverse=True)
    needed = drawn.draw(st.lists(st.floats(0, 1), min_size=size, max_size=size))
    homes = drawn.draw(st.lists(st.integers(-1, 3), min_size=size, max_size=size))
    cap = drawn.draw(st.integers(1, 9))
    narrow = kept(shares, needed, cap, homes=homes)
    wide = kept(shares, needed, cap, homes=homes, inclusive=True)
    assert 1 <= len(narrow) <= cap
    assert len(wide) <= cap
    assert narrow == tuple(sorted(set(narrow)))
    assert narrow[0] == 0
    assert set(narrow) <= set(wide)


@pytest.mark.parametrize(
    ("cap", "shares", "off", "added"),
    [
        (4, [0.6, 0.1, 0.1, 0.1], [], [1, 2]),  # all of the group fits
        (3, [0.6, 0.1, 0.1, 0.1], [], [1, 2]),
        (2, [0.6, 0.1, 0.1, 0.1], [], []),  # not a part of it
        (4, [0.2, 0.1, 0.1, 0.5], [], []),  # the group holds too little
        (4, [0.6, 0.1, 0.1, 0.1], [2], [1]),  # what may not be served is no part of it
    ],
)
def test_a_group_is_served_whole_only_where_it_fits(
    cap: int, shares: list[float], off: list[int], added: list[int]
) -> None:
    candidates = np.ones(4, dtype=np.bool_)
    candidates[off] = False
    believed = beliefs(shares, [0, 0, 0, -1])
    found = whole_groups(
        [0], believed, members_of=[[0, 1, 2]].__getitem__, candidates=candidates, cap=cap
    )
    assert found == added


def test_what_tells_of_need_has_a_column_for_every_name() -> None:
    values = needed_values(beliefs([0.5, 0.3, 1e-12]))
    assert values.shape == (3, len(NEEDED))
    assert np.isfinite(values).all()
    assert values[0, NEEDED.index("behind_best")] == 0
    assert values[:, NEEDED.index("share")].tolist() == pytest.approx([0.5, 0.3, 0], abs=1e-6)
    assert needed_values(beliefs([])).shape == (0, len(NEEDED))


@pytest.mark.parametrize(
    ("given_beliefs", "count"),
    [([], 0), ([0.9, 0.1], 1), ([0.5, 0.4, 0.1], 2), ([0.25] * 4, 3)],
)
def test_the_fewest_beliefs_that_hold_a_share_are_at_most_so_many(
    given_beliefs: list[float], count: int
) -> None:
    assert fewest(given_beliefs, share=0.8, most=3) == count
