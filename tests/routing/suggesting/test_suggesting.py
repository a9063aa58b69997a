"""Groups for tools: by what they are about, named and described in their own words."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.health.saying_when import says_when
from catalog.names import part_name
from routing.selection.arrays import FloatArray
from routing.suggesting import SuggestedGroup, Suggestion, suggest, texts_of

ORDERS = ("order", ("create", "list", "get", "cancel"))
INVOICES = ("invoice", ("issue", "find", "send", "correct"))
SHIPMENTS = ("shipment", ("track", "schedule", "price"))


def tool(name: str, description: str = "", **fields: Any) -> dict[str, Any]:
    return {"name": name, "description": description, "side_effect": "read", **fields}


def about(*topics: tuple[str, Sequence[str]]) -> list[dict[str, Any]]:
    return [
        tool(f"{verb}_{thing}", f"{verb.title()} one {thing} of a customer.")
        for thing, verbs in topics
        for verb in verbs
    ]


def of(tools: Sequence[Mapping[str, Any]], **more: Any) -> Suggestion:
    return suggest(tools=tools, vectors={}, **more)


def by_name(suggestion: Suggestion) -> dict[str, SuggestedGroup]:
    return {group.name: group for group in suggestion.groups}


def test_tools_of_one_thing_make_a_group_that_is_called_so() -> None:
    found = by_name(of(about(ORDERS, INVOICES, SHIPMENTS)))
    assert set(found) == {"order", "invoice", "shipment"}
    assert found["shipment"].tools == ("track_shipment", "schedule_shipment", "price_shipment")
    assert found["order"].description == "Use to create, list, look up or cancel orders."


def test_the_meaning_brings_together_what_no_word_does() -> None:
    tools = about(("order", ("create", "list"))) + about(("invoice", ("issue", "find")))
    alike = [tool("cancel_purchase", "Call it off."), tool("settle_bill", "Pay it.")]
    rows = np.eye(3, dtype=np.float32)
    meant = dict(zip([one["name"] for one in (*tools, *alike)], (0, 0, 1, 1, 0, 1), strict=True))
    vectors: dict[str, FloatArray] = {}
    for one in (*tools, *alike):
        vectors |= dict.fromkeys(texts_of([one]), rows[meant[one["name"]]])
    groups = suggest(tools=[*tools, *alike], vectors=vectors).groups
    assert [set(group.tools) for group in groups] == [
        {"create_order", "list_order", "cancel_purchase"},
        {"issue_invoice", "find_invoice", "settle_bill"},
    ]


def test_no_group_is_larger_than_may_be() -> None:
    verbs = ("add", "get", "list", "set", "update", "delete", "find", "send", "check", "open")
    found = of(about(("order", verbs), ("order_line", verbs)), most=7).groups
    assert [len(group.tools) <= 7 for group in found] == [True] * len(found)
    assert sum(len(group.tools) for group in found) == 20
    assert len({group.name for group in found}) == len(found) >= 3


@pytest.mark.parametrize("field", ["tags", "category", "alias"])
def test_what_tools_are_said_to_belong_to_decides_over_their_words(field: str) -> None:
    homes = ("Back office", "Back office", "Shop floor", "Shop floor")
    names = ("find_a", "find_b", "find_c", "find_d")
    said: list[dict[str, Any]] = [
        {"tags": [home]}
        if field == "tags"
        else {"category": home}
        if field == "category"
        else {"aliases": [f"{home}: {name}"]}
        for home, name in zip(homes, names, strict=True)
    ]
    tools = [tool(name, **fields) for name, fields in zip(names, said, strict=True)]
    found = by_name(of(tools))
    assert {name: group.tools for name, group in found.items()} == {
        "back_office": ("find_a", "find_b"),
        "shop_floor": ("find_c", "find_d"),
    }


def test_a_name_that_is_taken_is_not_given_again() -> None:
    found = of(about(ORDERS, INVOICES), taken={"order"})
    assert [group.name for group in found.groups] == ["order_create", "invoice"]


def test_verbs_are_told_from_nouns_wherever_they_stand() -> None:
    tools = [tool("issue_read"), tool("issues_list"), tool("projects_get"), tool("project_write")]
    found = of([*tools, tool("issue_write"), tool("write_project")])
    assert sorted(group.name for group in found.groups) == ["issue", "project"]
    assert by_name(found)["issue"].description == "Use to read, list or write issues."


@pytest.mark.parametrize(
    ("names", "language", "said"),
    [
        (
            ("buscar_contrato", "crear_contrato", "renovar_contrato"),
            "Busca en los contratos que ya se han firmado.",
            "Usar para buscar, crear o renovar contrato.",
        ),
        (
            ("search_contracts", "renew_contract"),
            "Busca contratos por su número, y devuelve los que hay.",
            "Usar para buscar contratos por su número.",
        ),
        (
            ("find_invoice", "send_invoice"),
            "Obtém a nota fiscal de um pedido, se já foi emitida.",
            "Usar para consultar a nota fiscal de um pedido.",
        ),
        (
            ("weather",),
            "Returns the weather of a city. Many details follow.",
            "Use to look up the weather of a city.",
        ),
        (("x1",), "", "Use to work with x1."),
        (("send_sms",), "Send the owner a text message.", "Use to send sms."),
        (
            ("interactions",),
            "Check a medicine against what the animal takes already.",
            "Use to check a medicine.",
        ),
    ],
)
def test_a_group_says_when_to_use_it_in_the_language_of_its_tools(
    names: tuple[str, ...], language: str, said: str
) -> None:
    (group,) = of([tool(name, language) for name in names]).groups
    assert group.description == said
    assert says_when(said)


def test_what_only_asks_is_always_on_and_in_no_group() -> None:
    tools = [*about(ORDERS), tool("ask_user"), tool("request_human_input"), tool("search")]
    found = of(tools)
    assert found.always_on == ("ask_user", "request_human_input", "search")
    assert {name for group in found.groups for name in group.tools} == {
        "create_order",
        "list_order",
        "get_order",
        "cancel_order",
    }


def test_only_what_reads_is_served_unasked() -> None:
    writing = [{**one, "side_effect": "write"} for one in about(ORDERS)]
    asking = tool("ask_user", side_effect="destructive")
    found = of([*writing, *about(INVOICES), asking])
    assert (found.defaults, found.always_on) == (("find_invoice",), ())


def test_there_are_few_defaults_and_they_look_things_up() -> None:
    things = [f"{letter}{letter}thing" for letter in "abcdefgh"]
    found = of(about(*((thing, ("send", "get", "search")) for thing in things)))
    assert len(found.defaults) == 5
    assert all(name.startswith("search_") for name in found.defaults)


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_a_handful_of_tools_is_one_group(count: int) -> None:
    tools = [tool("get_weather"), tool("send_email"), tool("play_music")][:count]
    assert [len(group.tools) for group in of(tools).groups] == ([count] if count else [])


def test_tools_in_another_script_have_groups_with_names() -> None:
    tools = [
        tool(f"tool_{number:08x}", "查询订单", aliases=[f"订单{number}"]) for number in range(5)
    ]
    assert [group.name for group in of(tools).groups] == ["group_1"]


def test_the_order_of_tools_is_that_of_the_catalog() -> None:
    tools = about(ORDERS, INVOICES, SHIPMENTS)
    mixed = tools[::3] + tools[1::3] + tools[2::3]
    place = {one["name"]: number for number, one in enumerate(mixed)}
    found = [[place[name] for name in group.tools] for group in of(mixed).groups]
    assert found == sorted(sorted(group) for group in found)


words = st.sampled_from(
    [
        "get",
        "list",
        "order",
        "orders",
        "item",
        "api",
        "id",
        "v2",
        "user",
        "card",
        "search",
        "ask",
        "订单",
        "x",
    ]
)
names = st.lists(words, min_size=1, max_size=4).map("_".join)
drafts = st.lists(
    st.builds(
        tool,
        names,
        st.sampled_from(["", "Finds an order.", "Cria um pedido", "¡!", "a " * 300, "Use to pay"]),
        tags=st.lists(st.sampled_from(["Orders", "", "42", "pay/ments"]), max_size=2),
        side_effect=st.sampled_from(["read", "write"]),
    ),
    max_size=30,
    unique_by=lambda one: str(one["name"]),
)


@given(drafts, st.integers(1, 8))
@settings(deadline=None, max_examples=60)
def test_whatever_the_tools_each_is_in_one_valid_group(
    tools: list[dict[str, Any]], most: int
) -> None:
    found = of(tools, most=most)
    placed = [name for group in found.groups for name in group.tools]
    assert sorted([*placed, *found.always_on]) == sorted(one["name"] for one in tools)
    assert len({group.name for group in found.groups}) == len(found.groups)
    for group in found.groups:
        part_name(group.name)
        assert 0 < len(group.tools) <= most
        assert re.match(r"Us(?:e to|ar para) \S", group.description)
        assert len(group.description) <= 500
    assert of(tools, most=most) == found
