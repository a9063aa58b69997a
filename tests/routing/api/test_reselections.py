"""``POST /api/v1/selections/{id}/reselections``."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command

from catalog.models import Catalog, Tool
from routing.models import Span
from tests.routing.api.test_selections import RECONCILE
from tests.routing.conftest import Agent

pytestmark = pytest.mark.django_db


def again(agent: Agent, selection: dict[str, Any], **said: Any) -> dict[str, Any]:
    response = agent.post(f"/selections/{selection['id']}/reselections", said)
    assert response.status_code == 201, response.content
    value: dict[str, Any] = response.json()
    return value


def test_the_group_of_a_tool_that_was_missed_is_opened(agent: Agent, back_office: Catalog) -> None:
    before = agent.select(RECONCILE, run_id="r", format="openai", max_tools=5)
    assert "check_stock" not in before["tool_names"]

    answer = again(agent, before, tool="check_stock")

    assert answer["run_id"] == "r"
    assert "stock" in answer["groups"]
    assert {"check_stock", "adjust_stock", "find_payment"} <= set(answer["tool_names"])
    assert answer["tools"][0]["type"] == "function"
    assert len(answer["tool_names"]) > len(before["tool_names"])
    first, second = agent.get("/runs/r").json()["spans"]
    assert (second["selection"], second["tool"]) == (first["id"], "check_stock")
    assert (second["inclusive"], second["max_tools"]) == (True, 5)
    assert (second["task"], second["task_hash"]) == (RECONCILE, first["task_hash"])


def test_without_anything_the_last_task_is_selected_again_inclusively(
    agent: Agent, back_office: Catalog
) -> None:
    before = agent.select(RECONCILE, history=["The customer is Lima Ltd."], run_id="r")
    agent.select("Get me a freight quote for two pallets", history=["to Porto"], run_id="r")

    again(agent, before)

    span = agent.get("/runs/r").json()["spans"][-1]
    assert (span["task"], span["history"]) == (
        "Get me a freight quote for two pallets",
        ["to Porto"],
    )
    assert (span["inclusive"], span["tool"]) == (True, None)
    assert span["selection"] == before["id"]


def test_a_task_of_its_own_comes_without_the_history_of_the_last(
    agent: Agent, back_office: Catalog
) -> None:
    before = agent.select(RECONCILE, history=["x"], run_id="r")
    said = [{"role": "user", "content": "y"}]

    again(agent, before, task="Check the stock")
    again(agent, before, history=said)

    spans = agent.get("/runs/r").json()["spans"]
    assert [(span["task"], span["history"]) for span in spans[1:]] == [
        ("Check the stock", []),
        ("Check the stock", ["y"]),
    ]


def test_a_tool_that_was_offered_was_not_missed(agent: Agent, back_office: Catalog) -> None:
    before = agent.select(RECONCILE, run_id="r")

    answer = again(agent, before, tool="find_payment")

    assert "billing" in answer["groups"]
    assert agent.get("/runs/r").json()["spans"][-1]["tool"] is None


def test_a_name_that_a_model_made_up_opens_nothing(agent: Agent, back_office: Catalog) -> None:
    before = agent.select(RECONCILE, run_id="r")

    answer = again(agent, before, tool="Check_Stock")

    assert "stock" not in answer["groups"]
    assert Span.objects.order_by("-pk")[0].tool is None


@pytest.mark.parametrize(
    "tool", ["issue_refund", "ISSUE_REFUND", "\uff49ssue_refund", "issue_refund "]
)
@pytest.mark.parametrize("route", ["refund_investigation", "order_status"])
def test_no_reselection_leaves_the_route(
    agent: Agent, refunds: Catalog, route: str, tool: str
) -> None:
    before = agent.select("Give it back", catalog="refunds", route=route)

    answer = again(agent, before, tool=tool, task="issue_refund now, it is urgent")

    assert "issue_refund" not in answer["tool_names"]
    assert Span.objects.order_by("-pk")[0].route == route


def test_a_reselection_may_move_to_another_phase(agent: Agent, dev_agent: Catalog) -> None:
    begun = {"catalog": "dev-agent", "strategy": "state_machine", "run_id": "r"}
    before = agent.select("Go on", **begun)

    answer = again(agent, before, phase="implementation")
    illegal = agent.post(f"/selections/{before['id']}/reselections", {"phase": "deployment"})

    assert "write_file" in answer["tool_names"]
    assert illegal.status_code == 409
    assert agent.get("/runs/r").json()["phase"] == "implementation"


def test_where_no_text_is_kept_a_task_is_needed(agent: Agent, back_office: Catalog) -> None:
    Catalog.objects.filter(pk=back_office.pk).update(keep_text=False)
    before = agent.select(RECONCILE)

    response = agent.post(f"/selections/{before['id']}/reselections", {"tool": "check_stock"})

    assert response.status_code == 422
    assert response.json()["errors"][0]["path"] == "task"
    assert "check_stock" in again(agent, before, tool="check_stock", task="x")["tool_names"]


def test_a_reselection_keeps_the_release_that_its_run_began_with(
    agent: Agent, back_office: Catalog
) -> None:
    before = agent.select(RECONCILE)
    Tool.objects.filter(catalog=back_office, name="check_stock").update(description="Other.")
    call_command("publish", "back-office")

    assert agent.select(RECONCILE)["catalog"] == "back-office@2"
    assert again(agent, before)["catalog"] == "back-office@1"


@pytest.mark.parametrize(
    ("said", "path"),
    [
        ({"tasks": "x"}, "tasks"),
        ({"task": " "}, "task"),
        ({"tool": 7}, "tool"),
        ({"phase": "nowhere"}, "phase"),
        ({"history": ["x" * 150_000, "x" * 60_000]}, "body"),
    ],
)
def test_what_does_not_stand_is_told(
    agent: Agent, back_office: Catalog, said: dict[str, Any], path: str
) -> None:
    before = agent.select(RECONCILE)

    response = agent.post(f"/selections/{before['id']}/reselections", said)

    assert response.status_code == 422
    assert [error["path"] for error in response.json()["errors"]] == [path]


def test_selections_of_another_key_and_other_spans_are_not_found(
    agent: Agent, back_office: Catalog, make_agent: Callable[..., Agent]
) -> None:
    before = agent.select(RECONCILE)
    path = f"/selections/{before['id']}"
    expansion = agent.post(f"{path}/expansions", {"group": "stock"}).json()

    assert make_agent("other").post(f"{path}/reselections", {}).status_code == 404
    assert agent.post(f"/selections/{expansion['id']}/reselections", {}).status_code == 404
    assert agent.post("/selections/nonsense/reselections", {}).status_code == 404
    reader = make_agent("reader", actions=["read", "propose", "ingest"])
    assert reader.post(f"{path}/reselections", {}).status_code == 403
