"""What the tests of the API and of the services share."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from catalog.models import Catalog
from routing.keys import MadeKey, make_key
from tests.samples import NOW, published


class Agent:
    """An agent that brings a key and speaks JSON."""

    def __init__(self, made: MadeKey) -> None:
        self.key = made.key
        self.headers = {"Authorization": f"Bearer {made.token}"}
        self.client = Client(raise_request_exception=False)

    def get(self, path: str, **headers: str) -> Any:
        """Ask for something."""
        return self.client.get(f"/api/v1{path}", headers=self.headers | headers)

    def post(self, path: str, value: Any) -> Any:
        """Send a value as JSON; bytes are sent as they are."""
        return self.client.post(
            f"/api/v1{path}", value, content_type="application/json", headers=self.headers
        )

    def delete(self, path: str) -> Any:
        """Ask for something to be deleted."""
        return self.client.delete(f"/api/v1{path}", headers=self.headers)

    def select(self, task: str, catalog: str = "back-office", **more: Any) -> Any:
        """Ask for a selection and return what came back of it."""
        response = self.post("/selections", {"catalog": catalog, "task": task, **more})
        assert response.status_code == 201, response.content
        return response.json()


@pytest.fixture
def make_agent(db: None) -> Callable[..., Agent]:
    """Return a maker of agents; its arguments are those of ``make_key``."""

    def make(name: str = "agent", **more: Any) -> Agent:
        return Agent(make_key(name=name, now=NOW, **more))

    return make


@pytest.fixture
def agent(make_agent: Callable[..., Agent]) -> Agent:
    """Return an agent whose key grants everything."""
    return make_agent()


@pytest.fixture
def back_office(db: None) -> Catalog:
    """Return the published back office, in which no run explores."""
    return published("back-office", exploration=0)


@pytest.fixture
def dev_agent(db: None) -> Catalog:
    """Return the published developer's catalog."""
    return published("dev-agent")


@pytest.fixture
def refunds(db: None) -> Catalog:
    """Return the published refunds catalog, which has routes."""
    return published("refunds")
