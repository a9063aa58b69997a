"""Calls that are made together, and calls that are cancelled."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from routing.runtime import AsyncToolcrib, Call, Handlers
from tests.routing.runtime.fake import (
    KEY,
    SELECTION,
    URL,
    Agent,
    FakeApi,
    allowed,
    call,
    quiet,
)

EXPANSIONS = "/selections/s1/expansions"


def test_the_calls_of_an_answer_are_made_together_where_the_agent_awaits() -> None:
    handlers, both = Handlers(), threading.Barrier(2, timeout=5)

    @handlers.handler("draft")
    async def draft(call: Call, order_id: str) -> str:
        await asyncio.to_thread(both.wait)
        return "met"

    @handlers.handler("read_order")
    def read_order(call: Call, order_id: str) -> str:
        both.wait()
        return "met"

    agent = Agent(awaits=True)
    agent.api.proposals = [allowed(), allowed(tool="read_order")]
    turn = agent.answer(handlers, call("draft", "m1"), call("read_order", "m2"))

    assert [one.data for one in turn.observations] == ["met", "met"]


def test_an_awaited_handler_that_is_late_is_cancelled_and_recorded() -> None:
    handlers, cancelled = Handlers(), []

    @handlers.handler()
    async def draft(call: Call, order_id: str) -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.append(call.id)
            raise

    agent = Agent(awaits=True)
    agent.api.proposals = [allowed(timeout_ms=50, max_attempts=1)]
    agent.answer(handlers, call())

    (sent,) = agent.api.bodies("/results")
    assert (cancelled, sent["reason"], sent["status"]) == (["c1"], "timed_out", "retryable_error")


@pytest.mark.parametrize("blocking", [True, False])
def test_a_cancelled_call_is_recorded_on_the_way_out(blocking: bool) -> None:
    began, handlers, told = threading.Event(), Handlers(), []

    if blocking:

        @handlers.handler("draft")
        def in_thread(call: Call, order_id: str) -> None:
            told.append(call)
            began.set()
            call.stopping.wait(5)
    else:

        @handlers.handler("draft")
        async def awaited(call: Call, order_id: str) -> None:
            told.append(call)
            began.set()
            await asyncio.sleep(60)

    api = FakeApi()
    api.others["/selections"] = [SELECTION]

    async def cancel() -> dict[str, Any]:
        async with AsyncToolcrib(URL, KEY, transport=httpx2.MockTransport(api)) as crib:
            session = await crib.start(handlers, catalog="desk", task="Draft it")
            task = asyncio.create_task(session.answer([call()]))
            while not began.is_set():
                await asyncio.sleep(0.005)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            return session.state()

    state = asyncio.run(cancel())

    assert api.bodies("/results") == [
        {"attempt": 1, "status": "retryable_error", "reason": "cancelled"}
    ]
    assert told[0].stopping.is_set()
    assert state["step"] == 0


def test_a_result_on_its_way_is_recorded_before_a_cancellation_is_heeded() -> None:
    sending, api, handlers = asyncio.Event(), FakeApi(), quiet()

    class Slow(httpx2.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            if request.url.path.endswith("/results"):
                sending.set()
                await asyncio.sleep(0.1)
            return api(request)

    async def cancel() -> None:
        api.others["/selections"] = [SELECTION]
        async with AsyncToolcrib(URL, KEY, transport=Slow()) as crib:
            session = await crib.start(handlers, catalog="desk", task="Draft it")
            task = asyncio.create_task(session.answer([call()]))
            await sending.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(cancel())

    assert [sent["status"] for sent in api.bodies("/results")] == ["ok"]


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Heed SIGINT, which a shell has its background jobs ignore."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_of_a_blocking_agent_is_recorded_on_the_way_out() -> None:
    agent, handlers, told = Agent(awaits=False), Handlers(), []
    reader = threading.main_thread().ident
    assert reader

    @handlers.handler()
    def draft(call: Call, order_id: str) -> None:
        told.append(call)
        signal.pthread_kill(reader, signal.SIGINT)
        call.stopping.wait(5)

    with pytest.raises(KeyboardInterrupt):
        agent.answer(handlers, call())

    assert [sent["reason"] for sent in agent.api.bodies("/results")] == ["cancelled"]
    assert told[0].stopping.is_set()
