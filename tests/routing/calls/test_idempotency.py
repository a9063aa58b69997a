"""The same key, the same call: leases, attempts and what was recorded."""

from datetime import timedelta

import pytest
from django.utils import timezone

from routing.models import Run, Span, ToolCall
from tests.routing.calls.conftest import REFUND, Caller

pytestmark = pytest.mark.django_db


def end_lease() -> None:
    """Let the time of every attempt that is out be over."""
    ToolCall.objects.update(leased_until=timezone.now() - timedelta(seconds=1))


def test_while_an_attempt_is_out_the_key_waits(caller: Caller) -> None:
    caller.draft()
    again = caller.draft()

    assert again.status_code == 409
    assert again.json()["type"] == "/problems/conflict"
    assert 1 <= int(again["Retry-After"]) <= 10
    assert ToolCall.objects.count() == 1


@pytest.mark.parametrize("ended", [False, True])
def test_a_key_stands_for_one_call(caller: Caller, ended: bool) -> None:
    call = caller.draft().json()
    if ended:
        caller.result(call["id"], data={"request_id": "r1"})

    for tool, arguments in (
        ("draft_refund_request", {**REFUND, "amount_cents": 501}),
        ("read_order", {"order_id": "88231"}),
        ("no_such_tool", REFUND),
    ):
        response = caller.propose(tool, arguments, idempotency_key="k")
        assert response.status_code == 409
        assert "Retry-After" not in response
    assert ToolCall.objects.count() == 1


def test_equal_arguments_are_equal_however_they_are_written(caller: Caller) -> None:
    caller.draft()
    sent = {"amount_cents": 500.0, "order_id": "88231"}

    again = caller.propose("draft_refund_request", sent, idempotency_key="k")
    assert (again.status_code, int(again["Retry-After"]) > 0) == (409, True)


def test_a_key_means_nothing_to_another_run(caller: Caller) -> None:
    calls = [one.draft().json() for one in (caller, Caller(caller.agent))]

    assert [call["decision"] for call in calls] == ["allowed", "allowed"]
    assert calls[0]["id"] != calls[1]["id"]


def test_the_same_key_after_another_selection_of_the_run_is_the_same_call(caller: Caller) -> None:
    first = caller.draft().json()
    caller.result(first["id"], data={"request_id": "r1"})
    later = Caller(caller.agent, run_id=caller.run_id)

    assert later.draft().json()["id"] == first["id"]


@pytest.mark.parametrize("status", ["ok", "fatal_error"])
def test_after_the_end_the_recorded_result_is_the_answer(caller: Caller, status: str) -> None:
    call = caller.draft().json()
    data = {"request_id": "r1"} if status == "ok" else None
    recorded = caller.result(call["id"], status, data=data, reason="no_such_order").json()
    again = caller.draft()

    assert again.status_code == 200
    assert again.json() == {**call, "arguments": None, "result": recorded}
    assert Run.objects.get().calls_spent == 1


def test_an_error_that_may_pass_is_tried_again_as_often_as_the_tool_allows(caller: Caller) -> None:
    call = caller.draft().json()
    for attempt in (2, 3):
        caller.result(call["id"], "retryable_error", attempt=attempt - 1, reason="busy")
        response = caller.draft()
        assert response.status_code == 201
        assert response.json() == {**call, "attempt": attempt}
    caller.result(call["id"], "retryable_error", attempt=3, reason="busy")

    last = caller.draft()
    assert last.status_code == 200
    result = last.json()["result"]
    assert (result["status"], result["reason"]) == ("fatal_error", "attempts_exhausted")
    assert caller.draft().json() == last.json()
    assert Run.objects.get().calls_spent == 1
    read = caller.agent.get(f"/calls/{call['id']}").json()
    assert (read["status"], read["done"], read["attempt"]) == ("fatal_error", True, 3)


def test_a_lease_that_ended_grants_the_next_attempt(caller: Caller) -> None:
    call = caller.draft().json()
    end_lease()
    second = caller.draft()

    assert (second.status_code, second.json()["attempt"]) == (201, 2)
    assert second.json()["id"] == call["id"]
    assert caller.draft().status_code == 409
    timed_out = Span.objects.get(name="tool_result")
    assert (timed_out.status, timed_out.reason, timed_out.attempt) == (
        "retryable_error",
        "timed_out",
        1,
    )


def test_leases_that_end_use_up_the_attempts(caller: Caller) -> None:
    for _ in range(3):
        caller.draft()
        end_lease()
    response = caller.draft()

    assert response.status_code == 200
    assert response.json()["result"]["reason"] == "attempts_exhausted"


def test_a_late_result_of_the_newest_attempt_counts(caller: Caller) -> None:
    call = caller.draft().json()
    end_lease()
    late = caller.result(call["id"], data={"request_id": "r1"})

    assert late.status_code == 201
    assert caller.draft().json()["result"]["status"] == "ok"


def test_a_next_attempt_needs_every_right_again(caller: Caller) -> None:
    call = caller.draft().json()
    caller.result(call["id"], "retryable_error")
    Run.objects.update(budget={"calls": 1, "tokens": 0})
    assert caller.draft().json()["reason"] == "budget_exhausted"
    Run.objects.update(budget={"calls": 1})  # the call was counted when it was allowed
    assert caller.draft().json()["attempt"] == 2
    caller.result(call["id"], "retryable_error", attempt=2)
    type(caller.agent.key).objects.update(routes=["order_status"])
    assert caller.draft().json()["reason"] == "tool_not_allowed_on_route"


def test_a_tool_of_one_attempt_has_no_second(caller: Caller) -> None:
    read = caller.propose("read_order", {"order_id": "1"}, idempotency_key="r").json()
    assert read["max_attempts"] == 3
    for _ in range(3):
        end_lease()
        last = caller.propose("read_order", {"order_id": "1"}, idempotency_key="r")
    assert last.json()["result"]["reason"] == "attempts_exhausted"
