"""Put on record what came of an attempt of a call."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F

from routing.at_hand import compiling_first, release_at_hand
from routing.call_answers import MALFORMED, ResultAnswer, recorded_result, result_answer
from routing.circuits import note_result
from routing.grounds import call_of
from routing.keys import note_use
from routing.models import ApiKey, Run, Span, ToolCall
from routing.policy.arguments import canonical_sha256
from routing.policy.output import UNTRUSTED, Kept, keep
from routing.policy.rules import ToolRules
from routing.policy.suspicions import suspicions
from routing.spans import write_span

# A reason of this form is a code, and stays when words are erased.
_CODE = re.compile(r"[a-z][a-z0-9_]{0,39}")


class ResultConflict(Exception):
    """The result is of another attempt than the one that is out, or there is another result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SentResult:
    """What an agent says came of an attempt. ``cost`` is in USD.

    ``data`` and ``reason`` are text that any database can hold. ``simulated`` is how it was made,
    where the server has made it.
    """

    attempt: int
    status: str
    data: Any = None
    reason: str = ""
    evidence_ref: str = ""
    latency_ms: int | None = None
    cost: float | None = None
    tokens: int | None = None
    retry_after_ms: int | None = None
    simulated: Mapping[str, str] | None = None

    @property
    def sha256(self) -> str:
        """Return what the same result is known by when it is sent twice."""
        said = asdict(self)
        del said["simulated"]
        return canonical_sha256(said)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Judged:
    """A result as it stands after its data was looked at."""

    status: str
    reason: str
    kept: Kept | None
    details: dict[str, Any]


@compiling_first
@transaction.atomic
def record_result(
    *, key: ApiKey, call_id: UUID, sent: SentResult, most_bytes: int, now: datetime
) -> tuple[ResultAnswer, bool]:
    """Record the result of the attempt that is out, and tell whether it is new.

    The same result sent again is answered by what was recorded. Data that the tool's output schema
    does not accept makes it a fatal error; data of more than ``most_bytes`` is kept as the
    beginning of its JSON. The answer to a new result holds its data also where that is not kept:
    the agent needs it once. Raises ``NotFound`` and ``ResultConflict``.
    """
    call = call_of(key=key, call_id=call_id)
    release = release_at_hand(call.run.release_id)
    tool = release.rules.tools[call.tool]
    note_use(key=key, now=now)
    if sent.attempt != call.attempt:
        raise ResultConflict(
            f"Attempt {call.attempt} is the newest of this call; this result is of attempt "
            f"{sent.attempt}."
        )
    if call.status:
        return _recorded_before(call, tool, sent), False
    judged = _judge(tool, sent, most_bytes=most_bytes)
    span = _write(call, release.position(call.tool), sent, judged, most_bytes=most_bytes, now=now)
    final = judged.status != ToolCall.Status.RETRYABLE
    ToolCall.objects.filter(pk=call.pk).update(
        status=judged.status,
        reason=judged.reason,
        done=final or call.attempt >= tool.max_attempts,
        settled_at=now,
        result=span,
    )
    _spend(call.run, sent)
    if not call.run.case_id:  # what is tried out says nothing of how a tool does
        failed = judged.status != ToolCall.Status.OK
        note_result(call=call, failed=failed, release=release, now=now)
    answer = result_answer(
        span=span,
        call=call.uid,
        tool=tool,
        format_name=call.selection.format,
        kept=judged.kept,
        on_record=call.run.keeps_text,
        words=sent.reason,
    )
    return answer, True


def _recorded_before(call: ToolCall, tool: ToolRules, sent: SentResult) -> ResultAnswer:
    result = call.result_id and Span.objects.select_related("text").get(pk=call.result_id)
    if not result or (result.details or {}).get("sent") != sent.sha256:
        raise ResultConflict(f"Attempt {call.attempt} of this call has ended with another result.")
    return recorded_result(span=result, call=call.uid, tool=tool, format_name=call.selection.format)


def _judge(tool: ToolRules, sent: SentResult, *, most_bytes: int) -> _Judged:
    status, reason = sent.status, sent.reason if _CODE.fullmatch(sent.reason) else ""
    details: dict[str, Any] = {"sent": sent.sha256, "trust": tool.output_trust}
    ok = status == ToolCall.Status.OK
    if ok and (faults := tool.output_faults(sent.data)):
        status, reason = ToolCall.Status.FATAL, MALFORMED
        details["errors"] = [asdict(fault) for fault in faults]
    kept = None
    if ok or sent.data is not None:
        kept = keep(sent.data, most_bytes=most_bytes)
        details |= {"sha256": kept.sha256, "bytes": kept.bytes}
        if kept.truncated:
            details["truncated"] = True
    if tool.output_trust == UNTRUSTED and (flags := suspicions([sent.data, sent.reason])):
        details["flags"] = list(flags)
    for name in ("evidence_ref", "latency_ms", "retry_after_ms", "simulated"):
        if (value := getattr(sent, name)) not in (None, ""):
            details[name] = value
    return _Judged(status=status, reason=reason, kept=kept, details=details)


def _write(
    call: ToolCall,
    position: int,
    sent: SentResult,
    judged: _Judged,
    *,
    most_bytes: int,
    now: datetime,
) -> Span:
    run, kept = call.run, judged.kept
    data = kept.data if kept else None
    if kept and kept.truncated and run.keeping.redactions:
        # Cut only then: of half a number nobody can tell what it was.
        data = keep(run.keeping.value(sent.data), most_bytes=most_bytes).data
    words = run.keeping.kept({"reason": sent.reason, "data": data})
    details = judged.details
    if words and kept and words["data"] != kept.data:
        details = details | {"redacted": True}
    return write_span(
        run=run,
        name=Span.Name.RESULT,
        now=now,
        words=words,
        selection=call.selection,
        tool=position,
        call=call.uid,
        status=judged.status,
        reason=judged.reason,
        attempt=call.attempt,
        cost=sent.cost,
        tokens=sent.tokens,
        latency_us=(sent.latency_ms or 0) * 1000,
        details=details,
        route=run.route,
        phase=call.selection.phase,
        source=call.selection.source,
        format=call.selection.format,
    )


def _spend(run: Run, sent: SentResult) -> None:
    if sent.cost or sent.tokens:
        Run.objects.filter(pk=run.pk).update(
            tokens_spent=F("tokens_spent") + (sent.tokens or 0),
            cost_spent=F("cost_spent") + (sent.cost or 0),
        )
