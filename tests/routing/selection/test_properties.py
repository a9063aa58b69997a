"""What holds for every catalog and every request."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from routing.selection import Circumstances, Index, Query, Selection, Strategy, expand, select
from tests.routing.selection.documents import document, lexical, tool

NAMES = [f"tool_{number}" for number in range(9)]
GROUPS = ["north", "south", "east"]
WORDS = ["apple", "bread", "cheese", "stock", "payment", "order", "find"]
TEXT = st.lists(st.sampled_from([*WORDS, "88231", "é", "付款"]), min_size=1).map(" ".join)
SOME = st.lists(st.sampled_from(NAMES), unique=True, max_size=5)
SOME_GROUPS = st.lists(st.sampled_from(GROUPS), unique=True)
EFFECTS = st.sampled_from(["read", "write", "destructive"])


@st.composite
def documents(draw: st.DrawFn) -> dict[str, Any]:
    tools = [
        tool(
            name,
            description=draw(TEXT),
            side_effect=draw(EFFECTS),
            enabled=draw(st.booleans()),
            capability=draw(st.sampled_from(["", "a", "b"])),
        )
        for name in NAMES
    ]
    return document(
        tools=tools,
        settings={"max_tools": draw(st.integers(1, 6)), "threshold": draw(st.floats(0, 1))},
        groups=[{"name": name, "description": draw(TEXT), "tools": draw(SOME)} for name in GROUPS],
        default_tools=draw(SOME),
        always_on=draw(st.lists(st.sampled_from(NAMES), unique=True, max_size=2)),
        phases=[{"name": "p", "tools": draw(SOME), "groups": draw(SOME_GROUPS), "next": []}],
        keyword_rules=[
            {
                "pattern": rf"\b{draw(st.sampled_from(WORDS))}\b",
                "add_tools": draw(SOME),
                "remove_tools": draw(SOME),
                "add_groups": draw(SOME_GROUPS),
            }
        ],
        intent_rules=[{"phrases": ["cheese"], "tools": draw(SOME), "groups": draw(SOME_GROUPS)}],
        routes=draw(
            st.sampled_from(
                [
                    [],
                    [
                        {
                            "name": "r",
                            "tools": draw(SOME),
                            "groups": draw(SOME_GROUPS),
                            "side_effects": ["read", draw(EFFECTS)],
                        }
                    ],
                ]
            )
        ),
    )


@st.composite
def requests(draw: st.DrawFn) -> tuple[dict[str, Any], Index, Query, Circumstances]:
    source = draw(documents())
    index = lexical(source)
    route = "r" if index.routes else None
    query = Query(
        task=draw(TEXT),
        history=tuple(draw(st.lists(TEXT, max_size=2))),
        phase=draw(st.sampled_from([None, "p"])),
        route=route,
        strategy=draw(st.sampled_from(list(Strategy))),
        max_tools=draw(st.one_of(st.none(), st.integers(1, 50))),
        inclusive=draw(st.booleans()),
        open_groups=tuple(draw(st.sets(st.sampled_from([*index.route(route).groups, ""]))) - {""}),
    )
    off = draw(st.sets(st.sampled_from([*NAMES, "capability:a"]), max_size=4))
    if draw(st.booleans()) and draw(st.booleans()):
        off.add("route:r")
    return source, index, query, Circumstances(frozenset(off), explore=draw(st.booleans()))


def allowed_names(source: dict[str, Any], query: Query, circumstances: Circumstances) -> set[str]:
    """Return what may be served at all, worked out from the document alone."""
    allowed = set(NAMES)
    if source["routes"]:
        route = source["routes"][0]
        allowed = set(route["tools"])
        for group in source["groups"]:
            if group["name"] in route["groups"]:
                allowed |= set(group["tools"])
    served = set()
    for entry in source["tools"]:
        names = {entry["name"], "capability:" + entry["capability"]}
        off = names & circumstances.switched_off or (
            "route:r" in circumstances.switched_off and entry["name"] not in source["always_on"]
        )
        on_route = entry["name"] in source["always_on"] or (
            entry["name"] in allowed
            and (
                not source["routes"] or entry["side_effect"] in source["routes"][0]["side_effects"]
            )
        )
        if entry["enabled"] and not off and on_route:
            served.add(entry["name"])
    return served


@settings(max_examples=100, deadline=None)
@given(requests())
def test_nothing_is_served_that_may_not_be(
    request: tuple[dict[str, Any], Index, Query, Circumstances],
) -> None:
    source, index, query, circumstances = request
    selection = select(query, index, circumstances)
    served = [index.tools[position] for position in selection.tools]
    allowed = allowed_names(source, query, circumstances)
    assert set(served) <= allowed
    assert len(served) == len(set(served))
    assert set(selection.groups) >= set(query.open_groups)
    assert set(selection.requestable) == set(index.route(query.route).groups)
    nothing = not allowed - set(source["always_on"])
    assert (selection.fallback == "nothing_available") == nothing
    explained = {item.tool for item in selection.included}
    assert explained == set(served)
    assert sum(selection.omitted_counts.values()) == len(NAMES) - len(served)
    assert 0 <= selection.confidence <= 1


@settings(max_examples=100, deadline=None)
@given(requests())
def test_the_cap_holds_and_the_order_is_the_catalogs(
    request: tuple[dict[str, Any], Index, Query, Circumstances],
) -> None:
    _, index, query, circumstances = request
    selection = select(query, index, circumstances)
    assert list(selection.tools) == sorted(selection.tools, key=lambda tool: index.rank[tool])
    outside = set(index.always_on)
    for name in query.open_groups:
        outside |= set(index.groups[name].members.tolist())
    if selection.decided_by is not Strategy.ALL:
        assert len(set(selection.tools) - outside) <= selection.max_tools


@settings(max_examples=60, deadline=None)
@given(requests())
def test_equal_requests_get_equal_answers(
    request: tuple[dict[str, Any], Index, Query, Circumstances],
) -> None:
    source, index, query, circumstances = request
    first = select(query, index, circumstances)
    assert select(query, index, circumstances) == first
    assert select(query, lexical(source), circumstances) == first


@settings(max_examples=60, deadline=None)
@given(requests())
def test_expansions_only_append(
    request: tuple[dict[str, Any], Index, Query, Circumstances],
) -> None:
    source, index, query, circumstances = request
    selection: Selection = select(replace(query, open_groups=()), index, circumstances)
    offered = [index.tools[position] for position in selection.tools]
    allowed = allowed_names(source, query, circumstances)
    for name in selection.requestable:
        added = [
            index.tools[position]
            for position in expand(
                index, route=query.route, group=name, offered=offered, circumstances=circumstances
            )
        ]
        assert not set(added) & set(offered)
        assert set(added) <= allowed
        members = [index.tools[tool] for tool in index.groups[name].members]
        assert added == [tool for tool in members if tool in set(added)]
        offered += added
        assert {tool for tool in members if tool in allowed} <= set(offered)
