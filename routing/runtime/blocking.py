"""The client and the session of agents that block."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import wraps
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, TypeVar

from routing.runtime import threads
from routing.runtime.conversation import Conversation
from routing.runtime.core import Core
from routing.runtime.effects import Effect, Execute, Reply, Send, Sleep, Steps
from routing.runtime.handlers import Handlers
from routing.runtime.sending import FAULTS, Answer, client_options, request_of, unreachable
from routing.runtime.values import Selection
from routing.runtime.web import httpx

T = TypeVar("T")
P = ParamSpec("P")


class Driver:
    """Does what steps ask for, one after another."""

    def __init__(
        self,
        client: Any,
        *,
        timeout: float | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.client = client
        self._timeout = timeout
        self._sleep = sleep

    def drive(self, steps: Steps[T]) -> T:
        """Return what steps come to. What fails is raised in them first, so that they can act."""
        act: Callable[[], Effect] = steps.__next__
        while True:
            try:
                effect = act()
            except StopIteration as stop:
                result: T = stop.value
                return result
            act = self._after(steps, effect)

    def _after(self, steps: Steps[Any], effect: Effect) -> Callable[[], Effect]:
        try:
            came = self._do(effect)
        except BaseException as error:
            fault = error
            return lambda: steps.throw(fault)
        return lambda: steps.send(came)

    def _do(self, effect: Effect) -> Any:
        if isinstance(effect, Send):
            return self._send(effect)
        if isinstance(effect, Sleep):
            return self._sleep(effect.seconds)
        if isinstance(effect, Execute):
            return threads.run(effect)
        return [self.drive(one) for one in effect.several]

    def _send(self, send: Send) -> Reply:
        began = time.monotonic()
        try:
            with self.client.stream(**request_of(send)) as response:
                answer = Answer(response, began=began, timeout=self._timeout)
                for part in response.iter_bytes():
                    answer.take(part)
        except FAULTS as error:
            raise unreachable(error) from error
        return answer.reply()


def _of_client(
    make: Callable[Concatenate[Core, P], Steps[T]],
) -> Callable[Concatenate[Toolcrib, P], T]:
    @wraps(make)
    def method(self: Toolcrib, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self.driver.drive(make(self.core, *args, **kwargs))

    return method


class Toolcrib:
    """The API, for agents that block.

    ``timeout`` bounds a request in seconds, ``patience`` the seconds that are waited between tries
    while the server is busy, cannot be reached or leases a call to another worker.
    """

    def __init__(
        self,
        base_url: str,
        key: str,
        *,
        timeout: float = 10.0,
        patience: float = 60.0,
        headers: Mapping[str, str] | None = None,
        transport: Any = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        options = client_options(base_url=base_url, key=key, timeout=timeout, headers=headers)
        self.core = Core(patience=patience)
        client = httpx.Client(transport=transport, **options)
        self.driver = Driver(client, timeout=timeout, sleep=sleep)

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

    def start(self, handlers: Handlers, *, poll: float = 2.0, **selection: Any) -> Session:
        """Select, and return a session that carries the tools; the arguments are ``select``'s."""
        return self.session(self.select(**selection), handlers, poll=poll)

    def session(self, selection: Selection, handlers: Handlers, *, poll: float = 2.0) -> Session:
        """Return a session that carries the tools of a selection."""
        return Session(
            self.driver,
            Conversation.of(selection, core=self.core, handlers=handlers, poll=poll),
        )

    def restore(
        self, state: Mapping[str, Any], handlers: Handlers, *, poll: float = 2.0
    ) -> Session:
        """Return the session that another worker saved as ``state()``."""
        return Session(
            self.driver, Conversation(core=self.core, handlers=handlers, poll=poll, **state)
        )

    def close(self) -> None:
        """Close the connections."""
        self.driver.client.close()

    def __enter__(self) -> Toolcrib:
        """Return the client, which is closed in the end."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the connections."""
        self.close()


def _of_session(
    make: Callable[Concatenate[Conversation, P], Steps[T]],
) -> Callable[Concatenate[Session, P], T]:
    @wraps(make)
    def method(self: Session, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self._driver.drive(make(self.conversation, *args, **kwargs))

    return method


class Session:
    """A run for an agent that blocks: show ``tools`` to the model, ``answer`` what it says."""

    def __init__(self, driver: Driver, conversation: Conversation) -> None:
        if awaited := conversation.handlers.awaited():
            raise TypeError(f"These handlers need an AsyncToolcrib: {', '.join(awaited)}.")
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
