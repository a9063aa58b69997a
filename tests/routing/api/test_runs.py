"""``/api/v1/runs``."""

from collections.abc import Callable

import pytest

from catalog.models import Catalog
from routing.models import Run, Span
from tests.routing.api.test_selections import RECONCILE
from tests.routing.conftest import Agent

pytestmark = pytest.mark.django_db


def test_a_run_is_read_with_its_spans_in_order(agent: Agent, back_office: Catalog) -> None:
    selection = agent.select(RECONCILE, run_id="one")
    agent.post(f"/selections/{selection['id']}/expansions", {"group": "stock", "reason": "Why"})
    agent.post("/runs/one/outcome", {"status": "solved", "stop_reason": "end_turn"})

    run = agent.get("/runs/one").json()

    assert (run["run_id"], run["catalog"], run["outcome"]) == ("one", "back-office@1", "solved")
    assert [span["name"] for span in run["spans"]] == [
        "tool_route",
        "tool_route_expand",
        "outcome",
    ]
    route, expand, outcome = run["spans"]
    assert route["offered"] == selection["tool_names"]
    assert route["task"] == RECONCILE
    assert (expand["group"], expand["reason"], expand["selection"]) == (
        "stock",
        "Why",
        selection["id"],
    )
    assert (outcome["status"], outcome["stop_reason"]) == ("solved", "end_turn")
    assert run["next"] is None


def test_a_run_may_begin_beforehand(agent: Agent, refunds: Catalog) -> None:
    begun = agent.post(
        "/runs",
        {"catalog": "refunds", "run_id": "r", "route": "order_status", "budget": {"calls": 3}},
    )
    answer = agent.select("Where is it?", catalog="refunds", run_id="r")

    assert begun.status_code == 201
    # The route has its own say on what the run left open.
    assert begun.json()["budget"] == {"calls": 3, "tokens": 20000, "cost": None, "seconds": None}
    assert answer["tool_names"] == ["read_order"]


def test_a_run_begins_once(agent: Agent, back_office: Catalog) -> None:
    first = agent.post("/runs", {"catalog": "back-office", "run_id": "r"})
    again = agent.post("/runs", {"catalog": "back-office", "run_id": "r"})

    assert (first.status_code, again.status_code) == (201, 409)


def test_runs_of_another_key_are_not_found(
    agent: Agent, back_office: Catalog, make_agent: Callable[..., Agent]
) -> None:
    agent.select(RECONCILE, run_id="mine")
    other = make_agent("other")

    assert other.get("/runs/mine").status_code == 404
    assert other.post("/runs/mine/outcome", {"status": "solved"}).status_code == 404
    other.select(RECONCILE, run_id="mine")  # an id means nothing to another key
    assert Run.objects.filter(run_id="mine").count() == 2


def test_a_late_outcome_corrects_the_first_and_both_are_kept(
    agent: Agent, back_office: Catalog
) -> None:
    agent.select(RECONCILE, run_id="one")
    agent.post("/runs/one/outcome", {"status": "solved"})
    agent.post("/runs/one/outcome", {"status": "failed", "stop_reason": "reopened"})

    assert agent.get("/runs/one").json()["outcome"] == "failed"
    kept = Span.objects.filter(name="outcome").order_by("id").values_list("status", flat=True)
    assert list(kept) == ["solved", "failed"]


def test_long_runs_are_read_in_pages(
    agent: Agent, back_office: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("routing.reading.PAGE", 2)
    for _ in range(5):
        agent.select(RECONCILE, run_id="one")

    seen: list[str] = []
    path: str | None = "/runs/one"
    while path:
        page = agent.get(path.removeprefix("/api/v1")).json()
        seen += [span["id"] for span in page["spans"]]
        path = page["next"]

    assert len(seen) == len(set(seen)) == 5
