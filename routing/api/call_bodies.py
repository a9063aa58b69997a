"""Calls and results as the API shows them."""

from datetime import datetime
from typing import Any

from routing.api.bodies import timestamp
from routing.call_answers import CallAnswer, CallRecord, ResultAnswer
from routing.models import Approval
from routing.policy.types import Verdict
from routing.services.approving import state_of
from routing.services.simulating import SimulatedResult


def call_value(answer: CallAnswer) -> dict[str, Any]:
    """Return the body of ``POST /selections/{id}/calls``."""
    details, tool = answer.details, answer.tool
    may = tool if answer.decision == Verdict.ALLOWED else None
    return {
        "id": str(answer.id),
        "run_id": answer.run_id,
        "tool": tool.name if tool else None,
        "decision": answer.decision,
        "reason": answer.reason or None,
        "detail": details.get("detail"),
        "errors": details.get("errors", []),
        "hint": details.get("hint"),
        "approval_id": str(answer.approval) if answer.approval else None,
        "attempt": answer.attempt,
        "timeout_ms": may.timeout_ms if may else None,
        "max_attempts": may.max_attempts if may else None,
        "output_trust": may.output_trust if may else None,
        "arguments": answer.arguments,
        "result": result_value(answer.result) if answer.result else None,
    }


def record_value(record: CallRecord, *, now: datetime) -> dict[str, Any]:
    """Return the body of ``GET /calls/{id}``."""
    call, approval = record.call, record.approval
    return call_value(record.answer) | {
        "approval_id": str(approval.uid) if approval else None,
        "arguments": record.arguments,
        "selection_id": str(record.selection),
        "time": timestamp(record.time),
        "status": (call.status or None) if call else None,
        "done": call.done if call else False,
        "leased_until": timestamp(call.leased_until) if call and not call.status else None,
        "approval": approval_value(approval, now=now) if approval else None,
    }


def approval_value(approval: Approval, *, now: datetime) -> dict[str, Any]:
    """Return how a person's word on a call stands."""
    decided = approval.decided_at
    return {
        "id": str(approval.uid),
        "state": state_of(approval, now=now),
        "requested_at": timestamp(approval.requested_at),
        "expires_at": timestamp(approval.expires_at),
        "decided_at": timestamp(decided) if decided else None,
        "reason": approval.reason or None,
    }


def result_value(answer: ResultAnswer) -> dict[str, Any]:
    """Return the body of ``POST /calls/{id}/results``."""
    details = answer.details
    return {
        "call_id": str(answer.call),
        "tool": answer.tool,
        "attempt": answer.attempt,
        "status": answer.status,
        "reason": answer.reason or None,
        "data": answer.data,
        "data_kept": answer.data_kept,
        "truncated": details.get("truncated", False),
        "redacted": answer.redacted,
        "bytes": details.get("bytes"),
        "sha256": details.get("sha256"),
        "errors": details.get("errors", []),
        "evidence_ref": details.get("evidence_ref"),
        "trust": answer.trust,
        "flags": details.get("flags", []),
        "content": answer.content,
        "latency_ms": details.get("latency_ms"),
        "cost": answer.cost,
        "tokens": answer.tokens,
        "retry_after_ms": details.get("retry_after_ms"),
        "time": timestamp(answer.time),
    }


def simulation_value(answer: SimulatedResult) -> dict[str, Any]:
    """Return the body of ``POST /calls/{id}/simulation``."""
    return {
        "call_id": str(answer.call),
        "attempt": answer.attempt,
        "latency_ms": answer.latency_ms,
        "leased_until": timestamp(answer.until),
        "result": result_value(answer.result) if answer.result else None,
    }
