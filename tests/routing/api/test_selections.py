"""``POST /api/v1/selections``."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalog.models import Catalog
from routing.models import Span, Text
from tests.routing.conftest import Agent

RECONCILE = (
    "Reconcile the payment for order 88231 with yesterday's statement and, if it matches, "
    "settle the bill"
)
pytestmark = pytest.mark.django_db


def test_the_group_of_the_task_is_opened(agent: Agent, back_office: Catalog) -> None:
    answer = agent.select(RECONCILE, explain=True)

    assert answer["catalog"] == "back-office@1"
    assert answer["groups"] == ["billing"]
    assert "find_payment" in answer["tool_names"]
    assert "check_stock" not in answer["tool_names"]
    assert answer["tool_names"][-2:] == ["ask_user", "request_group"]
    assert len(answer["tool_names"]) <= 7 + 2
    assert [tool["name"] for tool in answer["tools"]] == answer["tool_names"]
    assert 0.6 <= answer["confidence"] <= 1
    assert answer["confidence_source"] == "shipped"
    assert answer["tokens"]["selected"] < answer["tokens"]["catalog"]
    assert answer["explain"]["groups"][0]["group"] == "billing"


def test_a_keyword_strategy_answers_the_same_every_time(agent: Agent, dev_agent: Catalog) -> None:
    answers = [
        agent.select(
            "Find all Python files with SQL injection vulnerabilities and fix them",
            catalog="dev-agent",
            phase="implementation",
            history=["Found 3 files with raw SQL queries"],
            strategy="keyword",
        )
        for _ in range(5)
    ]

    for answer in answers:
        assert set(answer["tool_names"]) == {
            "web_search",
            "code_search",
            "sql_query",
            "request_group",
        }
        assert answer["tool_names"] == answers[0]["tool_names"]
        assert (answer["confidence"], answer["confidence_source"]) == (1.0, "assumed")


@pytest.mark.parametrize(
    ("format_name", "name_of"),
    [
        ("native", lambda tool: tool["name"]),
        ("openai", lambda tool: tool["function"]["name"]),
        ("anthropic", lambda tool: tool["name"]),
        ("prompt", lambda line: line.removeprefix("- ").partition("(")[0]),
    ],
)
def test_tools_come_in_the_format_asked_for(
    agent: Agent, back_office: Catalog, format_name: str, name_of: Callable[[object], str]
) -> None:
    answer = agent.select(RECONCILE, format=format_name)

    assert [name_of(tool) for tool in answer["tools"]] == answer["tool_names"]


def test_messages_are_read_as_agents_shape_them(agent: Agent, dev_agent: Catalog) -> None:
    messages = [
        {"role": "user", "content": [{"type": "text", "text": "Found raw SQL queries"}], "id": 7},
        {"role": "assistant", "content": None, "tool_calls": []},
    ]
    answer = agent.select("And now?", catalog="dev-agent", strategy="keyword", history=messages)

    assert "sql_query" in answer["tool_names"]


def test_a_selection_makes_one_read_beside_the_key_and_one_write(
    agent: Agent, back_office: Catalog
) -> None:
    agent.select(RECONCILE, run_id="warm")
    with CaptureQueriesContext(connection) as captured:
        agent.select(RECONCILE, run_id="cold")

    statements = [query["sql"].split()[0] for query in captured]
    assert statements.count("SELECT") == 2
    writes = [index for index, word in enumerate(statements) if word in {"INSERT", "UPDATE"}]
    assert writes == list(range(writes[0], writes[0] + len(writes)))  # one transaction
    assert {query["sql"].split()[2] for query in captured if "INSERT" in query["sql"]} == {
        '"routing_run"',
        '"routing_span"',
        '"routing_text"',
    }


def test_a_selection_is_on_record(agent: Agent, back_office: Catalog) -> None:
    answer = agent.select(RECONCILE, history=["before"], run_id="one")

    span = Span.objects.get(uid=answer["id"])
    assert (span.run.run_id, span.groups, span.source) == ("one", ["billing"], "api")
    assert span.tokens_selected == answer["tokens"]["selected"]
    assert Text.objects.get(span=span).task == RECONCILE
    assert RECONCILE not in str(span.__dict__)


def test_text_is_not_kept_where_the_catalog_says_so(agent: Agent, back_office: Catalog) -> None:
    Catalog.objects.filter(pk=back_office.pk).update(keep_text=False)

    answer = agent.select(RECONCILE)

    assert not Text.objects.exists()
    assert Span.objects.get(uid=answer["id"]).task_hash


def test_a_run_keeps_its_version_and_new_runs_follow_the_label(
    agent: Agent, back_office: Catalog
) -> None:
    from catalog.models import Group, GroupTool
    from routing.moves import current_move
    from routing.releases import publish
    from tests.samples import NOW

    agent.select(RECONCILE, run_id="begun-before")
    move = current_move(back_office)
    assert move is not None
    place = GroupTool.objects.get(tool__name="check_stock", group__catalog=back_office)
    place.group = Group.objects.get(catalog=back_office, name="logistics")
    place.save()
    publish(catalog=back_office, author=None, now=NOW, base=move.pk)

    assert agent.select(RECONCILE, run_id="begun-before")["catalog"] == "back-office@1"
    assert agent.select(RECONCILE)["catalog"] == "back-office@2"
    assert agent.select(RECONCILE, catalog="back-office@1")["catalog"] == "back-office@1"


@pytest.mark.parametrize(
    ("routes", "asked", "status"),
    [
        ([], None, 422),
        ([], "order_status", 201),
        ([], "unknown", 422),
        (["order_status"], None, 201),
        (["order_status"], "refund_investigation", 403),
        (["elsewhere"], None, 403),
    ],
)
def test_a_catalog_with_routes_wants_one(
    make_agent: Callable[..., Agent],
    refunds: Catalog,
    routes: list[str],
    asked: str | None,
    status: int,
) -> None:
    response = make_agent(routes=routes).post(
        "/selections", {"catalog": "refunds", "task": "Where is my order?", "route": asked}
    )

    assert response.status_code == status
    if status == 201:
        assert response.json()["tool_names"] == ["read_order"]


def test_a_run_keeps_its_catalog_and_route(
    agent: Agent, refunds: Catalog, dev_agent: Catalog
) -> None:
    agent.select("Where is it?", catalog="refunds", route="order_status", run_id="r")

    task = {"task": "Where is it?", "run_id": "r"}
    other_catalog = agent.post("/selections", task | {"catalog": "dev-agent"})
    other_route = agent.post(
        "/selections", task | {"catalog": "refunds", "route": "refund_investigation"}
    )
    same = agent.post("/selections", task | {"catalog": "refunds"})

    assert (other_catalog.status_code, other_route.status_code) == (409, 409)
    assert same.json()["tool_names"] == ["read_order"]
