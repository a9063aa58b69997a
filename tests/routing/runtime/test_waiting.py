"""What is waited for, and for how long: other workers, a busy server, one out of reach."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import httpx2
import pytest

from routing.runtime import (
    ApiProblem,
    AsyncToolcrib,
    Conflict,
    NotRecorded,
    Overloaded,
    StillRunning,
    Toolcrib,
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


STRANGE = [
    httpx2.Response(200, content=b"<html>Sign in to the network</html>"),
    httpx2.Response(200, content=b""),
    httpx2.Response(200, content=b"[]"),
    httpx2.Response(200, content=b"[" * 100_000),
    httpx2.Response(200, content=b"\xff\xfe{}"),
    httpx2.Response(200, json={"id": "c1"}),
]


@pytest.mark.parametrize("strange", STRANGE)
def test_something_else_that_answers_is_not_taken_for_toolcrib(agent: Agent, strange: Any) -> None:
    handlers, told = drafting()
    agent.api.proposals = [strange]

    with pytest.raises(Unreachable, match="What answered 200 is not Toolcrib") as raised:
        agent.answer(handlers, call())

    assert (raised.value.sent, agent.slept, told) == (True, [], [])


@pytest.mark.parametrize("strange", STRANGE)
def test_a_result_that_something_else_took_is_handed_back(agent: Agent, strange: Any) -> None:
    handlers, _ = drafting()
    agent.api.results = [strange]

    with pytest.raises(NotRecorded) as raised:
        agent.answer(handlers, call())

    assert raised.value.outcome.data == {"request_id": "r1"}


@pytest.mark.parametrize("errors", ["x", [1, {"path": "a"}], {"a": 1}, None])
def test_an_error_that_is_worded_otherwise_is_one_too(agent: Agent, errors: Any) -> None:
    handlers, _ = drafting()
    agent.api.proposals = [httpx2.Response(418, json={"errors": errors, "detail": "Tea."})]

    with pytest.raises(ApiProblem, match="418: Tea") as raised:
        agent.answer(handlers, call())

    assert list(raised.value.errors) == []


def test_an_answer_that_cannot_be_unpacked_is_none(agent: Agent) -> None:
    handlers, _ = drafting()
    agent.api.proposals = [httpx2.DecodingError("no gzip"), allowed()]

    agent.answer(handlers, call())

    assert agent.slept == [0.25]


def test_an_answer_that_trickles_is_not_waited_for_beyond_the_time_of_a_request(
    agent: Agent, trickling: str
) -> None:
    ask = _ask_and_await if agent.awaits else _ask
    began = time.monotonic()

    with pytest.raises(Unreachable, match="Slow"):
        ask(trickling)

    assert time.monotonic() - began < 5


def _ask(url: str) -> None:
    with Toolcrib(url, "tc_test", timeout=0.3, patience=0) as crib:
        crib.select(catalog="desk", task="x")


def _ask_and_await(url: str) -> None:
    async def select() -> None:
        async with AsyncToolcrib(url, "tc_test", timeout=0.3, patience=0) as crib:
            await crib.select(catalog="desk", task="x")

    asyncio.run(select())


class _Trickling(BaseHTTPRequestHandler):
    """Answers with a byte each twentieth of a second, for ten seconds."""

    def do_POST(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "200")
        self.end_headers()
        with suppress(OSError):  # the other side does not wait for all of it
            for _ in range(200):
                self.wfile.write(b" ")
                self.wfile.flush()
                time.sleep(0.05)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base's own name
        """Say nothing."""


@pytest.fixture
def trickling() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Trickling)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_an_error_of_the_api_says_where_and_why(agent: Agent) -> None:
    handlers, _ = drafting()
    agent.api.proposals = [problem(403, "forbidden", "This key does not grant “propose”.")]

    with pytest.raises(ApiProblem, match=r"403: This key does not grant") as raised:
        agent.answer(handlers, call())

    assert (raised.value.status, raised.value.slug) == (403, "forbidden")
