"""What a run may spend, as ``/api/v1/runs`` says it: the lowest of its own, route and key."""

from collections.abc import Callable
from typing import Any

import pytest

from catalog.models import Catalog
from tests.routing.conftest import Agent

pytestmark = pytest.mark.django_db


def begin(agent: Agent, budget: dict[str, Any] | None, **more: Any) -> dict[str, Any]:
    response = agent.post("/runs", {"catalog": "refunds", "run_id": "r", "budget": budget, **more})
    assert response.status_code == 201
    begun: dict[str, Any] = response.json()
    return begun


def test_a_run_narrows_what_its_key_and_route_allow_and_never_widens_it(
    make_agent: Callable[..., Agent], refunds: Catalog
) -> None:
    agent = make_agent(budget={"calls": 5, "cost": 2.0, "seconds": 60})

    begun = begin(
        agent, {"calls": 500, "tokens": 30_000, "cost": 0.5}, route="refund_investigation"
    )

    # The route allows 20 calls and 60,000 tokens.
    assert begun["budget"] == {"calls": 5, "tokens": 30_000, "cost": 0.5, "seconds": 60}
    assert begun["narrowed"] == ["calls"]
    read = agent.get("/runs/r").json()
    assert (read["budget"], read["narrowed"]) == (begun["budget"], ["calls"])


def test_a_run_without_a_budget_has_that_of_its_route_and_key(
    make_agent: Callable[..., Agent], refunds: Catalog
) -> None:
    agent = make_agent(budget={"calls": 15, "tokens": 10})

    begun = begin(agent, None, route="order_status")

    assert begun["budget"] == {"calls": 10, "tokens": 10, "cost": None, "seconds": None}
    assert begun["narrowed"] == []
