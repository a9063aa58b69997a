"""Agents that block and agents that await: what is said of the one holds for the other."""

import pytest

from tests.routing.runtime.fake import Agent


@pytest.fixture(params=["blocking", "awaiting"])
def agent(request: pytest.FixtureRequest) -> Agent:
    """Return an agent, once of each kind."""
    return Agent(awaits=request.param == "awaiting")
