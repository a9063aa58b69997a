"""One call of a model: proposed, executed, recorded, told."""

from __future__ import annotations

import threading
import time
from typing import Any

import httpx
import httpx2
import pytest

from routing.runtime import (
    Call,
    FatalError,
    Handlers,
    Result,
    RetryableError,
    idempotency_key,
)
from tests.routing.runtime.fake import Agent, allowed, call, drafting, problem, recorded


def test_an_allowed_call_is_executed_recorded_and_told(agent: Agent) -> None:
    handlers, told = drafting()
    agent.api.proposals = [allowed(approval_id="a1", arguments={"order_id": "as meant"})]

    turn = agent.answer(handlers, call(order_id="as written"))

    key = idempotency_key(run_id="run-1", step=0, call_id="m1")
    assert agent.api.bodies("/calls") == [
        {"tool": "draft", "arguments": {"order_id": "as written"}, "idempotency_key": key}
    ]
    (one,) = told
    assert (one.idempotency_key, one.approval_id, one.attempt) == (key, "a1", 1)
    assert one.arguments == {"order_id": "as meant"}
    assert one.timeout == pytest.approx(5, abs=0.5)
    (sent,) = agent.api.bodies("/results")
    assert sent == {
        "attempt": 1,
        "status": "ok",
        "data": {"request_id": "r1"},
        "latency_ms": sent["latency_ms"],
    }
    (observed,) = turn.observations
    assert (observed.status, observed.data, observed.executed) == (
        "ok",
        {"request_id": "r1"},
        True,
    )
    assert turn.messages == (
        {"id": "m1", "content": '{"status": "ok", "data": {"request_id": "r1"}}'},
    )
    assert agent.state["step"] == 1


def test_a_result_may_bring_evidence_cost_and_tokens(agent: Agent) -> None:
    handlers, _ = drafting(Result(data=[1], evidence_ref="log/7", cost=0.02, tokens=9))

    agent.answer(handlers, call())

    (sent,) = agent.api.bodies("/results")
    assert (sent["data"], sent["evidence_ref"], sent["cost"], sent["tokens"]) == (
        [1],
        "log/7",
        0.02,
        9,
    )


@pytest.mark.parametrize(
    ("decision", "said"),
    [
        ({"decision": "refused", "reason": "tool_not_offered"}, "tool_not_offered"),
        ({"decision": "needs_approval", "reason": "needs_approval"}, "has not yet"),
        (
            {"decision": "refused", "reason": "approval_expired", "detail": "Propose without it."},
            "The approval of this call has expired. Calling again asks for another.",
        ),
    ],
)
def test_what_is_not_allowed_is_not_executed(
    agent: Agent, decision: dict[str, Any], said: str
) -> None:
    handlers, told = drafting()
    agent.api.proposals = [allowed(attempt=None, **decision)]

    turn = agent.answer(handlers, call())

    assert told == []
    assert agent.api.bodies("/results") == []
    assert turn.observations[0].status == decision["decision"]
    assert said in turn.messages[0]["content"]


def test_a_call_that_ended_before_is_told_from_the_record_and_not_repeated(agent: Agent) -> None:
    handlers, told = drafting()
    before = recorded({"attempt": 1, "status": "ok", "data": {"request_id": "r0"}})
    agent.api.proposals = [httpx2.Response(200, json=allowed(result=before))]

    turn = agent.answer(handlers, call())

    assert told == []
    assert (turn.observations[0].data, turn.observations[0].executed) == (
        {"request_id": "r0"},
        False,
    )


def test_a_failure_that_may_pass_is_tried_again_under_the_same_key(agent: Agent) -> None:
    handlers, told = drafting(RetryableError("rate_limited", retry_after=1.5), {"request_id": "r"})
    agent.api.proposals = [allowed(), allowed(attempt=2)]

    turn = agent.answer(handlers, call())

    assert [one.attempt for one in told] == [1, 2]
    assert len({one.idempotency_key for one in told}) == 1
    first, second = agent.api.bodies("/results")
    assert (first["status"], first["reason"]) == ("retryable_error", "rate_limited")
    assert first["retry_after_ms"] == 1500
    assert (second["status"], second["attempt"]) == ("ok", 2)
    assert agent.slept == [1.5]
    assert turn.observations[0].status == "ok"


def test_an_attempt_that_is_refused_after_another_was_made_says_that_one_was(agent: Agent) -> None:
    handlers, told = drafting(RetryableError("busy"))
    agent.api.proposals = [allowed(), allowed(None, decision="refused", reason="circuit_open")]

    (one,) = agent.answer(handlers, call()).observations

    assert len(told) == 1
    assert (one.status, one.reason, one.executed) == ("refused", "circuit_open", True)


def test_attempts_end_at_the_limit_and_pauses_grow(agent: Agent) -> None:
    handlers, told = drafting(RetryableError("busy"))
    agent.api.proposals = [allowed(), allowed(attempt=2), allowed(attempt=3)]

    turn = agent.answer(handlers, call())

    assert len(told) == 3
    assert agent.slept == [0.5, 1.0]
    assert turn.observations[0].status == "retryable_error"


@pytest.mark.parametrize(
    ("outcome", "status", "reason"),
    [
        (FatalError("policy_unavailable"), "fatal_error", "policy_unavailable"),
        (KeyError("the secret"), "fatal_error", "handler_failed"),
        (ConnectionResetError("10.0.0.7"), "retryable_error", "connection_failed"),
        (httpx2.ReadTimeout("10.0.0.7"), "retryable_error", "connection_failed"),
        (httpx.ConnectError("10.0.0.7"), "retryable_error", "connection_failed"),
        (TimeoutError(), "retryable_error", "connection_failed"),
        ({1, 2}, "fatal_error", "not_json"),
        (float("nan"), "fatal_error", "not_json"),
    ],
)
def test_every_way_to_fail_is_recorded_by_its_kind_and_not_its_text(
    agent: Agent, outcome: Any, status: str, reason: str
) -> None:
    handlers, _ = drafting(outcome)
    agent.api.proposals = [allowed(max_attempts=1)]

    turn = agent.answer(handlers, call())

    (sent,) = agent.api.bodies("/results")
    assert (sent["status"], sent["reason"]) == (status, reason)
    assert "data" not in sent
    assert turn.observations[0].status == status


def test_the_records_word_counts(agent: Agent) -> None:
    handlers, _ = drafting({"wrong": True})
    agent.api.results = [
        lambda sent: recorded(sent, status="fatal_error", reason="malformed_result")
    ]

    turn = agent.answer(handlers, call())

    assert (turn.observations[0].status, turn.observations[0].reason) == (
        "fatal_error",
        "malformed_result",
    )
    assert len(agent.api.bodies("/calls")) == 1


def test_a_handler_that_is_late_is_told_to_stop_and_recorded(agent: Agent) -> None:
    handlers, stopped = Handlers(), threading.Event()

    @handlers.handler()
    def draft(call: Call, order_id: str) -> None:
        if call.stopping.wait(5):
            stopped.set()

    agent.api.proposals = [allowed(timeout_ms=80, max_attempts=1)]
    began = time.monotonic()
    turn = agent.answer(handlers, call())

    assert time.monotonic() - began < 2
    assert stopped.wait(2)
    (sent,) = agent.api.bodies("/results")
    assert (sent["status"], sent["reason"]) == ("retryable_error", "timed_out")
    assert turn.observations[0].status == "retryable_error"


def test_a_tool_without_a_handler_is_a_final_error(agent: Agent) -> None:
    turn = agent.answer(Handlers(), call())

    (sent,) = agent.api.bodies("/results")
    assert (sent["status"], sent["reason"]) == ("fatal_error", "no_handler")
    assert turn.observations[0].reason == "no_handler"


def test_an_alias_finds_the_handler_of_the_tools_own_name(agent: Agent) -> None:
    handlers, told = drafting()

    agent.answer(handlers, call(name="write_draft"))

    assert [one.tool for one in told] == ["draft"]


def test_arguments_that_are_no_object_are_refused_without_asking(agent: Agent) -> None:
    handlers, told = drafting()

    for arguments in ('{"order_id": ', "[1]", '{"order_id": NaN}', 7):
        turn = agent.answer(handlers, {"id": "m1", "name": "draft", "arguments": arguments})
        assert turn.observations[0].reason == "invalid_arguments"

    assert (told, agent.api.heard) == ([], [])


def test_a_proposal_that_no_server_takes_is_for_the_model_to_mend(agent: Agent) -> None:
    handlers, told = drafting()
    agent.api.proposals = [problem(422, "invalid", "must hold neither U+0000 nor …")]

    turn = agent.answer(handlers, call(order_id="\0"))

    assert told == []
    assert turn.observations[0].reason == "invalid_arguments"
    assert "U+0000" in turn.messages[0]["content"]
