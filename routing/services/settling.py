"""How attempts end of which nothing was heard in time, and calls that have none left."""

from datetime import datetime

from routing.call_answers import EXHAUSTED, TIMED_OUT
from routing.circuits import note_result
from routing.compiled import CompiledRelease
from routing.models import Run, Span, ToolCall
from routing.policy.rules import ToolRules
from routing.spans import write_span


def time_out(
    *, call: ToolCall, run: Run, tool: ToolRules, release: CompiledRelease, now: datetime
) -> Span:
    """Put on record that nothing was heard of an attempt in its time."""
    span = _write(call, run, release, status=ToolCall.Status.RETRYABLE, reason=TIMED_OUT, now=now)
    if not run.case_id:  # what is tried out says nothing of how a tool does
        note_result(call=call, failed=True, release=release, now=now)
    return span


def exhaust(
    *, call: ToolCall, run: Run, tool: ToolRules, release: CompiledRelease, now: datetime
) -> None:
    """End a call whose last attempt failed or was not heard of: it is final from now on."""
    if not call.status:
        time_out(call=call, run=run, tool=tool, release=release, now=now)
    span = _write(call, run, release, status=ToolCall.Status.FATAL, reason=EXHAUSTED, now=now)
    call.status, call.reason, call.done = ToolCall.Status.FATAL, EXHAUSTED, True
    call.settled_at, call.result = call.settled_at or now, span
    call.save(update_fields=["status", "reason", "done", "settled_at", "result"])


def _write(
    call: ToolCall,
    run: Run,
    release: CompiledRelease,
    *,
    status: str,
    reason: str,
    now: datetime,
) -> Span:
    return write_span(
        run=run,
        name=Span.Name.RESULT,
        now=now,
        selection_id=call.selection_id,
        tool=release.position(call.tool),
        call=call.uid,
        status=status,
        reason=reason,
        attempt=call.attempt,
        route=run.route,
        source=run.source,
    )
