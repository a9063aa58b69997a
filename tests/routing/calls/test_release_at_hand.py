"""A release that a process has not compiled yet is compiled outside of every write."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from catalog.models import Catalog
from routing import compiled
from routing.compiled import compile_release, shelf
from routing.models import Release
from tests.routing.conftest import Agent

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def blocks(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Return whether a transaction was open, for each release that is compiled from now on."""
    seen: list[bool] = []

    def watched(release: Release) -> Any:
        seen.append(connection.in_atomic_block)
        return compile_release(release)

    monkeypatch.setattr(compiled, "compile_release", watched)
    return seen


def test_calls_results_and_expansions_compile_before_they_write(
    make_agent: Callable[..., Agent], desk: Catalog, blocks: list[bool]
) -> None:
    agent = make_agent()
    begun = {"catalog": "refunds", "task": "Where is order 1?", "route": "desk", "strategy": "all"}
    selection = agent.post("/selections", begun).json()["id"]
    blocks.clear()

    shelf.clear()
    sent = {"tool": "read_order", "arguments": {"order_id": "1"}}
    call = agent.post(f"/selections/{selection}/calls", sent).json()
    assert call["decision"] == "allowed"
    shelf.clear()
    result = {"attempt": 1, "status": "fatal_error", "reason": "gone"}
    assert agent.post(f"/calls/{call['id']}/results", result).status_code == 201
    shelf.clear()
    opened = agent.post(f"/selections/{selection}/expansions", {"group": "refunds"})
    assert opened.status_code in {200, 201}

    assert blocks == [False, False, False]
