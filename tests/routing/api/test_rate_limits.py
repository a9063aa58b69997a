"""A key that sends too much is told when to come back."""

from collections.abc import Callable
from datetime import datetime

import pytest
from django.utils import timezone

from catalog.models import Catalog
from tests.routing.conftest import Agent
from tests.samples import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def _noon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop the clock, so that no minute begins meanwhile."""

    def now() -> datetime:
        return NOW

    monkeypatch.setattr(timezone, "now", now)


@pytest.mark.usefixtures("_noon")
def test_too_many_requests_are_refused_with_the_time_to_wait(
    make_agent: Callable[..., Agent], back_office: Catalog
) -> None:
    agent, other = make_agent(rate_limit=3), make_agent("other")
    answers = [agent.get("/catalogs") for _ in range(5)]

    assert [answer.status_code for answer in answers] == [200, 200, 200, 429, 429]
    refused = answers[-1]
    assert refused["Content-Type"] == "application/problem+json"
    assert refused["Retry-After"] == "60"
    assert refused.json()["type"] == "/problems/too-many"
    assert "3 requests a minute" in refused.json()["detail"]
    assert agent.post("/selections", {"catalog": "back-office", "task": "x"}).status_code == 429
    assert other.get("/catalogs").status_code == 200


@pytest.mark.usefixtures("_noon")
def test_what_a_key_may_not_do_counts_too(make_agent: Callable[..., Agent]) -> None:
    agent = make_agent(rate_limit=2, actions=["propose"])

    assert [agent.get("/catalogs").status_code for _ in range(4)] == [403, 403, 429, 429]
