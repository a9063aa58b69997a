"""A ranking beside the selection that was cut from it."""

from __future__ import annotations

import pytest

from routing.selection import Circumstances, Query, Strategy, select
from routing.selection.pipeline import decide
from routing.selection.uncut import rank_tools, uncut
from tests.routing.selection.documents import lexical, office

STOCK = "how many pieces does the warehouse hold"


def test_every_candidate_is_ranked_once_and_the_best_first() -> None:
    index = lexical(office())

    ranking = rank_tools(Query(task=STOCK, max_tools=1), index, Circumstances())

    assert sorted(index.tools[tool] for tool in ranking) == [
        "check_stock",
        "convert_currency",
        "find_payment",
        "reserve_stock",
        "settle_bill",
    ]
    assert index.tools[ranking[0]] == "check_stock"


def test_what_is_switched_off_is_not_ranked() -> None:
    index = lexical(office())
    off = Circumstances(switched_off=frozenset({"check_stock", "capability:billing.write"}))

    ranked = {index.tools[tool] for tool in rank_tools(Query(task=STOCK), index, off)}

    assert ranked == {"convert_currency", "find_payment", "reserve_stock"}


def test_a_strategy_without_scores_ranks_what_it_proposes() -> None:
    rules = [
        {
            "pattern": "stock",
            "add_tools": ["reserve_stock", "check_stock"],
            "remove_tools": [],
            "add_groups": [],
            "remove_groups": [],
        }
    ]
    index = lexical(office(keyword_rules=rules))
    query = Query(task="stock", strategy=Strategy.KEYWORD)

    answer = uncut(decide(query, index, Circumstances()))

    assert {index.tools[tool] for tool in answer.ranking} == {"reserve_stock", "check_stock"}
    assert answer.first_group == "stock"


def test_where_nothing_is_proposed_nothing_is_ranked() -> None:
    index = lexical(office())

    answer = uncut(decide(Query(task="t", strategy=Strategy.KEYWORD), index, Circumstances()))

    assert answer.ranking == ()
    assert answer.proposed == ()
    assert answer.first_group is None


@pytest.mark.parametrize("strategy", [Strategy.AUTO, Strategy.ALL, Strategy.KEYWORD])
@pytest.mark.parametrize("task", [STOCK, "xyzzy", "settle the bill and reserve stock"])
def test_the_selection_is_the_one_that_agents_get(strategy: Strategy, task: str) -> None:
    index = lexical(office())
    query = Query(task=task, strategy=strategy, open_groups=("stock",))

    answer = uncut(decide(query, index, Circumstances()))

    assert answer.selection == select(query, index, Circumstances())


def test_what_a_low_confidence_keeps_back_is_still_proposed() -> None:
    certain = lexical(office(settings={"threshold": 0.0, "max_tools": 2}))
    careful = lexical(office(settings={"threshold": 1.0, "max_tools": 2}))
    query = Query(task=STOCK, strategy=Strategy.EMBEDDING)

    served = uncut(decide(query, certain, Circumstances()))
    kept_back = uncut(decide(query, careful, Circumstances()))

    assert len(kept_back.proposed) <= 2
    assert certain.in_order(served.proposed) == served.selection.tools[:-1]
    assert kept_back.selection.tools == (*careful.in_order(careful.default_tools), 0)
