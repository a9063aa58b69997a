"""A tool that fails, from its first failure until it is well again, as an agent sees it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from routing.circuit_board import board
from routing.models import Circuit, ToolCall
from tests.routing.calls.conftest import Caller


@pytest.fixture
def failing(caller: Caller) -> Caller:
    for _ in range(5):
        call = caller.read().json()
        assert call["decision"] == "allowed"
        caller.result(call["id"], "retryable_error", reason="timeout")
    return caller


def rest() -> None:
    """Let time pass, as far as the circuit is concerned."""
    row = Circuit.objects.get()
    past = timezone.now()
    Circuit.objects.filter(pk=row.pk).update(opened_at=past, until=past)
    board.clear()


def offered(caller: Caller) -> bool:
    answer = caller.agent.select("Where is order 88231?", catalog="refunds", route="desk")
    return "read_order" in answer["tool_names"]


def test_it_is_refused_and_no_longer_offered(failing: Caller) -> None:
    answer = failing.read().json()
    assert (answer["decision"], answer["reason"]) == ("refused", "circuit_open")
    assert "after repeated failures until" in answer["detail"]
    assert not offered(failing)
    assert failing.draft().json()["decision"] == "allowed"


def test_one_probe_shows_that_it_works_again(failing: Caller) -> None:
    rest()
    assert offered(failing)
    probe = failing.read().json()
    assert probe["decision"] == "allowed"
    assert "one call is being tried" in failing.read().json()["detail"]
    order = {"order_id": "88231", "status": "shipped"}
    failing.result(probe["id"], data=order)
    Circuit.objects.get(closed_at__isnull=False)
    assert failing.read().json()["decision"] == "allowed"


def test_a_probe_that_fails_keeps_it_open(failing: Caller) -> None:
    rest()
    probe = failing.read().json()
    failing.result(probe["id"], "fatal_error", reason="down")
    assert failing.read().json()["reason"] == "circuit_open"
    row = Circuit.objects.get()
    assert row.until is not None
    assert row.until - timezone.now() > timedelta(seconds=50)
    assert row.openings == 2


def test_a_call_that_is_tried_again_is_a_probe_of_its_own(failing: Caller) -> None:
    call = failing.read(idempotency_key="k")
    assert call.json()["reason"] == "circuit_open"
    rest()
    call = failing.read(idempotency_key="k").json()
    # Nothing was heard of it, and the pause after that is over too.
    past = timezone.now() - timedelta(minutes=20)
    ToolCall.objects.filter(uid=call["id"]).update(leased_until=past)
    Circuit.objects.update(probe_until=past, opened_at=past, until=past)
    board.clear()

    again = failing.read(idempotency_key="k").json()
    assert (again["decision"], again["attempt"]) == ("allowed", 2)
    order = {"order_id": "88231", "status": "shipped"}
    failing.result(call["id"], attempt=2, data=order)

    assert not Circuit.objects.unclosed().exists()
    assert failing.read().json()["decision"] == "allowed"
