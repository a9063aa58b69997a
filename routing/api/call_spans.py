"""Proposals and results as the spans of a run show them, beside what all spans have."""

from typing import Any

from routing.compiled import CompiledRelease
from routing.models import Span, Text


def call_fields(span: Span, release: CompiledRelease) -> dict[str, Any]:
    """Return a proposal: ``proposed`` is the name that the agent used where it is not the tool's.

    ``call`` is the id of the call that it is an attempt of, null where it was not allowed.
    """
    text: Text | None = getattr(span, "text", None)
    details = span.details or {}
    return {
        "tool": _tool(span, release),
        "proposed": details.get("proposed"),
        "call": str(span.call) if span.call else None,
        "decision": span.decision,
        "reason": span.reason or None,
        "detail": details.get("detail"),
        "errors": details.get("errors", []),
        "hint": details.get("hint"),
        "approval": details.get("approval"),
        "attempt": span.attempt,
        "traceparent": span.traceparent or None,
        "arguments": text.arguments if text else None,
        "trace_fields": text.trace_fields if text else None,
    }


def result_fields(span: Span, release: CompiledRelease) -> dict[str, Any]:
    """Return what came of an attempt; ``data`` is null where it is not kept."""
    text: Text | None = getattr(span, "text", None)
    details = span.details or {}
    return {
        "tool": _tool(span, release),
        "call": str(span.call) if span.call else None,
        "attempt": span.attempt,
        "status": span.status,
        "reason": span.reason or (text.reason if text else "") or None,
        "errors": details.get("errors", []),
        "data": text.data if text else None,
        "truncated": details.get("truncated", False),
        "bytes": details.get("bytes"),
        "sha256": details.get("sha256"),
        "trust": details.get("trust"),
        "flags": details.get("flags", []),
        "evidence_ref": details.get("evidence_ref"),
        "latency_ms": details.get("latency_ms"),
        "retry_after_ms": details.get("retry_after_ms"),
        "cost": span.cost,
        "tokens": span.tokens,
    }


def _tool(span: Span, release: CompiledRelease) -> str | None:
    return None if span.tool is None else release.names[span.tool]
