"""Selections with ``tool_search``: a few tools at once, the others behind the provider's search."""

import json
from typing import Any

import pytest
from anthropic.types import ToolParam, ToolSearchToolBm25_20251119Param
from openai.types.responses import FunctionToolParam, NamespaceToolParam, ToolSearchToolParam
from pydantic import TypeAdapter

from catalog.models import Catalog
from routing.models import Span
from tests.routing.api.test_selections import RECONCILE
from tests.routing.conftest import Agent

pytestmark = pytest.mark.django_db

FORMATS = ["openai-responses", "anthropic"]
KINDS: dict[str, Any] = {
    "function": TypeAdapter(FunctionToolParam),
    "namespace": TypeAdapter(NamespaceToolParam),
    "tool_search": TypeAdapter(ToolSearchToolParam),
    "tool_search_tool_bm25_20251119": TypeAdapter(ToolSearchToolBm25_20251119Param),
    "custom": TypeAdapter(ToolParam),
}


def search(
    agent: Agent, task: str = RECONCILE, format_name: str = "openai-responses", **more: Any
) -> Any:
    return agent.select(task, format=format_name, tool_search=True, **more)


def deferred_in(tools: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the deferred tools, those in namespaces too, in the order sent."""
    flat = [inner for tool in tools for inner in tool.get("tools", [tool])]
    return [tool for tool in flat if tool.get("defer_loading")]


@pytest.mark.parametrize("format_name", FORMATS)
def test_everything_else_follows_behind_the_search_tool(
    agent: Agent, back_office: Catalog, format_name: str
) -> None:
    plain = agent.select(RECONCILE, format=format_name)
    answer = search(agent, format_name=format_name)

    count = len(plain["tools"])
    assert answer["tools"][:count] == plain["tools"]
    assert answer["tool_names"] == plain["tool_names"]
    assert answer["tool_names"][-2:] == ["ask_user", "request_group"]
    assert answer["tools"][count]["type"].startswith("tool_search")
    every = {tool.name for tool in back_office.tools.all()}
    deferred = [tool["name"] for tool in deferred_in(answer["tools"])]
    assert sorted(deferred) == sorted(answer["deferred"])
    assert set(deferred) == every - set(answer["tool_names"]) != set()
    assert len(set(deferred)) == len(deferred)
    assert deferred_in(answer["tools"][: count + 1]) == []


@pytest.mark.parametrize("format_name", FORMATS)
def test_what_is_sent_is_of_the_clients_types(
    agent: Agent, back_office: Catalog, format_name: str
) -> None:
    for tool in search(agent, format_name=format_name)["tools"]:
        KINDS[tool.get("type", "custom")].validate_python(tool)


def test_openai_gets_a_namespace_for_each_group(agent: Agent, back_office: Catalog) -> None:
    answer = search(agent)
    namespaces = [tool for tool in answer["tools"] if tool["type"] == "namespace"]
    described = dict(back_office.groups.values_list("name", "description"))

    names = [namespace["name"] for namespace in namespaces]
    assert names == [name for name in described if name in names] != []
    for namespace in namespaces:
        group = back_office.groups.get(name=namespace["name"])
        members = [membership.tool.name for membership in group.memberships.order_by("position")]
        assert namespace["description"] == group.description
        held = [tool["name"] for tool in namespace["tools"]]
        assert held == [name for name in members if name in held] != []


def test_without_it_nothing_is_deferred(agent: Agent, back_office: Catalog) -> None:
    answer = agent.select(RECONCILE, format="openai-responses")

    assert answer["deferred"] == []
    assert len(answer["tools"]) == len(answer["tool_names"])
    assert Span.objects.get().tool_search is False


def test_where_everything_is_offered_there_is_nothing_to_search(
    agent: Agent, back_office: Catalog
) -> None:
    answer = search(agent, strategy="all")

    assert answer["deferred"] == []
    assert len(answer["tools"]) == len(answer["tool_names"])


@pytest.mark.parametrize(
    ("route", "allowed"),
    [
        ("order_status", {"read_order"}),
        (
            "refund_investigation",
            {"read_order", "search_refund_policy", "draft_refund_request"},
        ),
    ],
)
def test_nothing_off_the_route_can_be_found(
    agent: Agent, refunds: Catalog, route: str, allowed: set[str]
) -> None:
    answer = search(agent, "Where is it?", catalog="refunds", route=route, max_tools=1)

    offered = set(answer["tool_names"])
    assert offered.isdisjoint(answer["deferred"])
    assert offered | set(answer["deferred"]) == allowed
    # No group may be asked for on these routes, so that none is named either.
    assert "namespace" not in {tool["type"] for tool in answer["tools"]}
    assert "issue_refund" not in json.dumps(answer)


def test_tokens_are_those_of_what_the_model_sees_at_once(
    agent: Agent, back_office: Catalog
) -> None:
    assert search(agent)["tokens"] == agent.select(RECONCILE)["tokens"]


@pytest.mark.parametrize("format_name", FORMATS)
def test_what_is_deferred_has_the_same_bytes_for_every_task(
    agent: Agent, back_office: Catalog, format_name: str
) -> None:
    tasks = [RECONCILE, "Is order 88231 in stock?", "Write to the supplier", RECONCILE]
    answers = [search(agent, task, format_name=format_name) for task in tasks]
    homes: dict[str, tuple[Any, ...]] = {}
    for answer in answers:
        for tool in answer["tools"]:
            for inner in tool.get("tools", [tool]):
                if inner.get("defer_loading"):
                    home = (tool.get("name"), tool.get("description"), json.dumps(inner))
                    inside = home if "tools" in tool else (None, None, home[2])
                    assert homes.setdefault(inner["name"], inside) == inside
    assert answers[0]["tools"] == answers[-1]["tools"]


@pytest.mark.parametrize("format_name", ["native", "openai", "prompt"])
def test_formats_without_a_search_are_refused(
    agent: Agent, back_office: Catalog, format_name: str
) -> None:
    response = agent.post(
        "/selections",
        {"catalog": "back-office", "task": "x", "format": format_name, "tool_search": True},
    )

    assert response.status_code == 422
    assert response.json()["errors"] == [
        {
            "path": "tool_search",
            "message": f"the format {format_name} has none; openai-responses and anthropic have",
        }
    ]


def test_the_record_says_so(agent: Agent, back_office: Catalog) -> None:
    answer = search(agent, run_id="one")
    agent.post(f"/selections/{answer['id']}/expansions", {"group": "stock"})
    route, expand = agent.get("/runs/one").json()["spans"]

    assert (route["tool_search"], expand["tool_search"]) == (True, True)
    assert route["offered"] == answer["tool_names"]


@pytest.mark.parametrize(
    ("format_name", "reference"),
    [
        ("anthropic", {"type": "tool_reference", "tool_name": "check_stock"}),
        ("openai-responses", {"namespace": "stock", "name": "check_stock"}),
    ],
)
def test_an_expansion_points_to_what_the_agent_holds_already(
    agent: Agent, back_office: Catalog, format_name: str, reference: object
) -> None:
    selection = search(agent, format_name=format_name)
    path = f"/selections/{selection['id']}/expansions"
    response = agent.post(path, {"group": "stock"})
    expansion = response.json()

    before = selection["tool_names"]
    assert response.status_code == 201
    assert expansion["added"] == []
    assert expansion["tool_names"][: len(before)] == before
    opened = expansion["tool_names"][len(before) :]
    assert len(expansion["references"]) == len(opened) > 0
    assert set(opened) <= set(selection["deferred"])
    assert reference in expansion["references"]
    assert expansion["tokens"]["selected"] > selection["tokens"]["selected"]
    again = agent.post(path, {"group": "stock"})
    assert (again.status_code, again.json()["references"]) == (200, [])


def test_an_expansion_without_tool_search_points_to_nothing(
    agent: Agent, back_office: Catalog
) -> None:
    selection = agent.select(RECONCILE, format="anthropic")
    expansion = agent.post(f"/selections/{selection['id']}/expansions", {"group": "stock"}).json()

    assert expansion["references"] == []
    assert expansion["added"] != []
