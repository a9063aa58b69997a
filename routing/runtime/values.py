"""The values of the runtime: what is selected, decided, executed and observed."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

OK, RETRYABLE, FATAL = "ok", "retryable_error", "fatal_error"
REFUSED, NEEDS_APPROVAL, ALLOWED = "refused", "needs_approval", "allowed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The tools for a task, in the format that was asked for. ``body`` is the whole answer."""

    NEEDS: ClassVar[Sequence[str]] = ("id", "run_id", "catalog", "tool_names", "tools")

    id: str
    run_id: str
    catalog: str
    format: str
    tool_names: tuple[str, ...]
    tools: tuple[Any, ...]
    fallback: str | None = None
    body: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def read(cls, body: Mapping[str, Any], *, format_name: str) -> Selection:
        """Return the selection of an answer of the API."""
        return cls(
            id=body["id"],
            run_id=body["run_id"],
            catalog=body["catalog"],
            format=format_name,
            tool_names=tuple(body["tool_names"]),
            tools=tuple(body["tools"]),
            fallback=body.get("fallback"),
            body=body,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Expansion:
    """What one more group added. ``references`` load tools behind a provider's own search."""

    NEEDS: ClassVar[Sequence[str]] = ("group", "added", "tool_names")

    group: str
    added: tuple[Any, ...]
    tool_names: tuple[str, ...]
    references: tuple[Any, ...] = ()
    body: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def read(cls, body: Mapping[str, Any]) -> Expansion:
        """Return the expansion of an answer of the API."""
        return cls(
            group=body["group"],
            added=tuple(body["added"]),
            tool_names=tuple(body["tool_names"]),
            references=tuple(body.get("references") or ()),
            body=body,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What was decided of a proposal.

    ``result`` is there where the call ended before: nothing may then be done again. ``seconds`` is
    how long the answer took, of which the lease may have used as much.
    """

    id: str
    decision: str
    tool: str
    arguments: Mapping[str, Any]
    reason: str | None = None
    detail: str | None = None
    errors: Sequence[Mapping[str, str]] = ()
    hint: Mapping[str, Any] | None = None
    approval_id: str | None = None
    attempt: int | None = None
    max_attempts: int | None = None
    timeout_ms: int | None = None
    output_trust: str | None = None
    result: Mapping[str, Any] | None = None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """A call as a model wrote it. ``arguments`` are ``None`` where they are no JSON object.

    ``id`` is the model's; ``place`` is the same, told apart where a model gave one id twice.
    """

    id: str
    place: str
    name: str
    arguments: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """What a handler is told beside its arguments.

    Hand ``idempotency_key`` on to what you change: a second attempt, also by another worker, comes
    with the same one. ``stopping`` is set when the time is over or the call was cancelled; a
    handler in a thread cannot be stopped from outside, so that a long one should look.
    """

    id: str
    tool: str
    arguments: Mapping[str, Any]
    idempotency_key: str
    approval_id: str | None
    attempt: int
    max_attempts: int
    timeout: float | None
    run_id: str
    selection_id: str
    stopping: threading.Event = field(default_factory=threading.Event, repr=False, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What a handler may return instead of plain data.

    ``evidence_ref`` says where the proof is, ``cost`` is in USD, ``tokens`` what a model in the
    tool used.
    """

    data: Any
    evidence_ref: str | None = None
    cost: float | None = None
    tokens: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How an attempt ended, as it is recorded. ``retry_after_ms`` is the handler's wish."""

    status: str
    data: Any = None
    reason: str | None = None
    evidence_ref: str | None = None
    latency_ms: int | None = None
    cost: float | None = None
    tokens: int | None = None
    retry_after_ms: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """What came of a model's call. ``message`` tells the model, in its provider's format.

    ``status`` is ``ok``, ``retryable_error``, ``fatal_error``, ``refused`` or ``needs_approval``.
    ``executed`` tells whether a handler ran here, now.
    """

    call: ModelCall
    tool: str
    status: str
    message: Mapping[str, Any]
    id: str | None = None
    reason: str | None = None
    detail: str | None = None
    data: Any = None
    attempt: int | None = None
    approval_id: str | None = None
    executed: bool = False

    @property
    def is_pending(self) -> bool:
        """Tell whether a person has yet to say yes."""
        return self.status == NEEDS_APPROVAL


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What came of one answer of a model. ``messages`` are what it is sent next, all of them.

    A call that waits for a person is among them as ``needs_approval``: send that, or wait for the
    person and ``proceed``.
    """

    step: int
    observations: tuple[Observation, ...]
    messages: tuple[Mapping[str, Any], ...]

    @property
    def pending(self) -> tuple[Observation, ...]:
        """Return the calls that wait for a person."""
        return tuple(one for one in self.observations if one.is_pending)
