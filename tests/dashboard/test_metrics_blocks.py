"""Of which weeks, days and hours stretches are made."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from dashboard.metrics.blocks import Stretch, blocks

NOON = 20_788 * 24 + 12
LENGTHS = (168, 24, 1)


def hours_in(stretch: Stretch) -> Counter[int]:
    """Return how often the blocks of a stretch count each hour."""
    counted: Counter[int] = Counter()
    for length, number, sign in blocks(stretch, lengths=LENGTHS):
        for hour in range(length * number, length * (number + 1)):
            counted[hour] += sign
    return Counter({hour: times for hour, times in counted.items() if times})


@given(st.integers(0, 2_000), st.integers(0, 3_000))
def test_blocks_count_each_hour_of_a_stretch_once_and_no_other(start: int, length: int) -> None:
    assert hours_in((start, start + length)) == Counter(range(start, start + length))


def test_a_day_beside_that_of_utc_is_it_and_what_it_misses_it_by() -> None:
    day = 20_788
    assert list(blocks((day * 24 - 1, day * 24 + 23), lengths=LENGTHS)) == [
        (24, day, 1),
        (1, day * 24 - 1, 1),
        (1, day * 24 + 23, -1),
    ]


@given(st.integers(0, 23), st.integers(0, 167))
def test_a_quarter_of_a_year_is_few_rows(first: int, last: int) -> None:
    quarter = (NOON - 90 * 24 + first, NOON + last)
    # An end is days and half a day of hours at most, or less than a day, in hours.
    assert len(list(blocks(quarter, lengths=LENGTHS))) <= 14 + 2 * max(4 + 12, 23)


@given(st.integers(-12, 12))
def test_a_day_of_any_zone_is_few_rows(behind: int) -> None:
    start = 20_788 * 24 + behind
    assert len(list(blocks((start, start + 24), lengths=LENGTHS))) <= 1 + 2 * 12
