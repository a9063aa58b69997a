"""What the services answer about calls and their results, before it is put into bytes."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from routing.models import Approval, Span, Text, ToolCall
from routing.policy.arguments import canonical_sha256
from routing.policy.output import Kept, content_of, observation
from routing.policy.rules import ToolRules

TRUSTED = "trusted_system"
# Reasons of results that are the server's own words, whatever the tool.
MALFORMED, EXHAUSTED, TIMED_OUT = "malformed_result", "attempts_exhausted", "timed_out"
_OURS = frozenset({"", MALFORMED, EXHAUSTED, TIMED_OUT})


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultAnswer:
    """An attempt's result as it is on record; ``tool`` is the call's.

    ``data`` is cut to size, and ``None`` where it is not kept, which ``data_kept`` tells from a
    null; ``redacted`` tells that the record has it without what the catalog redacts. A new result
    is answered with its data all the same. ``content`` hands the observation to a model, in a
    provider's shape.
    """

    call: UUID
    tool: str
    attempt: int
    status: str
    reason: str
    data: Any
    data_kept: bool
    redacted: bool
    trust: str
    details: dict[str, Any]
    content: dict[str, Any]
    cost: float | None
    tokens: int | None
    time: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CallAnswer:
    """What was decided of a proposal. ``tool`` is ``None`` where there is none of the name.

    ``result`` is there where the call has ended already: nothing may then be done again.
    """

    id: UUID
    run_id: str
    tool: ToolRules | None
    decision: str
    reason: str = ""
    details: dict[str, Any]
    attempt: int | None = None
    arguments: dict[str, Any] | None = None
    approval: UUID | None = None
    result: ResultAnswer | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRecord:
    """A proposal as it is read: its decision, the call that it may have become, and its approval.

    ``arguments`` are ``None`` where they are not kept.
    """

    answer: CallAnswer
    selection: UUID
    time: datetime
    call: ToolCall | None
    approval: Approval | None
    arguments: dict[str, Any] | None


def result_answer(
    *,
    span: Span,
    call: UUID,
    tool: ToolRules,
    format_name: str,
    kept: Kept | None,
    on_record: bool,
    words: str,
    redacted: bool = False,
) -> ResultAnswer:
    """Return a result with its data, cut to size, and its reason in words.

    ``on_record`` tells whether they can be read again.
    """
    details = dict(span.details or {})
    reason = span.reason or words
    text = observation(
        tool=tool.name,
        status=span.status,
        reason=reason,
        kept=kept,
        trust=TRUSTED if kept is None and reason in _OURS else tool.output_trust,
    )
    return ResultAnswer(
        call=call,
        tool=tool.name,
        attempt=span.attempt or 1,
        status=span.status,
        reason=reason,
        data=kept.data if kept else None,
        data_kept=on_record or "sha256" not in details,
        redacted=redacted or details.get("redacted", False),
        trust=tool.output_trust,
        details=details,
        content=dict(
            content_of(text, format_name=format_name, failed=span.status != ToolCall.Status.OK)
        ),
        cost=span.cost,
        tokens=span.tokens,
        time=span.time,
    )


def recorded_result(*, span: Span, call: UUID, tool: ToolRules, format_name: str) -> ResultAnswer:
    """Return a result as the record has it; its words and data may have been erased."""
    details = span.details or {}
    text: Text | None = getattr(span, "text", None)
    kept = None
    redacted = False
    if text is not None and "sha256" in details:
        truncated = details.get("truncated", False)
        # It may have been redacted long after it was written.
        redacted = not truncated and canonical_sha256(text.data) != details["sha256"]
        kept = Kept(
            data=text.data,
            sha256=details["sha256"],
            bytes=details["bytes"],
            truncated=truncated,
        )
    return result_answer(
        span=span,
        call=call,
        tool=tool,
        format_name=format_name,
        kept=kept,
        on_record=kept is not None,
        words=text.reason if text else "",
        redacted=redacted,
    )
