"""The phases of a run, as selections by ``state_machine`` move it through them."""

import pytest

from catalog.models import Catalog
from routing.admission import RunConflict
from routing.models import Run, Span
from routing.services.running import move_run
from tests.routing.conftest import Agent

pytestmark = pytest.mark.django_db


def step(agent: Agent, phase: str | None, *, run_id: str = "r") -> tuple[int, str]:
    """Return the status, and the phase or the problem."""
    asked = {
        "catalog": "dev-agent",
        "task": "Go on",
        "strategy": "state_machine",
        "phase": phase,
        "run_id": run_id,
    }
    response = agent.post("/selections", asked)
    if response.status_code != 201:
        return response.status_code, response.json()["detail"]
    return 201, Span.objects.get(uid=response.json()["id"]).phase


def test_a_run_walks_through_its_phases(agent: Agent, dev_agent: Catalog) -> None:
    walked = [step(agent, phase)[1] for phase in (None, "implementation", None, "testing")]

    assert walked == ["planning", "implementation", "implementation", "testing"]
    assert Run.objects.get(run_id="r").phase == "testing"


def test_a_run_begins_in_the_initial_phase_or_in_one_that_follows(
    agent: Agent, dev_agent: Catalog
) -> None:
    assert step(agent, "analysis", run_id="a") == (201, "analysis")
    status, detail = step(agent, "deployment", run_id="b")
    assert status == 409
    assert "'planning' does not lead to 'deployment'" in detail
    assert not Run.objects.filter(run_id="b").exists()


def test_an_illegal_transition_is_a_conflict_and_leaves_the_run_where_it_is(
    agent: Agent, dev_agent: Catalog
) -> None:
    step(agent, None)

    status, detail = step(agent, "testing")

    assert status == 409
    assert "it leads to 'implementation', 'analysis'" in detail
    assert Run.objects.get(run_id="r").phase == "planning"
    assert Span.objects.filter(run__run_id="r").count() == 1
    assert step(agent, "nowhere")[0] == 422


def test_other_strategies_do_not_move_a_run(agent: Agent, dev_agent: Catalog) -> None:
    step(agent, None)
    agent.select("Go on", catalog="dev-agent", strategy="phase", phase="deployment", run_id="r")

    assert Run.objects.get(run_id="r").phase == "planning"


def test_a_run_that_moved_meanwhile_is_a_conflict(agent: Agent, dev_agent: Catalog) -> None:
    step(agent, None)
    seen_by_one = Run.objects.get(run_id="r")
    step(agent, "implementation")

    with pytest.raises(RunConflict, match="just moved"):
        move_run(seen_by_one, to="analysis")
    assert Run.objects.get(run_id="r").phase == "implementation"
