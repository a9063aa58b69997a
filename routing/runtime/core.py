"""The API's doors, each as steps: what is sent, and what is read from the answer."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from routing.runtime.asking import FIRST_PAUSE, ask, body_of, retry_after, without_none
from routing.runtime.effects import Reply, Send, Sleep, Steps
from routing.runtime.errors import StillRunning
from routing.runtime.values import Decision, Expansion, Outcome, Selection


@dataclass(frozen=True, slots=True, kw_only=True)
class Core:
    """The API as steps. ``patience`` bounds the seconds that one of them waits between tries."""

    patience: float

    def start_run(
        self,
        *,
        catalog: str,
        run_id: str | None = None,
        route: str | None = None,
        phase: str | None = None,
        actor: str | None = None,
        budget: Mapping[str, float | None] | None = None,
        case_id: str | None = None,
    ) -> Steps[dict[str, Any]]:
        """Begin a run before its first selection, to narrow what it may do and spend."""
        body = without_none(
            {
                "catalog": catalog,
                "run_id": run_id or new_run_id(),
                "route": route,
                "phase": phase,
                "actor": actor,
                "budget": budget,
                "case_id": case_id,
            }
        )
        return (yield from self._post("/runs", body, needs=("run_id",), repeatable=False))

    def select(
        self,
        *,
        catalog: str,
        task: str,
        history: Sequence[Any] = (),
        phase: str | None = None,
        channel: Mapping[str, str] | None = None,
        route: str | None = None,
        strategy: str | None = None,
        max_tools: int | None = None,
        inclusive: bool | None = None,
        open_groups: Sequence[str] = (),
        run_id: str | None = None,
        format: str = "native",  # noqa: A002 - the API's own word
        strict: bool | None = None,
        tool_search: bool | None = None,
        explain: bool | None = None,
    ) -> Steps[Selection]:
        """Choose the tools of a task. ``None`` means the catalog's own setting."""
        body = without_none(
            {
                "catalog": catalog,
                "task": task,
                "history": list(history),
                "phase": phase,
                "channel": channel,
                "route": route,
                "strategy": strategy,
                "max_tools": max_tools,
                "inclusive": inclusive,
                "open_groups": list(open_groups),
                "run_id": run_id or new_run_id(),
                "format": format,
                "strict": strict,
                "tool_search": tool_search,
                "explain": explain,
            }
        )
        answer = yield from self._post("/selections", body, needs=Selection.NEEDS)
        return Selection.read(answer, format_name=format)

    def expand(
        self, *, selection_id: str, group: str, reason: str | None = None
    ) -> Steps[Expansion]:
        """Open one more group. Sent twice it adds nothing the second time."""
        body = without_none({"group": group, "reason": reason})
        path = f"/selections/{quote(selection_id)}/expansions"
        return Expansion.read((yield from self._post(path, body, needs=Expansion.NEEDS)))

    def tools_of(
        self,
        *,
        catalog: str,
        group: str,
        names: Sequence[str],
        format: str,  # noqa: A002 - the API's own word
    ) -> Steps[list[Any]]:
        """Return some tools of a group in a format, in the catalog's order."""
        query = urlencode({"format": "native" if format == "prompt" else format, "group": group})
        path = f"/catalogs/{quote(catalog)}/tools?{query}"
        request = Send(method="GET", path=path, needs=("tools",))
        body = body_of((yield from ask(request, patience=self.patience)))
        return [tool for tool in body["tools"] if name_of(tool) in names]

    def reselect(
        self,
        *,
        selection_id: str,
        tool: str | None = None,
        task: str | None = None,
        history: Sequence[Any] | None = None,
        phase: str | None = None,
        format: str = "native",  # noqa: A002 - the API's own word
    ) -> Steps[Selection]:
        """Select again, with room for a tool that was not offered or a task that has changed."""
        body = without_none({"tool": tool, "task": task, "history": history, "phase": phase})
        path = f"/selections/{quote(selection_id)}/reselections"
        answer = yield from self._post(path, body, needs=Selection.NEEDS)
        return Selection.read(answer, format_name=format)

    def propose(
        self,
        *,
        selection_id: str,
        tool: str,
        arguments: Mapping[str, Any],
        idempotency_key: str | None = None,
        approval_id: str | None = None,
    ) -> Steps[Decision]:
        """Ask whether a call may be made.

        While another attempt is out this waits for it, within the client's patience. Raises
        ``StillRunning`` after that, and ``Conflict`` where the key stands for other arguments.
        """
        body = without_none(
            {
                "tool": tool,
                "arguments": arguments,
                "idempotency_key": idempotency_key,
                "approval_id": approval_id,
            }
        )
        path = f"/selections/{quote(selection_id)}/calls"
        request = Send(
            method="POST",
            path=path,
            needs=("id", "decision"),
            body=body,
            repeatable=idempotency_key is not None,
        )
        waited = 0.0
        while True:
            reply = yield from ask(request, patience=self.patience)
            wait = retry_after(reply) if reply.status == 409 else None
            if wait is None:
                return read_decision(reply, tool=tool, arguments=arguments)
            if waited + wait > self.patience:
                raise StillRunning(status=409, body=reply.body or {}, retry_after=wait)
            wait = max(wait, FIRST_PAUSE)
            yield Sleep(wait)
            waited += wait

    def read_call(self, *, call_id: str) -> Steps[dict[str, Any]]:
        """Return a call with its decision, the state of its approval and its result."""
        request = Send(method="GET", path=f"/calls/{quote(call_id)}", needs=("approval",))
        return body_of((yield from ask(request, patience=self.patience)))

    def record(self, *, call_id: str, attempt: int, outcome: Outcome) -> Steps[dict[str, Any]]:
        """Record how an attempt ended; returns the observation as the server has it."""
        body = without_none(
            {
                "attempt": attempt,
                "status": outcome.status,
                "data": outcome.data,
                "reason": outcome.reason,
                "evidence_ref": outcome.evidence_ref,
                "latency_ms": outcome.latency_ms,
                "cost": outcome.cost,
                "tokens": outcome.tokens,
                "retry_after_ms": outcome.retry_after_ms,
            }
        )
        path = f"/calls/{quote(call_id)}/results"
        needs = ("status", "content")
        request = Send(method="POST", path=path, needs=needs, body=body, to_the_end=True)
        return body_of((yield from ask(request, patience=self.patience)))

    def simulate(self, *, call_id: str, attempt: int) -> Steps[dict[str, Any]]:
        """Have a simulated tool answer an attempt; ``result`` is null where it never will."""
        path = f"/calls/{quote(call_id)}/simulation"
        return (yield from self._post(path, {"attempt": attempt}, needs=("result",)))

    def phase(
        self,
        *,
        run_id: str,
        phase: str,
        format: str = "native",  # noqa: A002 - the API's own word
    ) -> Steps[Selection]:
        """Move a run to another phase; returns the selection in it."""
        path = f"/runs/{quote(run_id)}/phase"
        body = {"phase": phase}
        answer = yield from self._post(path, body, needs=Selection.NEEDS, repeatable=False)
        return Selection.read(answer, format_name=format)

    def outcome(
        self, *, run_id: str, status: str, stop_reason: str | None = None
    ) -> Steps[dict[str, Any]]:
        """Say how a run ended: ``solved``, ``failed``, ``needs_human`` or ``abandoned``."""
        body = without_none({"status": status, "stop_reason": stop_reason})
        path = f"/runs/{quote(run_id)}/outcome"
        return (yield from self._post(path, body, needs=("status",)))

    def _post(
        self,
        path: str,
        body: Mapping[str, Any],
        *,
        needs: Sequence[str],
        repeatable: bool = True,
    ) -> Steps[dict[str, Any]]:
        request = Send(method="POST", path=path, needs=needs, body=body, repeatable=repeatable)
        return body_of((yield from ask(request, patience=self.patience)))


def read_decision(reply: Reply, *, tool: str, arguments: Mapping[str, Any]) -> Decision:
    """Return the decision that a reply holds; raises ``ApiProblem``.

    200 is the recorded result of a call that has ended: it was allowed once, and is not again.
    """
    body = body_of(reply)
    meant = body.get("arguments")
    return Decision(
        id=body["id"],
        decision=body["decision"],
        tool=body.get("tool") or tool,
        arguments=arguments if meant is None else meant,
        reason=body.get("reason"),
        detail=body.get("detail"),
        errors=body.get("errors") or (),
        hint=body.get("hint"),
        approval_id=body.get("approval_id"),
        attempt=body.get("attempt"),
        max_attempts=body.get("max_attempts"),
        timeout_ms=body.get("timeout_ms"),
        output_trust=body.get("output_trust"),
        result=body.get("result"),
        seconds=reply.seconds,
    )


def name_of(tool: Mapping[str, Any]) -> str | None:
    """Return the name of a tool in any provider's format."""
    name: str | None = tool.get("name") or (tool.get("function") or {}).get("name")
    return name


def new_run_id() -> str:
    """Return a name for a run, so that asking twice does not begin two."""
    return str(uuid.uuid4())
