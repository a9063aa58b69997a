"""Cases are counted at every setting, and the settings that none beats are found."""

from itertools import product

from routing.evaluation.operating import (
    INCLUSIVE,
    Grid,
    Operating,
    Point,
    Tally,
    front,
    read_tally,
    summed,
)
from routing.selection.sweeping import Offer

GRID = Grid(thresholds=(0.0, 0.5), caps=(1, 3))
NOW = Operating(0.5, 3, False)
ONE, THREE, DEFAULT = (
    Offer(frozenset({4}), False),
    Offer(frozenset({4, 5, 6}), False),
    Offer(frozenset({9}), True),
)


def offers(wide: Offer = THREE) -> dict[tuple[bool, int], list[Offer]]:
    """Return offers that fall back at the higher threshold unless inclusive."""
    return {
        (False, 1): [ONE, DEFAULT],
        (False, 3): [THREE, DEFAULT],
        (True, 1): [ONE, ONE],
        (True, 3): [wide, wide],
    }


def at(tally: Tally, *setting: object) -> Point:
    return next(one for one in tally.points() if one.setting == Operating(*setting))  # type: ignore[arg-type]


def test_points_are_means_over_the_cases_that_expect_a_tool() -> None:
    tally = Tally.empty(GRID).plus([frozenset({4, 8})], offers())
    tally = tally.plus([frozenset({4}), frozenset({6})], offers()).plus([], offers())

    assert len(tally.points()) == 8
    first = at(tally, 0.0, 1, False)
    assert (first.coverage, first.tools, first.fallback, first.none_fallback) == (0.5, 1, 0, 0)
    high = at(tally, 0.5, 3, False)
    assert (high.coverage, high.tools, high.fallback, high.none_fallback) == (0, 1, 1, 1)
    assert at(tally, 0.5, 3, True).coverage == 1
    assert Tally.empty(GRID).plus([], offers()).points() == []


def test_tallies_are_kept_and_added_up() -> None:
    one = Tally.empty(GRID).plus([frozenset({4})], offers())
    other = Tally.empty(GRID).plus([frozenset({5})], offers()).plus([], offers())

    both = summed(read_tally(part.record()) for part in (one, other))

    assert both is not None
    whole = one.plus([frozenset({5})], offers()).plus([], offers())
    assert both.record() == whole.record()
    assert summed([]) is None
    assert summed([one, Tally.empty(Grid(thresholds=(0.1,), caps=(1,)))]) is None


def test_the_front_is_what_no_other_setting_beats() -> None:
    def point(coverage: float, tools: float, *setting: object) -> Point:
        return Point(
            setting=Operating(*setting),  # type: ignore[arg-type]
            coverage=coverage,
            tools=tools,
            fallback=0,
            none_fallback=None,
        )

    points = [
        point(0.8, 3.0, 0.2, 5, True),
        point(0.8, 3.0, 0.5, 5, False),
        point(0.7, 3.0, 0.5, 3, False),
        point(0.5, 1.0, 0.5, 1, False),
        point(0.8, 4.0, 0.0, 9, False),
        point(0.9, 9.0, 0.0, 9, True),
    ]

    best = front(points, near=NOW)

    assert [(one.coverage, one.tools) for one in best] == [(0.5, 1.0), (0.8, 3.0), (0.9, 9.0)]
    # Two settings serve alike: the one that changes least of what is in force speaks.
    assert best[1].setting == Operating(0.5, 5, False)
    for one, other in product(points, best):
        assert not (one.coverage > other.coverage and one.tools <= other.tools)


def test_a_grid_holds_the_setting_that_it_is_around() -> None:
    grid = Grid.around(Operating(0.63, 11, True))
    assert 0.63 in grid.thresholds
    assert 11 in grid.caps
    assert list(grid.thresholds) == sorted(set(grid.thresholds))
    assert INCLUSIVE == (False, True)
