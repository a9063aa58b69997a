"""One selection against one case: values worked out by hand, and what holds for all."""

from __future__ import annotations

from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from routing.evaluation.cases import Case
from routing.evaluation.judging import group_needs, judge, memberships, met_by_depth, ndcg
from routing.evaluation.outcomes import DEPTH, Outcome
from routing.selection import Circumstances, Query, Strategy
from routing.selection.pipeline import decide
from routing.selection.uncut import uncut
from tests.routing.selection.documents import document, lexical, office, tool

SETS = st.lists(st.frozensets(st.integers(0, 14), min_size=1, max_size=3), max_size=12)
RANKINGS = st.lists(st.integers(0, 14), unique=True)


def needs(*tools: int) -> list[frozenset[int]]:
    return [frozenset({tool}) for tool in tools]


def test_ndcg_by_hand() -> None:
    # Places 2 and 4 of two needed: (1/log2 3 + 1/log2 5) / (1 + 1/log2 3).
    found = ndcg([9, 1, 8, 2], needs(1, 2))

    assert found == pytest.approx((0.63093 + 0.43068) / (1 + 0.63093), abs=1e-4)


def test_ndcg_of_more_needs_than_places_can_be_one() -> None:
    assert ndcg(range(12), needs(*range(12))) == pytest.approx(1)
    assert ndcg(range(1, 11), needs(*range(12))) == pytest.approx(1)


def test_an_alternative_counts_as_the_gold_once() -> None:
    either = [frozenset({1, 2})]

    assert ndcg([2, 1], either) == 1
    assert met_by_depth([2, 1], either) == (1,) * DEPTH
    # One tool that stands for both needs covers them, but gains a single time.
    assert met_by_depth([3], [frozenset({1, 3}), frozenset({2, 3})]) == (2,) * DEPTH
    assert ndcg([3], [frozenset({1, 3}), frozenset({2, 3})]) == pytest.approx(1 / (1 + 1 / log2(3)))


def test_how_many_needs_are_met_at_each_depth() -> None:
    assert met_by_depth([5, 1, 6, 2], needs(1, 2, 3)) == (0, 1, 1, 2, 2, 2, 2, 2, 2, 2)
    assert met_by_depth([], needs(1)) == (0,) * DEPTH


@given(RANKINGS, SETS)
def test_measures_of_any_ranking_stay_within_their_bounds(
    ranking: list[int], sets: list[frozenset[int]]
) -> None:
    met = met_by_depth(ranking, sets)

    assert 0 <= ndcg(ranking, sets) <= 1 + 1e-9
    assert list(met) == sorted(met)
    assert met[-1] <= len(sets)
    assert met == tuple(
        sum(bool(need & set(ranking[:depth])) for need in sets) for depth in range(1, DEPTH + 1)
    )


@given(st.lists(st.integers(0, 40), unique=True, min_size=1, max_size=10), RANKINGS)
def test_a_perfect_ranking_has_an_ndcg_of_one(gold: list[int], rest: list[int]) -> None:
    ranking = [*reversed(gold), *(tool for tool in rest if tool not in gold)]

    assert ndcg(ranking, needs(*gold)) == pytest.approx(1)
    assert met_by_depth(ranking, needs(*gold))[len(gold) - 1] == len(gold)


def judged(case: Case, query: Query) -> Outcome:
    index = lexical(office())
    answer = uncut(decide(query, index, Circumstances()))
    return judge(case, answer, index, homes=memberships(index), seconds=0.25)


def expecting(*names: str, groups: tuple[str, ...] = ()) -> Case:
    return Case(
        where="x:1", task="t", needs=tuple((name,) for name in names), expected_groups=groups
    )


def test_always_on_tools_are_not_chosen() -> None:
    everything = judged(expecting("ask_user"), Query(task="t", strategy=Strategy.ALL))

    assert not everything.covered
    assert everything.tools == 5  # of seven, one is always-on and one disabled
    assert everything.assumed
    assert everything.seconds == 0.25


def test_a_fallback_counts_with_its_default_tools() -> None:
    query = Query(task="xyzzy", strategy=Strategy.EMBEDDING)

    found = judged(expecting("find_payment"), query)
    missed = judged(expecting("settle_bill"), query)

    assert found.fallback
    assert found.covered
    assert found.tools == 2
    assert not found.proposed_covered
    assert found.proposed_tools == 0
    assert not found.expands
    assert not missed.covered
    assert missed.expands  # its group can be asked for


def test_a_tool_of_no_group_cannot_be_asked_for() -> None:
    query = Query(task="xyzzy", strategy=Strategy.EMBEDDING)

    assert not judged(expecting("convert_currency"), query).expands


def test_groups_are_those_that_a_case_names_else_those_of_its_tools() -> None:
    query = Query(task="how many pieces does the warehouse hold", strategy=Strategy.EMBEDDING)

    by_name = judged(expecting("check_stock", groups=("stock",)), query)
    by_tool = judged(expecting("check_stock"), query)
    wrong = judged(expecting("find_payment"), query)
    none = judged(expecting("convert_currency"), query)

    assert by_name.grouped
    assert by_name.first_group_right
    assert by_tool.first_group_right
    assert wrong.grouped
    assert not wrong.first_group_right
    assert not none.grouped


def test_another_group_counts_if_it_holds_alternatives_of_all_tools_of_the_expected_one() -> None:
    index = lexical(
        document(
            tools=[tool(name) for name in "abcd"],
            groups=[
                {"name": "north", "description": "", "tools": ["a", "b"]},
                {"name": "south", "description": "", "tools": ["c", "d"]},
            ],
        )
    )
    homes = memberships(index)
    both = Case(where="", task="t", needs=(("a", "c"), ("b", "d")), expected_groups=("north",))
    one = Case(where="", task="t", needs=(("a", "c"), ("b",)), expected_groups=("north",))

    assert group_needs(both, index, homes) == [frozenset({"north", "south"})]
    assert group_needs(one, index, homes) == [frozenset({"north"})]


def test_an_answer_of_another_strategy_is_marked() -> None:
    missing = judged(expecting("find_payment"), Query(task="payment", strategy=Strategy.LLM))

    assert missing.failed
