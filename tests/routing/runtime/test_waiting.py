"""What is waited for, and for how long: other workers, a busy server, one out of reach."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest

from routing.runtime import (
    ApiProblem,
    Conflict,
    NotRecorded,
    Overloaded,
    StillRunning,
    Unreachable,
)
from tests.routing.runtime.fake import Agent, allowed, call, drafting, problem, recorded


def test_an_attempt_of_another_worker_is_waited_for(agent: Agent) -> None:
    handlers, told = drafting()
    agent.api.proposals = [problem(409, "conflict", **{"Retry-After": "4"}), allowed(attempt=2)]

    agent.answer(handlers, call())

    assert (agent.slept, [one.attempt for one in told]) == ([4.0], [2])


def test_a_server_that_says_at_once_is_not_asked_without_pause(agent: Agent) -> None:
    handlers, _ = drafting()
    now = problem(409, "conflict", **{"Retry-After": "0"})
    agent.api.proposals = [now, now, allowed()]

    agent.answer(handlers, call())

    assert agent.slept == [0.25, 0.25]


def test_an_attempt_of_another_worker_is_not_waited_for_beyond_patience(agent: Agent) -> None:
    handlers, told = drafting()
    agent.api.proposals = [problem(409, "conflict", **{"Retry-After": "4"})]

    with pytest.raises(StillRunning) as raised:
        agent.answer(handlers, call(), patience=10)

    assert (agent.slept, raised.value.retry_after, told) == ([4.0, 4.0], 4.0, [])
    assert agent.state["step"] == 0


def test_a_key_that_stands_for_other_arguments_is_an_error(agent: Agent) -> None:
    handlers, told = drafting()
    agent.api.proposals = [problem(409, "conflict", "Other arguments.")]

    with pytest.raises(Conflict, match="Other arguments"):
        agent.answer(handlers, call())

    assert (agent.slept, told) == ([], [])


def test_where_a_later_attempt_was_granted_its_result_counts(agent: Agent) -> None:
    handlers, told = drafting()
    other = recorded({"attempt": 2, "status": "ok", "data": "of the other worker"})
    agent.api.proposals = [allowed(), httpx2.Response(200, json=allowed(2, result=other))]
    agent.api.results = [problem(409, "conflict", "Attempt 2 is the newest.")]

    turn = agent.answer(handlers, call())

    assert len(told) == 1
    assert turn.observations[0].data == "of the other worker"


@pytest.mark.parametrize("status", [400, 413, 422])
def test_a_result_that_is_not_taken_becomes_a_final_error(agent: Agent, status: int) -> None:
    handlers, _ = drafting("\ud800")
    agent.api.results = [problem(status, "invalid"), recorded]

    turn = agent.answer(handlers, call())

    assert [sent["status"] for sent in agent.api.bodies("/results")[1:]] == ["fatal_error"]
    assert turn.observations[0].reason == "result_not_taken"


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_server_is_waited_for(agent: Agent, status: int) -> None:
    handlers, told = drafting()
    busy = problem(status, "busy", **{"Retry-After": "3"})
    agent.api.proposals, agent.api.results = [busy, allowed()], [busy, recorded]

    turn = agent.answer(handlers, call())

    assert (agent.slept, len(told)) == ([3.0, 3.0], 1)
    assert turn.observations[0].status == "ok"


def test_a_date_to_come_again_is_read_by_the_servers_clock(agent: Agent) -> None:
    handlers, _ = drafting()
    busy = problem(
        503,
        "busy",
        **{
            "Retry-After": "Wed, 04 Mar 2026 12:00:09 GMT",
            "Date": "Wed, 04 Mar 2026 12:00:02 GMT",
        },
    )
    agent.api.proposals = [busy, allowed()]

    agent.answer(handlers, call())

    assert agent.slept == [7.0]


def test_waiting_for_a_busy_server_has_a_limit(agent: Agent) -> None:
    handlers, told = drafting()
    agent.api.proposals = [problem(503, "busy", **{"Retry-After": "30"})]

    with pytest.raises(Overloaded) as raised:
        agent.answer(handlers, call(), patience=70)

    assert (agent.slept, raised.value.retry_after, told) == ([30.0, 30.0], 30.0, [])


def test_a_result_that_cannot_be_recorded_is_handed_back(agent: Agent) -> None:
    handlers, _ = drafting()
    agent.api.results = [httpx2.ConnectError("down")]

    with pytest.raises(NotRecorded) as raised:
        agent.answer(handlers, call(), patience=1)

    assert raised.value.outcome.data == {"request_id": "r1"}
    assert isinstance(raised.value.__cause__, Unreachable)
    assert agent.state["step"] == 0


@pytest.mark.parametrize("fault", [httpx2.ReadError("cut"), httpx2.Response(502, content=b"")])
def test_a_proposal_that_may_have_got_through_is_sent_again_under_its_key(
    agent: Agent, fault: Any
) -> None:
    handlers, _ = drafting()
    agent.api.proposals = [fault, allowed()]

    agent.answer(handlers, call())

    first, second = agent.api.bodies("/calls")
    assert first == second
    assert agent.slept == [0.25]


def test_an_error_of_the_api_says_where_and_why(agent: Agent) -> None:
    handlers, _ = drafting()
    agent.api.proposals = [problem(403, "forbidden", "This key does not grant “propose”.")]

    with pytest.raises(ApiProblem, match=r"403: This key does not grant") as raised:
        agent.answer(handlers, call())

    assert (raised.value.status, raised.value.slug) == (403, "forbidden")
