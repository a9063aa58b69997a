"""``POST /api/v1/runs/{run_id}/phase``."""

from collections.abc import Callable

import pytest

from catalog.models import Catalog
from routing.models import Run
from tests.routing.conftest import Agent

pytestmark = pytest.mark.django_db


def test_a_run_goes_on_in_the_next_phase_with_its_tools(agent: Agent, dev_agent: Catalog) -> None:
    agent.post("/runs", {"catalog": "dev-agent", "run_id": "r"})

    response = agent.post("/runs/r/phase", {"phase": "implementation", "format": "anthropic"})

    assert response.status_code == 201
    answer = response.json()
    assert answer["tool_names"] == ["code_search", "read_file", "write_file", "request_group"]
    assert answer["tools"][0]["input_schema"]
    assert (answer["run_id"], answer["decided_by"], answer["fallback"]) == (
        "r",
        "state_machine",
        None,
    )
    run = agent.get("/runs/r").json()
    selection, move = run["spans"]
    assert run["phase"] == "implementation"
    assert (selection["name"], selection["phase"], selection["task"]) == (
        "tool_route",
        "implementation",
        None,
    )
    assert (move["name"], move["phase"], move["came_from"], move["selection"]) == (
        "phase",
        "implementation",
        "planning",
        selection["id"],
    )


def test_the_last_task_and_format_go_with_it(agent: Agent, dev_agent: Catalog) -> None:
    agent.select("Fix the bug", catalog="dev-agent", run_id="r", format="openai", history=["x"])

    answer = agent.post("/runs/r/phase", {"phase": "analysis"}).json()

    assert answer["tools"][0]["type"] == "function"
    selection = agent.get("/runs/r").json()["spans"][1]
    assert (selection["task"], selection["history"]) == ("Fix the bug", ["x"])


def test_a_transition_that_the_machine_does_not_have_is_a_conflict(
    agent: Agent, dev_agent: Catalog
) -> None:
    agent.post("/runs", {"catalog": "dev-agent", "run_id": "r"})

    refused = agent.post("/runs/r/phase", {"phase": "deployment"})
    stays = agent.post("/runs/r/phase", {"phase": "planning"})

    assert refused.status_code == 409
    assert "'planning' does not lead to 'deployment'" in refused.json()["detail"]
    assert Run.objects.get().phase == "planning"
    # Staying is no move: it is answered, and no phase is noted.
    assert stays.status_code == 201
    assert [span["name"] for span in agent.get("/runs/r").json()["spans"]] == ["tool_route"]


def test_what_does_not_exist_is_told(
    agent: Agent, dev_agent: Catalog, make_agent: Callable[..., Agent]
) -> None:
    agent.post("/runs", {"catalog": "dev-agent", "run_id": "r"})

    assert agent.post("/runs/r/phase", {"phase": "nowhere"}).status_code == 422
    assert agent.post("/runs/r/phase", {}).status_code == 422
    assert agent.post("/runs/none/phase", {"phase": "analysis"}).status_code == 404
    assert make_agent("other").post("/runs/r/phase", {"phase": "analysis"}).status_code == 404
    assert not Run.objects.exclude(run_id="r").exists()


def test_a_catalog_without_phases_has_none(agent: Agent, back_office: Catalog) -> None:
    agent.post("/runs", {"catalog": "back-office", "run_id": "r"})

    assert agent.post("/runs/r/phase", {"phase": "testing"}).status_code == 422
