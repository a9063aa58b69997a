"""What a provider's search may load, and in which places."""

import json
from typing import Any

from routing.deferral import Deferral, deferred_tools
from routing.selection import Index
from tests.routing.selection.documents import lexical, office

ROUTES = [
    {"name": "look", "tools": ["find_payment"], "groups": ["stock"], "side_effects": ["read"]},
]


def found(index: Index, **asked: Any) -> list[str]:
    said = {"route": None, "offered": (), "switched_off": frozenset()} | asked
    return [index.tools[tool] for tool in deferred_tools(index, **said)]


def laid_out(document: dict[str, Any], *, route: str | None = None) -> list[dict[str, Any]]:
    index = lexical(document)
    deferral = Deferral(document=document, index=index, format_name="openai-responses")
    tools = deferred_tools(index, route=route, offered=(), switched_off=frozenset())
    return [json.loads(entry) for entry in deferral.entries(tools, route=route)]


def test_everything_that_may_be_served_is_there_in_catalog_order() -> None:
    assert found(lexical(office())) == [
        "settle_bill",
        "find_payment",
        "check_stock",
        "reserve_stock",
        "convert_currency",
        "ask_user",
    ]


def test_what_is_offered_off_or_disabled_is_not() -> None:
    index = lexical(office())
    offered = [index.position["ask_user"], index.position["check_stock"]]

    assert found(index, offered=offered, switched_off=frozenset({"capability:billing.write"})) == [
        "find_payment",
        "reserve_stock",
        "convert_currency",
    ]


def test_a_route_bounds_it() -> None:
    index = lexical(office(routes=ROUTES))

    assert found(index, route="look") == ["find_payment", "check_stock", "ask_user"]


def test_namespaces_come_in_the_order_of_groups_then_tools_of_none() -> None:
    search, billing, stock, *apart = laid_out(office())

    assert search == {"type": "tool_search"}
    assert (billing["name"], stock["name"]) == ("billing", "stock")
    assert [tool["name"] for tool in billing["tools"]] == ["settle_bill", "find_payment"]
    assert [tool["name"] for tool in apart] == ["convert_currency", "ask_user"]


def test_a_group_off_the_route_is_not_named() -> None:
    _, *entries = laid_out(office(routes=ROUTES), route="look")

    assert [(entry["type"], entry["name"]) for entry in entries] == [
        ("namespace", "stock"),
        ("function", "find_payment"),
        ("function", "ask_user"),
    ]


def test_a_tool_of_two_groups_is_in_the_first_that_the_route_allows() -> None:
    document = office()
    document["groups"][1]["tools"].insert(0, "find_payment")
    inside = {
        entry["name"]: [tool["name"] for tool in entry["tools"]]
        for entry in laid_out(document)
        if entry["type"] == "namespace"
    }
    assert inside == {
        "billing": ["settle_bill", "find_payment"],
        "stock": ["check_stock", "reserve_stock"],
    }

    routed = laid_out({**document, "routes": ROUTES}, route="look")
    (stock,) = (entry for entry in routed if entry["type"] == "namespace")
    assert [tool["name"] for tool in stock["tools"]] == ["find_payment", "check_stock"]


def test_anthropic_takes_them_one_by_one() -> None:
    document = office()
    index = lexical(document)
    deferral = Deferral(document=document, index=index, format_name="anthropic")
    tools = deferred_tools(index, route=None, offered=(), switched_off=frozenset())
    search, *entries = (json.loads(entry) for entry in deferral.entries(tools, route=None))

    assert search == {
        "type": "tool_search_tool_bm25_20251119",
        "name": "tool_search_tool_bm25",
    }
    assert [entry["name"] for entry in entries] == [index.tools[tool] for tool in tools]
    assert all(entry["defer_loading"] is True for entry in entries)


def test_without_tools_there_is_nothing_to_search() -> None:
    document = office()
    for format_name in ("anthropic", "openai-responses"):
        deferral = Deferral(document=document, index=lexical(document), format_name=format_name)
        assert deferral.entries((), route=None) == []
