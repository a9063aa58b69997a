"""What a key has begun is out of its reach once the catalog is, as if it had never been."""

from collections.abc import Callable

import pytest

from catalog.models import Catalog
from tests.routing.calls.conftest import Caller, desk_document, publish_document
from tests.routing.conftest import Agent


@pytest.fixture
def caller(make_agent: Callable[..., Agent], settings: object) -> Caller:
    settings.ENCODER = "none"  # type: ignore[attr-defined]
    agent = make_agent(catalogs=[publish_document(desk_document())])
    return Caller(agent)


def statuses(caller: Caller, call: str) -> set[int]:
    agent, selection, run = caller.agent, caller.selection["id"], caller.run_id
    answers = [
        agent.post(f"/selections/{selection}/expansions", {"group": "refunds"}),
        agent.post(f"/selections/{selection}/reselections", {"tool": "no_such_tool"}),
        agent.post(f"/selections/{selection}/calls", {"tool": "no_such_tool", "arguments": {}}),
        agent.post(f"/calls/{call}/results", {"attempt": 1, "status": "ok", "data": {}}),
        agent.get(f"/calls/{call}"),
        agent.get(f"/runs/{run}"),
        agent.post(f"/runs/{run}/phase", {"phase": "no_such_phase"}),
        agent.post(f"/runs/{run}/outcome", {"status": "solved"}),
        agent.delete(f"/runs/{run}/text"),
    ]
    return {answer.status_code for answer in answers}


@pytest.mark.parametrize("how", ["archived", "taken from the key"])
def test_a_catalog_out_of_reach_takes_its_runs_along(caller: Caller, how: str) -> None:
    call = caller.draft().json()["id"]
    assert 404 not in statuses(caller, call)

    if how == "archived":
        Catalog.objects.update(archived=True)
    else:
        caller.agent.key.catalogs.clear()

    assert statuses(caller, call) == {404}
