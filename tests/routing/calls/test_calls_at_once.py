"""Proposals and results at once, each over a connection of its own: counted, leased, used once."""

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from catalog.models import Catalog
from routing.models import Approval, Run, Span, ToolCall
from tests.routing.calls.conftest import REFUND, Caller, decide
from tests.routing.calls.test_idempotency import end_lease
from tests.routing.conftest import Agent

pytestmark = pytest.mark.django_db(transaction=True)
THREADS = 10


def at_once(ask: Callable[[int], Any], times: int) -> list[Any]:
    """Ask so many times, ten at any moment, and return the responses."""
    barrier = Barrier(THREADS)

    def work(numbers: Sequence[int]) -> list[Any]:
        barrier.wait()
        try:
            return [ask(number) for number in numbers]
        finally:
            connection.close()

    shares = [range(first, times, THREADS) for first in range(THREADS)]
    with ThreadPoolExecutor(THREADS) as pool:
        return [response for answers in pool.map(work, shares) for response in answers]


def test_fifty_equal_proposals_are_one_call_and_one_lease(caller: Caller) -> None:
    responses = at_once(lambda _: caller.draft(), 50)

    assert Counter(response.status_code for response in responses) == {201: 1, 409: 49}
    assert all("Retry-After" in one for one in responses if one.status_code == 409)
    assert (ToolCall.objects.count(), Run.objects.get().calls_spent) == (1, 1)
    assert Span.objects.filter(name="tool_call").count() == 1


def test_fifty_equal_proposals_after_a_lease_ended_are_one_next_attempt(caller: Caller) -> None:
    caller.draft()
    end_lease()
    responses = at_once(lambda _: caller.draft(), 50)

    allowed = [response.json() for response in responses if response.status_code == 201]
    assert [call["attempt"] for call in allowed] == [2]
    assert ToolCall.objects.get().attempt == 2


@pytest.mark.parametrize("selections", [1, 5])
def test_of_two_hundred_proposals_a_budget_of_a_hundred_lets_exactly_that_many_pass(
    caller: Caller, selections: int
) -> None:
    callers = [caller] + [Caller(caller.agent, run_id=caller.run_id) for _ in range(selections - 1)]
    Run.objects.update(budget={"calls": 100})
    responses = at_once(
        lambda number: callers[number % selections].propose(
            "draft_refund_request", REFUND, idempotency_key=f"k{number}"
        ),
        200,
    )

    told = Counter((response.status_code, response.json()["reason"]) for response in responses)
    assert told == {(201, None): 100, (201, "budget_exhausted"): 100}
    assert (Run.objects.get().calls_spent, ToolCall.objects.count()) == (100, 100)


def test_an_approval_lets_one_of_many_calls_pass(
    make_agent: Callable[..., Agent], desk: Catalog
) -> None:
    caller = Caller(make_agent("refunder", scopes=["refunds:issue"]))
    decide(caller.refund().json()["approval_id"], "approved")
    responses = at_once(lambda number: caller.refund(f"k{number}"), 20)

    told = Counter(response.json()["decision"] for response in responses)
    assert told == {"allowed": 1, "needs_approval": 19}
    assert Approval.objects.count() == 2  # the one that was used, and one request for all others


def test_one_of_many_different_results_is_recorded(caller: Caller) -> None:
    call = caller.draft().json()["id"]
    responses = at_once(
        lambda number: caller.result(call, data={"request_id": str(number)}, tokens=1), 20
    )

    assert Counter(one.status_code for one in responses) == {201: 1, 409: 19}
    assert Run.objects.get().tokens_spent == 1


def test_the_same_result_many_times_is_one(caller: Caller) -> None:
    call = caller.draft().json()["id"]
    responses = at_once(lambda _: caller.result(call, data={"request_id": "r"}, tokens=1), 20)

    assert Counter(one.status_code for one in responses) == {201: 1, 200: 19}
    assert len({one.content for one in responses}) == 1
    assert Run.objects.get().tokens_spent == 1


def test_results_and_proposals_of_a_run_do_not_lock_each_other_out(caller: Caller) -> None:
    calls = [caller.draft(f"k{number}").json()["id"] for number in range(20)]

    def ask(number: int) -> Any:
        if number % 2:
            return caller.result(calls[number // 2], data={"request_id": "r"}, cost=0.5)
        return caller.draft(f"k{number // 2}")

    responses = at_once(ask, 40)
    assert {response.status_code for response in responses} <= {200, 201, 409}
    ended = ToolCall.objects.filter(status="ok", settled_at__lte=timezone.now())
    assert ended.count() == 20
    assert Run.objects.get().cost_spent == 10
