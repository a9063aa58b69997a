"""The strategy that serves what a router model chose; the model itself is asked elsewhere."""

from __future__ import annotations

import json
from typing import Any

import pytest

from routing.selection import (
    Circumstances,
    GroupNotAllowed,
    Index,
    ModelAnswer,
    Query,
    Selection,
    Strategy,
    UnknownPhase,
    UnknownRoute,
    select,
)
from routing.selection.strategies.llm import groups_to_choose_from
from tests.routing.selection.documents import lexical, names, office, reasons, tool

ROUTES = [
    {"name": "look", "tools": ["check_stock"], "groups": ["billing"], "side_effects": ["read"]},
    {"name": "none", "tools": [], "groups": [], "side_effects": []},
]
MODEL = "openai:small"


def said(*groups: str, confidence: float = 0.9, **more: Any) -> ModelAnswer:
    return ModelAnswer(model=MODEL, groups=groups, confidence=confidence, **more)


def chosen(index: Index, answer: ModelAnswer | None, **asked: Any) -> Selection:
    query = Query(**({"task": "settle the bill", "strategy": Strategy.LLM} | asked))
    return select(query, index, Circumstances(model_answer=answer))


def test_the_tools_of_the_chosen_groups_are_served_and_the_model_is_why() -> None:
    index = lexical(office())
    selection = chosen(index, said("billing"), task="see to it")
    assert names(index, selection) == ["settle_bill", "find_payment", "ask_user"]
    assert (selection.groups, selection.decided_by) == (("billing",), "llm")
    assert (selection.confidence, selection.confidence_source) == (0.9, "shipped")
    assert (selection.fallback, selection.failure) == (None, None)
    assert reasons(selection)["settle_bill"] == "model"
    assert [(row.group, row.reason) for row in selection.scored_groups] == [("billing", "model")]


def test_groups_are_told_in_catalog_order_and_none_crowds_another_out() -> None:
    index = lexical(office())
    selection = chosen(index, said("stock", "billing"), task="settle the bill", max_tools=2)
    assert selection.groups == ("billing", "stock")
    assert len({index.home[place] for place in selection.tools[:2]}) == 2


def test_words_decide_which_tools_of_a_large_group_are_served() -> None:
    tools = [tool(f"t{n}", description=f"Look up number{n}.") for n in range(9)]
    groups = [{"name": "all", "description": "", "tools": [one["name"] for one in tools]}]
    index = lexical(office(tools=tools, groups=groups, default_tools=[], always_on=[]))
    selection = chosen(index, said("all"), task="number6 and number3 please", max_tools=2)
    assert names(index, selection) == ["t3", "t6"]


def test_a_confidence_is_never_certain() -> None:
    assert chosen(lexical(office()), said("billing", confidence=1.0)).confidence == 0.99


def test_a_low_confidence_serves_the_default_tools() -> None:
    index = lexical(office())
    selection = chosen(index, said("billing", confidence=0.4))
    assert selection.fallback == "low_confidence"
    assert (selection.groups, selection.proposed_groups) == ((), ("billing",))
    assert names(index, selection) == ["find_payment", "check_stock", "ask_user"]


def test_where_the_model_says_that_nothing_fits_the_default_tools_are_served() -> None:
    index = lexical(office())
    selection = chosen(index, said(confidence=0.95))
    assert (selection.fallback, selection.decided_by) == ("no_match", "llm")
    assert names(index, selection) == ["find_payment", "check_stock", "ask_user"]


def test_a_failure_gives_way_to_auto_and_is_told() -> None:
    index = lexical(office())
    selection = chosen(index, ModelAnswer(model=MODEL, failure="no answer within 5 s"))
    assert (selection.fallback, selection.decided_by) == ("strategy_failed", "embedding")
    assert selection.failure == "llm: ModelFailed: openai:small: no answer within 5 s"


def test_without_a_model_it_says_how_to_set_one_up() -> None:
    selection = chosen(lexical(office()), None)
    assert selection.fallback == "strategy_failed"
    assert "LLM_ROUTER" in (selection.failure or "")


@pytest.mark.parametrize("group", ["stock", "nothing", "ask_user", ""])
def test_an_answer_opens_nothing_that_the_route_does_not_allow(group: str) -> None:
    index = lexical(office(routes=ROUTES))
    alone = chosen(index, said(group), route="look")
    assert (alone.fallback, alone.groups) == ("no_match", ())
    beside = chosen(index, said(group, "billing"), route="look")
    assert beside.groups == ("billing",)
    assert names(index, beside) == ["find_payment", "ask_user"]


def test_an_answer_opens_nothing_that_is_switched_off() -> None:
    index = lexical(office())
    circumstances = Circumstances(
        switched_off=frozenset({"check_stock", "reserve_stock"}), model_answer=said("stock")
    )
    selection = select(Query(task="x", strategy=Strategy.LLM), index, circumstances)
    assert selection.fallback == "no_match"
    assert names(index, selection) == ["find_payment", "ask_user"]


def test_inclusive_fills_the_room_that_the_groups_leave() -> None:
    index = lexical(office())
    task = "settle the bill and see how many pieces the warehouse holds"
    narrow = chosen(index, said("billing"), task=task)
    wide = chosen(index, said("billing"), task=task, inclusive=True)
    assert "check_stock" not in names(index, narrow)
    assert "check_stock" in names(index, wide)


def test_a_tool_of_no_group_that_fits_is_served_beside_the_groups() -> None:
    index = lexical(office())
    selection = chosen(index, said("billing"), task="convert an amount of money")
    assert "convert_currency" in names(index, selection)
    assert reasons(selection)["convert_currency"] == "lexical"


def test_auto_lets_an_answer_decide_and_does_without_one() -> None:
    index = lexical(office())
    asked = {"task": "zzz", "strategy": Strategy.AUTO}
    assert chosen(index, None, **asked).fallback == "no_match"
    helped = chosen(index, said("stock"), **asked)
    assert (helped.decided_by, helped.groups, helped.fallback) == ("llm", ("stock",), None)
    for answer in (said(), ModelAnswer(model=MODEL, failure="the endpoint answered 500")):
        assert chosen(index, answer, **asked) == chosen(index, None, **asked)


def test_a_rule_goes_before_the_answer_in_auto() -> None:
    rules = [{"phrases": ["invoice"], "tools": [], "groups": ["billing"]}]
    index = lexical(office(intent_rules=rules))
    selection = chosen(index, said("stock"), task="the invoice", strategy=Strategy.AUTO)
    assert (selection.decided_by, selection.groups) == ("rules", ("billing",))


def test_a_record_brings_the_same_selection_back() -> None:
    index = lexical(office())
    answer = said("billing", "stock", unknown_groups=2, tokens_in=310, tokens_out=9, cost=0.0004)
    kept = json.loads(json.dumps(answer.record()))
    again = ModelAnswer.from_record(kept)
    assert again == answer
    assert chosen(index, again) == chosen(index, answer)


def test_a_model_chooses_among_what_may_be_served() -> None:
    def groups(circumstances: Circumstances, **asked: Any) -> list[str]:
        query = Query(task="x", **asked)
        return groups_to_choose_from(query, lexical(office(routes=routes)), circumstances)

    routes: list[dict[str, Any]] = []
    off = Circumstances(switched_off=frozenset({"check_stock", "reserve_stock"}))
    assert groups(Circumstances()) == ["billing", "stock"]
    assert groups(off) == ["billing"]
    routes = ROUTES
    assert groups(Circumstances(), route="look") == ["billing"]
    assert groups(Circumstances(), route="none") == []
    with pytest.raises(UnknownRoute):
        groups(Circumstances(), route="nowhere")
    with pytest.raises(UnknownPhase):
        groups(Circumstances(), route="look", phase="nowhere")
    with pytest.raises(GroupNotAllowed):
        groups(Circumstances(), route="look", open_groups=("stock",))
