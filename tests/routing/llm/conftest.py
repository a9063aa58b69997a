"""A stand-in for the providers, and the settings that lead to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from routing.llm.asking import close_routers
from routing.llm.circuit import Ticket, forget_outcomes
from tests.routing.llm.stand_in import StandIn

KEY = "sk-test-4f1c9a7be2d04c6f"


@pytest.fixture(autouse=True)
def _fresh_routers() -> Iterator[None]:
    """Begin each test with no failure on record and no connection."""
    close_routers()
    forget_outcomes()
    yield
    close_routers()


class LetThrough:
    """A circuit that never opens, and keeps what it was told."""

    def __init__(self) -> None:
        self.settled: list[bool] = []

    def admit(self, *, model: str, seconds: float) -> Ticket:
        """Let a question through."""
        return Ticket(model=model)

    def settle(self, ticket: Ticket, *, failed: bool) -> None:
        """Keep what came of it."""
        self.settled.append(failed)


@pytest.fixture
def stand_in() -> Iterator[StandIn]:
    """Return a running stand-in."""
    server = StandIn()
    server.start()
    yield server
    server.stop()


@pytest.fixture
def name_router(settings: Any, stand_in: StandIn) -> Callable[..., None]:
    """Return a function that makes the stand-in the router model of a provider."""

    def name(provider: str, **more: Any) -> None:
        settings.LLM_ROUTER = f"{provider}:small"
        settings.LLM_ROUTER_URL = stand_in.url + ("/v1" if provider == "openai" else "")
        settings.LLM_ROUTER_KEY = KEY
        settings.LLM_ROUTER_TIMEOUT = 5.0
        settings.LLM_ROUTER_PRICES = "1.00/5.00"
        settings.LLM_ROUTER_IN_AUTO = False
        settings.OUTGOING_ALLOWED = ["127.0.0.1"]
        for setting, value in more.items():
            setattr(settings, setting, value)

    return name
