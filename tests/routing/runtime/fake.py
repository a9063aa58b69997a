"""An API of the test's own, as far as the runtime looks, and agents of both kinds that ask it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx2

from routing.runtime import AsyncToolcrib, Call, Handlers, Selection, Toolcrib, Turn

URL, KEY = "http://crib.example", "tc_test"
SELECTION: dict[str, Any] = {
    "id": "s1",
    "run_id": "run-1",
    "catalog": "desk@1",
    "tool_names": ["read_order", "draft", "request_group"],
    "tools": [{"name": "read_order"}, {"name": "draft"}, {"name": "request_group"}],
    "fallback": None,
}


def allowed(attempt: int | None = 1, **more: Any) -> dict[str, Any]:
    """Return the answer to a proposal that may be made."""
    return {
        "id": "c1",
        "run_id": "run-1",
        "tool": "draft",
        "decision": "allowed",
        "reason": None,
        "detail": None,
        "errors": [],
        "hint": None,
        "approval_id": None,
        "attempt": attempt,
        "timeout_ms": 5000,
        "max_attempts": 3,
        "output_trust": "trusted_system",
        "arguments": {"order_id": "1"},
        "result": None,
    } | more


def recorded(sent: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return the answer to a result: the observation on record."""
    result = {
        "call_id": "c1",
        "tool": "draft",
        "attempt": sent["attempt"],
        "status": sent["status"],
        "reason": sent.get("reason"),
        "data": sent.get("data"),
    } | more
    text = json.dumps({"status": result["status"], "data": result["data"]})
    return result | {"content": {"content": text}}


def problem(status: int, slug: str, detail: str = "No.", **headers: str) -> httpx2.Response:
    """Return an error as the API words it."""
    body = {"type": f"/problems/{slug}", "title": slug, "status": status, "detail": detail}
    return httpx2.Response(status, json=body, headers=headers)


Answer = httpx2.Response | Exception | dict[str, Any]


@dataclass
class FakeApi:
    """Answers each door with what was laid out for it, and the last of that for ever."""

    proposals: list[Answer] = field(default_factory=lambda: [allowed()])
    results: list[Answer | Callable[[dict[str, Any]], Answer]] = field(
        default_factory=lambda: [recorded]
    )
    others: dict[str, list[Answer]] = field(default_factory=dict)
    heard: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        body = json.loads(request.content) if request.content else {}
        path = request.url.path.removeprefix("/api/v1")
        self.heard.append((path, body))
        assert request.headers["Authorization"] == f"Bearer {KEY}"
        if path.endswith("/calls"):
            return self._said(_next(self.proposals))
        if path.endswith("/results"):
            answer = _next(self.results)
            return self._said(answer(body) if callable(answer) else answer)
        return self._said(_next(self.others[path]))

    def bodies(self, ending: str) -> list[dict[str, Any]]:
        """Return what was sent to the doors whose path ends so."""
        return [body for path, body in self.heard if path.endswith(ending)]

    @staticmethod
    def _said(answer: Answer) -> httpx2.Response:
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, dict):
            return httpx2.Response(201, json=answer)
        return httpx2.Response(answer.status_code, content=answer.content, headers=answer.headers)


def _next(answers: list[Any]) -> Any:
    return answers.pop(0) if len(answers) > 1 else answers[0]


def drafting(*outcomes: Any) -> tuple[Handlers, list[Call]]:
    """Return handlers whose ``draft`` comes to each outcome in turn, and what it was told."""
    handlers, told, left = Handlers(), [], list(outcomes) or [{"request_id": "r1"}]

    @handlers.handler()
    def draft(call: Call, order_id: str) -> Any:
        told.append(call)
        outcome = left.pop(0) if len(left) > 1 else left[0]
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    return handlers, told


def quiet() -> Handlers:
    """Return handlers that do nothing much."""
    handlers = Handlers()

    @handlers.handler("draft", "read_order")
    def answer(call: Call, order_id: str) -> str:
        return f"{call.tool} {order_id}"

    return handlers


def call(name: str = "draft", call_id: str = "m1", **arguments: Any) -> dict[str, Any]:
    """Return a model's call in the plain format."""
    return {"id": call_id, "name": name, "arguments": arguments or {"order_id": "1"}}


@dataclass
class Agent:
    """An agent that blocks or awaits; ``slept`` are the seconds that it was made to wait."""

    awaits: bool
    api: FakeApi = field(default_factory=FakeApi)
    slept: list[float] = field(default_factory=list)
    state: dict[str, Any] = field(default_factory=dict)

    def answer(self, handlers: Handlers, *calls: dict[str, Any], **more: Any) -> Turn:
        """Return the turn that comes of a model's calls in a new session."""
        options = {"patience": more.pop("patience", 60.0), "transport": self.transport()}
        selection = Selection.read(
            SELECTION | more.pop("selection", {}), format_name=more.pop("format_name", "native")
        )
        said = more.pop("said", list(calls))
        if not self.awaits:
            with Toolcrib(URL, KEY, sleep=self.slept.append, **options) as crib:
                session = crib.session(selection, handlers)
                try:
                    return session.answer(said, **more)
                finally:
                    self.state = session.state()
        return asyncio.run(self._awaited(selection, handlers, said, options, more))

    async def _awaited(
        self, selection: Selection, handlers: Handlers, said: Any, options: Any, more: Any
    ) -> Turn:
        async with AsyncToolcrib(URL, KEY, sleep=self.sleep, **options) as crib:
            session = crib.session(selection, handlers)
            try:
                return await session.answer(said, **more)
            finally:
                self.state = session.state()

    async def sleep(self, seconds: float) -> None:
        """Wait for nothing."""
        self.slept.append(seconds)

    def transport(self) -> httpx2.MockTransport:
        """Return what leads to the API of the test."""
        return httpx2.MockTransport(self.api)
