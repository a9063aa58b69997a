"""The client and the session of agents that await, on asyncio."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from functools import wraps
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, TypeVar

from routing.runtime import threads
from routing.runtime.conversation import Conversation
from routing.runtime.core import Core
from routing.runtime.effects import Effect, Ended, Execute, Reply, Send, Sleep, Steps
from routing.runtime.handlers import Handlers, is_async
from routing.runtime.sending import FAULTS, Answer, client_options, request_of, unreachable
from routing.runtime.values import Selection
from routing.runtime.web import httpx

T = TypeVar("T")
P = ParamSpec("P")


class AsyncDriver:
    """Does what steps ask for; what can go together goes together."""

    def __init__(
        self,
        client: Any,
        *,
        timeout: float | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.client = client
        self._timeout = timeout
        self._sleep = sleep

    async def drive(self, steps: Steps[T]) -> T:
        """Return what steps come to. What fails is raised in them first, so that they can act."""
        act: Callable[[], Effect] = steps.__next__
        while True:
            try:
                effect = act()
            except StopIteration as stop:
                result: T = stop.value
                return result
            act = await self._after(steps, effect)

    async def _after(self, steps: Steps[Any], effect: Effect) -> Callable[[], Effect]:
        try:
            came = await self._do(effect)
        except BaseException as error:
            fault = error
            return lambda: steps.throw(fault)
        return lambda: steps.send(came)

    async def _do(self, effect: Effect) -> Any:
        if isinstance(effect, Send):
            sending = self._send(effect)
            return await (_to_the_end(sending) if effect.to_the_end else sending)
        if isinstance(effect, Sleep):
            return await self._sleep(effect.seconds)
        if isinstance(effect, Execute):
            return await _execute(effect)
        came = await asyncio.gather(
            *(self.drive(one) for one in effect.several), return_exceptions=True
        )
        for one in came:
            if isinstance(one, BaseException):
                raise one
        return came

    async def _send(self, send: Send) -> Reply:
        began = time.monotonic()
        try:
            async with self.client.stream(**request_of(send)) as response:
                answer = Answer(response, began=began, timeout=self._timeout)
                async for part in response.aiter_bytes():
                    answer.take(part)
        except FAULTS as error:
            raise unreachable(error) from error
        return answer.reply()


async def _to_the_end(coroutine: Coroutine[Any, Any, T]) -> T:
    """Finish something before a cancellation is heeded, however often that is asked for."""
    task = asyncio.ensure_future(coroutine)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        if not task.cancelled():
            task.exception()  # it was asked for, and is outranked
        raise cancelled
    return task.result()


async def _execute(execute: Execute) -> Ended:
    """Run a handler: awaited here, or in a thread where it blocks."""
    began = time.monotonic()
    try:
        if not is_async(execute.handler):
            return await _in_thread(execute)
        async with asyncio.timeout(execute.timeout) as limit:
            value = await threads.invoke(execute)
    except asyncio.CancelledError:
        execute.call.stopping.set()
        raise
    except TimeoutError as error:
        if limit.expired():
            return threads.late(execute)
        return Ended(error=error, seconds=time.monotonic() - began)
    except Exception as error:
        return Ended(error=error, seconds=time.monotonic() - began)
    return Ended(value=value, seconds=time.monotonic() - began)


async def _in_thread(execute: Execute) -> Ended:
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Ended] = loop.create_future()

    def settle(ended: Ended) -> None:
        if not future.done():
            future.set_result(ended)

    def done(ended: Ended) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, ended)

    threads.start(execute, done=done)
    await asyncio.wait([future], timeout=execute.timeout)
    if future.done():
        return future.result()
    future.cancel()
    return threads.late(execute)


def _of_client(
    make: Callable[Concatenate[Core, P], Steps[T]],
) -> Callable[Concatenate[AsyncToolcrib, P], Coroutine[Any, Any, T]]:
    @wraps(make)
    async def method(self: AsyncToolcrib, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.driver.drive(make(self.core, *args, **kwargs))

    return method


class AsyncToolcrib:
    """The API, for agents that await; see ``Toolcrib``."""

    def __init__(
        self,
        base_url: str,
        key: str,
        *,
        timeout: float = 10.0,
        patience: float = 60.0,
        headers: Mapping[str, str] | None = None,
        transport: Any = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        options = client_options(base_url=base_url, key=key, timeout=timeout, headers=headers)
        self.core = Core(patience=patience)
        client = httpx.AsyncClient(transport=transport, **options)
        self.driver = AsyncDriver(client, timeout=timeout, sleep=sleep)

    start_run = _of_client(Core.start_run)
    select = _of_client(Core.select)
    expand = _of_client(Core.expand)
    reselect = _of_client(Core.reselect)
    propose = _of_client(Core.propose)
    record = _of_client(Core.record)
    simulate = _of_client(Core.simulate)
    read_call = _of_client(Core.read_call)
    phase = _of_client(Core.phase)
    outcome = _of_client(Core.outcome)

    async def start(
        self, handlers: Handlers, *, poll: float = 2.0, **selection: Any
    ) -> AsyncSession:
        """Select, and return a session that carries the tools; the arguments are ``select``'s."""
        return self.session(await self.select(**selection), handlers, poll=poll)

    def session(
        self, selection: Selection, handlers: Handlers, *, poll: float = 2.0
    ) -> AsyncSession:
        """Return a session that carries the tools of a selection."""
        return AsyncSession(
            self.driver,
            Conversation.of(selection, core=self.core, handlers=handlers, poll=poll),
        )

    def restore(
        self, state: Mapping[str, Any], handlers: Handlers, *, poll: float = 2.0
    ) -> AsyncSession:
        """Return the session that another worker saved as ``state()``."""
        return AsyncSession(
            self.driver, Conversation(core=self.core, handlers=handlers, poll=poll, **state)
        )

    async def close(self) -> None:
        """Close the connections."""
        await self.driver.client.aclose()

    async def __aenter__(self) -> AsyncToolcrib:
        """Return the client, which is closed in the end."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the connections."""
        await self.close()


def _of_session(
    make: Callable[Concatenate[Conversation, P], Steps[T]],
) -> Callable[Concatenate[AsyncSession, P], Coroutine[Any, Any, T]]:
    @wraps(make)
    async def method(self: AsyncSession, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._driver.drive(make(self.conversation, *args, **kwargs))

    return method


class AsyncSession:
    """A run for an agent that awaits: show ``tools`` to the model, ``answer`` what it says.

    The calls of one answer are made together.
    """

    def __init__(self, driver: AsyncDriver, conversation: Conversation) -> None:
        self._driver = driver
        self.conversation = conversation

    @property
    def run_id(self) -> str:
        """Return the run's id."""
        return self.conversation.run_id

    @property
    def tools(self) -> list[Any]:
        """Return what the model is shown now, in the selection's format."""
        return list(self.conversation.tools)

    def state(self) -> dict[str, Any]:
        """Return what another worker needs to go on, as JSON: save it with the model's answer."""
        return self.conversation.state()

    answer = _of_session(Conversation.answer)
    proceed = _of_session(Conversation.proceed)
    reselect = _of_session(Conversation.reselect)
    phase = _of_session(Conversation.phase)
    finish = _of_session(Conversation.finish)
