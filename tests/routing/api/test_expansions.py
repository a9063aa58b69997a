"""``POST /api/v1/selections/{id}/expansions``."""

from collections.abc import Callable

import pytest

from catalog.models import Catalog
from routing.models import Span
from tests.routing.api.test_selections import RECONCILE
from tests.routing.conftest import Agent

pytestmark = pytest.mark.django_db


def test_a_group_follows_what_was_offered(agent: Agent, back_office: Catalog) -> None:
    selection = agent.select(RECONCILE, format="openai")
    response = agent.post(
        f"/selections/{selection['id']}/expansions", {"group": "stock", "reason": "Is it there?"}
    )
    expansion = response.json()

    assert response.status_code == 201
    before = selection["tool_names"]
    assert expansion["tool_names"][: len(before)] == before
    added = [tool["function"]["name"] for tool in expansion["added"]]
    assert expansion["tool_names"][len(before) :] == added
    assert "check_stock" in added
    assert expansion["groups"] == ["billing", "stock"]
    assert expansion["tokens"]["selected"] > selection["tokens"]["selected"]
    span = Span.objects.get(uid=expansion["id"])
    assert (span.name, span.group, span.text.reason) == (
        "tool_route_expand",
        "stock",
        "Is it there?",
    )


def test_an_open_group_adds_nothing_more(agent: Agent, back_office: Catalog) -> None:
    path = f"/selections/{agent.select(RECONCILE)['id']}/expansions"
    first = agent.post(path, {"group": "stock"})
    again = agent.post(path, {"group": "stock"})

    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json()["added"] == []
    assert again.json()["tool_names"] == first.json()["tool_names"]


def test_unknown_groups_are_invalid(agent: Agent, back_office: Catalog) -> None:
    response = agent.post(
        f"/selections/{agent.select(RECONCILE)['id']}/expansions", {"group": "elsewhere"}
    )

    assert response.status_code == 422
    assert response.json()["errors"][0]["path"] == "group"


def test_groups_off_the_route_are_not_granted(agent: Agent, refunds: Catalog) -> None:
    selection = agent.select("Where is it?", catalog="refunds", route="order_status")
    response = agent.post(f"/selections/{selection['id']}/expansions", {"group": "refunds"})

    assert "request_group" not in selection["tool_names"]
    assert response.status_code == 403


@pytest.mark.parametrize("selection", ["nonsense", "0193e2f1-0000-7000-8000-000000000000"])
def test_unknown_selections_are_not_found(agent: Agent, selection: str) -> None:
    assert agent.post(f"/selections/{selection}/expansions", {"group": "g"}).status_code == 404


def test_selections_of_another_key_are_not_found(
    agent: Agent, back_office: Catalog, make_agent: Callable[..., Agent]
) -> None:
    selection = agent.select(RECONCILE)

    response = make_agent("other").post(
        f"/selections/{selection['id']}/expansions", {"group": "stock"}
    )

    assert response.status_code == 404
