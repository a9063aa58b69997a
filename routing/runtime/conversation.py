"""A run as its agent lives it: the tools that it carries now, and what comes of its calls."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from routing.runtime.calling import Caller
from routing.runtime.core import Core
from routing.runtime.effects import Steps, Together
from routing.runtime.errors import Forbidden, Invalid
from routing.runtime.handlers import Handlers
from routing.runtime.keys import idempotency_key
from routing.runtime.messages import calls_in, messages_of, own_words
from routing.runtime.values import (
    OK,
    REFUSED,
    Expansion,
    ModelCall,
    Observation,
    Selection,
    Turn,
)

logger = logging.getLogger("routing.runtime")
REQUEST_GROUP = "request_group"
SERVED = frozenset({REQUEST_GROUP})
"""Tools that Toolcrib answers itself, so that they have no handler."""


@dataclass(kw_only=True)
class Conversation:
    """What the sessions that block and those that await share. ``step`` counts the turns."""

    core: Core
    handlers: Handlers
    run_id: str
    selection_id: str
    catalog: str
    format: str
    tools: list[Any] = field(default_factory=list)
    tool_names: list[str] = field(default_factory=list)
    step: int = 0
    poll: float = 2.0

    @classmethod
    def of(
        cls, selection: Selection, *, core: Core, handlers: Handlers, poll: float = 2.0
    ) -> Conversation:
        """Return the conversation that begins with a selection."""
        conversation = cls(
            core=core,
            handlers=handlers,
            run_id=selection.run_id,
            selection_id=selection.id,
            catalog=selection.catalog,
            format=selection.format,
            poll=poll,
        )
        conversation.carry(selection)
        return conversation

    def state(self) -> dict[str, Any]:
        """Return what a worker needs to go on where another one stopped, as JSON."""
        return {
            "run_id": self.run_id,
            "selection_id": self.selection_id,
            "catalog": self.catalog,
            "format": self.format,
            "tools": list(self.tools),
            "tool_names": list(self.tool_names),
            "step": self.step,
        }

    def carry(self, selection: Selection) -> None:
        """Carry the tools of another selection from here on."""
        self.selection_id = selection.id
        self.tools, self.tool_names = list(selection.tools), list(selection.tool_names)
        if missing := self.handlers.missing(set(self.tool_names) - SERVED):
            logger.warning("There are no handlers for %s", ", ".join(sorted(missing)))

    def answer(self, answer: Any, *, approval_wait: float = 0.0) -> Steps[Turn]:
        """Do what a model's answer calls for; the turn holds what the model is sent next.

        Called again with the same answer at the same step, as a worker does that was restarted,
        nothing is done twice: what has ended is answered from the record.
        """
        turn = yield from self._settle(
            calls_in(answer, format_name=self.format),
            step=self.step,
            approval_wait=approval_wait,
        )
        self.step = turn.step + 1
        return turn

    def proceed(self, turn: Turn, *, approval_wait: float = 0.0) -> Steps[Turn]:
        """Propose again what waited for a person; everything else of the turn stands."""
        pending = [one.call for one in turn.pending]
        again = yield from self._settle(pending, step=turn.step, approval_wait=approval_wait)
        settled = {one.call.place: one for one in again.observations}
        observations = tuple(settled.get(one.call.place, one) for one in turn.observations)
        return replace(
            turn,
            observations=observations,
            messages=messages_of(observations, format_name=self.format),
        )

    def reselect(
        self,
        *,
        tool: str | None = None,
        task: str | None = None,
        history: Sequence[Any] | None = None,
        phase: str | None = None,
    ) -> Steps[Selection]:
        """Select again in this run, and carry what comes of it."""
        selection = yield from self.core.reselect(
            selection_id=self.selection_id,
            tool=tool,
            task=task,
            history=history,
            phase=phase,
            format=self.format,
        )
        self.carry(selection)
        return selection

    def phase(self, phase: str) -> Steps[Selection]:
        """Move the run to another phase, and carry its tools."""
        selection = yield from self.core.phase(run_id=self.run_id, phase=phase, format=self.format)
        self.carry(selection)
        return selection

    def finish(self, status: str, stop_reason: str | None = None) -> Steps[dict[str, Any]]:
        """Say how the run ended: ``solved``, ``failed``, ``needs_human`` or ``abandoned``."""
        return (
            yield from self.core.outcome(run_id=self.run_id, status=status, stop_reason=stop_reason)
        )

    def _settle(
        self, calls: Sequence[ModelCall], *, step: int, approval_wait: float
    ) -> Steps[Turn]:
        """Settle calls: groups first and one after another, then everything else together."""
        settled: dict[str, Observation] = {}
        for call in calls:
            if call.name == REQUEST_GROUP:
                settled[call.place] = yield from self._open(call)
        caller = Caller(
            core=self.core,
            handlers=self.handlers,
            run_id=self.run_id,
            selection_id=self.selection_id,
            format=self.format,
            approval_wait=approval_wait,
            poll=self.poll,
        )
        others = [call for call in calls if call.place not in settled]
        observed: list[Observation] = yield Together(
            [caller.settle(call, idempotency_key=self._key(call, step)) for call in others]
        )
        settled |= {one.call.place: one for one in observed}
        observations = tuple(settled[call.place] for call in calls)
        return Turn(
            step=step,
            observations=observations,
            messages=messages_of(observations, format_name=self.format),
        )

    def _key(self, call: ModelCall, step: int) -> str:
        return idempotency_key(run_id=self.run_id, step=step, call_id=call.place)

    def _open(self, call: ModelCall) -> Steps[Observation]:
        """Answer a call of ``request_group``: the group's tools follow those that are carried."""
        asked: Mapping[str, Any] = call.arguments or {}
        group, reason = asked.get("group"), asked.get("reason")
        if not isinstance(group, str):
            return self._opened(call, REFUSED, reason="invalid_arguments", detail="Name a group.")
        try:
            expansion = yield from self.core.expand(
                selection_id=self.selection_id,
                group=group,
                reason=reason if isinstance(reason, str) else None,
            )
        except (Forbidden, Invalid) as error:
            kind = "group_not_allowed" if isinstance(error, Forbidden) else "invalid_arguments"
            return self._opened(call, REFUSED, reason=kind, detail=error.detail)
        before = set(self.tool_names)
        added = [name for name in expansion.tool_names if name not in before]
        tools: Sequence[Any] = expansion.added
        if added and not tools and not expansion.references:
            # Opened before, by a worker that did not live to say so.
            tools = yield from self.core.tools_of(
                catalog=self.catalog, group=group, names=added, format=self.format
            )
        self.tools += tools
        self.tool_names = list(expansion.tool_names)
        data: dict[str, Any] = {"group": group, "added": added}
        if expansion.references:
            data["references"] = list(expansion.references)
        return self._opened(call, OK, data=data, expansion=expansion)

    def _opened(
        self,
        call: ModelCall,
        status: str,
        *,
        reason: str | None = None,
        detail: str | None = None,
        data: Mapping[str, Any] | None = None,
        expansion: Expansion | None = None,
    ) -> Observation:
        message = own_words(
            {"status": status, "reason": reason, "detail": detail, "data": data},
            call=call,
            format_name=self.format,
            failed=status != OK,
            blocks=expansion.references if expansion else (),
        )
        return Observation(
            call=call,
            tool=REQUEST_GROUP,
            status=status,
            message=message,
            reason=reason,
            detail=detail,
            data=data,
        )
