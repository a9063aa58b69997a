"""What every selection goes through, whatever its strategy."""

from __future__ import annotations

from typing import Any

import pytest

from routing.selection import (
    Circumstances,
    Fallback,
    GroupNotAllowed,
    Index,
    Query,
    Strategy,
    UnknownGroup,
    UnknownPhase,
    UnknownRoute,
    expand,
    select,
)
from routing.selection.strategies import evidential
from tests.routing.selection.documents import document, lexical, names, office, reasons, tool

NOW = Circumstances()
ROUTES = [
    {"name": "look", "tools": ["check_stock"], "groups": ["billing"], "side_effects": ["read"]},
    {"name": "none", "tools": [], "groups": [], "side_effects": []},
]


def everything(index: Index, circumstances: Circumstances = NOW, **asked: Any) -> list[str]:
    query = Query(task="anything", strategy=Strategy.ALL, **asked)
    return names(index, select(query, index, circumstances))


def test_order_is_groups_then_tools_of_none_then_always_on() -> None:
    assert everything(lexical(office())) == [
        "settle_bill",
        "find_payment",
        "check_stock",
        "reserve_stock",
        "convert_currency",
        "ask_user",
    ]


def test_a_tool_of_two_groups_stands_in_the_first() -> None:
    groups = [
        {"name": "one", "description": "", "tools": ["b"]},
        {"name": "two", "description": "", "tools": ["a", "b"]},
    ]
    index = lexical(document(tools=[tool("a"), tool("b")], groups=groups))
    assert everything(index) == ["b", "a"]


def test_always_on_tools_come_last_in_their_own_order() -> None:
    index = lexical(office(always_on=["find_payment", "ask_user"]))
    assert everything(index)[-2:] == ["find_payment", "ask_user"]


def test_a_disabled_tool_is_never_served() -> None:
    index = lexical(office(always_on=["old_report"]))
    assert "old_report" not in everything(index)
    selection = select(Query(task="x", strategy=Strategy.ALL), index, NOW)
    assert reasons(selection)["old_report"] == "disabled"


@pytest.mark.parametrize("name", ["find_payment", "capability:billing.read"])
def test_a_circuit_switches_off_a_tool_or_a_capability(name: str) -> None:
    index = lexical(office())
    off = Circumstances(switched_off=frozenset({name, "unheard_of"}))
    assert "find_payment" not in everything(index, off)
    selection = select(Query(task="x", strategy=Strategy.ALL), index, off)
    assert reasons(selection)["find_payment"] == "circuit_open"


def test_a_tool_that_is_called_as_a_capability_is_not_taken_for_it() -> None:
    index = lexical(document(tools=[tool("search"), tool("look", capability="search")]))
    assert everything(index, Circumstances(frozenset({"search"}))) == ["look"]
    assert everything(index, Circumstances(frozenset({"capability:search"}))) == ["search"]


def test_an_open_circuit_of_the_route_leaves_what_is_always_on() -> None:
    index = lexical(office(routes=ROUTES, default_tools=["check_stock"]))
    off = Circumstances(frozenset({"route:look"}))
    for strategy in Strategy:
        query = Query(task="check stock", route="look", strategy=strategy, open_groups=("billing",))
        selection = select(query, index, off)
        assert names(index, selection) == ["ask_user"]
        assert selection.fallback == Fallback.NOTHING_AVAILABLE
        assert reasons(selection)["check_stock"] == "circuit_open"
    opened = expand(index, route="look", group="billing", offered=["ask_user"], circumstances=off)
    assert opened == ()


def test_a_route_allows_its_tools_and_its_groups_as_far_as_their_side_effects() -> None:
    index = lexical(office(routes=ROUTES))
    assert everything(index, route="look") == ["find_payment", "check_stock", "ask_user"]
    selection = select(Query(task="x", route="look", strategy=Strategy.ALL), index, NOW)
    assert selection.requestable == ("billing",)
    assert reasons(selection)["settle_bill"] == "route"
    assert selection.omitted_counts == {"route": 3, "disabled": 1}


def test_always_on_tools_are_on_every_route() -> None:
    index = lexical(office(routes=ROUTES))
    selection = select(Query(task="x", route="none"), index, NOW)
    assert names(index, selection) == ["ask_user"]
    assert selection.fallback == Fallback.NOTHING_AVAILABLE
    assert selection.requestable == ()


def test_names_that_do_not_stand_are_refused() -> None:
    index = lexical(office(routes=ROUTES))
    with pytest.raises(UnknownRoute, match="nowhere"):
        select(Query(task="x", route="nowhere"), index, NOW)
    with pytest.raises(UnknownRoute, match="must be named"):
        select(Query(task="x"), index, NOW)
    with pytest.raises(UnknownPhase, match="tomorrow"):
        select(Query(task="x", route="look", phase="tomorrow"), index, NOW)
    with pytest.raises(UnknownGroup, match="nothing"):
        select(Query(task="x", route="look", open_groups=("nothing",)), index, NOW)
    with pytest.raises(GroupNotAllowed, match="stock"):
        select(Query(task="x", route="look", open_groups=("stock",)), index, NOW)


def test_a_null_phase_is_the_initial_one() -> None:
    phases = [
        {"name": "first", "tools": ["check_stock"], "groups": [], "next": ["second"]},
        {"name": "second", "tools": ["settle_bill"], "groups": ["stock"], "next": []},
    ]
    index = lexical(office(phases=phases, settings={"initial_phase": "first"}))
    query = Query(task="x", strategy=Strategy.PHASE)
    selection = select(query, index, NOW)
    assert names(index, selection) == ["check_stock", "ask_user"]
    assert (selection.phase, selection.groups) == ("first", ("stock",))
    query = Query(task="x", strategy=Strategy.PHASE, phase="second")
    selection = select(query, index, NOW)
    assert names(index, selection) == ["settle_bill", "check_stock", "reserve_stock", "ask_user"]
    assert reasons(selection)["find_payment"] == "not_in_phase"


def test_the_cap_holds_for_all_but_always_on_open_groups_and_all() -> None:
    phases = [{"name": "p", "tools": ["convert_currency"], "groups": ["billing", "stock"]}]
    index = lexical(office(phases=phases))
    query = Query(task="x", phase="p", strategy=Strategy.PHASE, max_tools=2)
    selection = select(query, index, NOW)
    assert names(index, selection) == ["settle_bill", "convert_currency", "ask_user"]
    assert selection.omitted_counts == {"over_cap": 3, "disabled": 1}
    query = Query(task="x", phase="p", strategy=Strategy.PHASE, max_tools=2, open_groups=("stock",))
    selection = select(query, index, NOW)
    assert names(index, selection) == [
        "settle_bill",
        "check_stock",
        "reserve_stock",
        "convert_currency",
        "ask_user",
    ]
    assert reasons(selection)["check_stock"] == "open_group"
    assert len(everything(index, max_tools=1)) == 6


def test_the_cap_holds_for_default_tools() -> None:
    index = lexical(office())
    selection = select(Query(task="?", strategy=Strategy.RULES, max_tools=1), index, NOW)
    assert names(index, selection) == ["find_payment", "ask_user"]
    assert reasons(selection) | {"find_payment": "default"} == reasons(selection)
    assert reasons(selection)["check_stock"] == "over_cap"


def test_default_tools_are_those_that_the_route_allows() -> None:
    routes = [{"name": "r", "tools": ["check_stock"], "groups": [], "side_effects": ["read"]}]
    index = lexical(office(routes=routes))
    selection = select(Query(task="zzz", route="r", strategy=Strategy.AUTO), index, NOW)
    assert names(index, selection) == ["check_stock", "ask_user"]
    assert selection.fallback == "no_match"


def test_open_groups_are_served_in_a_fallback_too() -> None:
    index = lexical(office())
    selection = select(Query(task="zzz", open_groups=("stock",)), index, NOW)
    assert selection.groups == ("stock",)
    assert selection.fallback == "no_match"
    assert "reserve_stock" in names(index, selection)


def test_low_confidence_serves_the_default_tools_and_keeps_the_proposal() -> None:
    index = lexical(office(settings={"threshold": 1.0}))
    selection = select(Query(task="settle the bill"), index, NOW)
    assert selection.fallback == "low_confidence"
    assert (selection.groups, selection.proposed_groups) == ((), ("billing",))
    assert names(index, selection) == ["find_payment", "check_stock", "ask_user"]
    assert reasons(selection)["settle_bill"] == "below_threshold"
    assert 0 < selection.confidence < 1
    assert selection.confidence_source == "shipped"


def test_an_inclusive_selection_adds_what_only_reads_below_the_threshold() -> None:
    index = lexical(office(settings={"threshold": 1.0}, default_tools=["check_stock"]))
    query = Query(task="settle the bill of the payment", inclusive=True)
    served = names(index, select(query, index, NOW))
    assert {"find_payment", "check_stock", "ask_user"} <= set(served)
    assert all(index.reads[index.position[name]] for name in served)
    assert reasons(select(query, index, NOW))["settle_bill"] == "below_threshold"


def test_an_exploring_selection_says_so_and_is_inclusive() -> None:
    index = lexical(office())
    query = Query(task="settle the bill for the pieces")
    narrow = select(query, index, NOW)
    wide = select(query, index, Circumstances(explore=True))
    assert (narrow.explored, wide.explored) == (False, True)
    assert set(narrow.tools) <= set(wide.tools)
    assert len(wide.tools) > len(narrow.tools)


@pytest.mark.parametrize("strategy", ["classifier", "llm"])
def test_a_strategy_that_cannot_be_served_gives_way_to_auto(strategy: str) -> None:
    index = lexical(office())
    asked = Query(task="settle the bill", strategy=Strategy(strategy))
    selection = select(asked, index, NOW)
    assert (selection.strategy, selection.decided_by) == (strategy, "embedding")
    assert selection.fallback == "strategy_failed"
    assert selection.failure is not None
    assert strategy in selection.failure
    assert selection.tools == select(Query(task="settle the bill"), index, NOW).tools
    assert selection.groups == ("billing",)


def test_a_strategy_that_raises_gives_way(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        raise RuntimeError("out of order")

    monkeypatch.setattr(evidential, "read", fail)
    index = lexical(office())
    selection = select(Query(task="settle the bill"), index, NOW)
    assert selection.fallback == "strategy_failed"
    assert selection.failure == "auto: RuntimeError: out of order"
    assert names(index, selection) == ["find_payment", "check_stock", "ask_user"]


def test_an_expansion_adds_what_was_not_offered_in_the_groups_order() -> None:
    index = lexical(office())
    added = expand(index, route=None, group="billing", offered=[], circumstances=NOW)
    assert [index.tools[tool] for tool in added] == ["settle_bill", "find_payment"]
    off = Circumstances(switched_off=frozenset({"capability:billing.write"}))
    assert (
        expand(index, route=None, group="billing", offered=["find_payment"], circumstances=off)
        == ()
    )


def test_an_expansion_holds_to_the_route() -> None:
    index = lexical(office(routes=ROUTES))
    added = expand(index, route="look", group="billing", offered=[], circumstances=NOW)
    assert [index.tools[tool] for tool in added] == ["find_payment"]
    with pytest.raises(GroupNotAllowed):
        expand(index, route="look", group="stock", offered=[], circumstances=NOW)
    with pytest.raises(UnknownGroup):
        expand(index, route="look", group="nothing", offered=[], circumstances=NOW)


def test_a_catalog_without_groups_is_selected_from_by_tool() -> None:
    words = ["weather", "football", "exchange rates", "hotels", "recipes", "trains", "poems"]
    tools = [tool(f"t{n}", description=f"Look up {word}.") for n, word in enumerate(words)]
    index = lexical(document(tools=tools, settings={"max_tools": 2, "threshold": 0.0}))
    selection = select(Query(task="which hotels are near the trains"), index, NOW)
    assert names(index, selection) == ["t3", "t5"]
    assert reasons(selection)["t3"] == "lexical"
    assert selection.omitted_counts == {"below_cut": 5}


def test_an_empty_catalog_answers() -> None:
    selection = select(Query(task="anything"), lexical(document()), NOW)
    assert (selection.tools, selection.fallback) == ((), "nothing_available")


def test_only_twenty_misses_are_listed_and_all_are_counted() -> None:
    tools = [tool(f"t{number}", description=f"word{number}") for number in range(60)]
    index = lexical(document(tools=tools, default_tools=["t0"]))
    selection = select(Query(task="zzz"), index, NOW)
    assert len(selection.omitted) == 20
    assert selection.omitted_counts == {"below_cut": 59}


def test_tools_in_no_group_are_selected_beside_groups() -> None:
    index = lexical(office())
    selection = select(Query(task="convert an amount of money"), index, NOW)
    assert names(index, selection) == ["convert_currency", "ask_user"]
    assert (selection.groups, selection.fallback) == ((), None)


def test_where_all_default_tools_are_off_others_that_read_stand_in() -> None:
    index = lexical(office(always_on=[], default_tools=["find_payment"]))
    off = Circumstances(switched_off=frozenset({"find_payment"}))
    selection = select(Query(task="zzz", max_tools=2), index, off)
    assert names(index, selection) == ["check_stock", "ask_user"]
    assert selection.fallback == "no_match"
    selection = select(Query(task="zzz"), lexical(office(always_on=[], default_tools=[])), off)
    assert selection.tools == ()
