"""Spans as the API shows them: in the words of the frozen value, with tool names for ids."""

from typing import Any

from routing.answers import offered_names
from routing.api.bodies import timestamp
from routing.api.call_spans import call_fields, result_fields
from routing.compiled import CompiledRelease
from routing.models import Span, Text

# What the columns of each kind of span are called outside, beside what all kinds have.
_ROUTE_FIELDS = (
    "proposed_groups",
    "confidence",
    "confidence_source",
    "strategy",
    "decided_by",
    "fallback",
    "failure",
    "router",
    "omitted_counts",
    "latency_us",
    "channel",
    "max_tools",
    "inclusive",
    "explored",
    "switched_off",
    "task_hash",
    "traceparent",
)


def span_value(span: Span, release: CompiledRelease) -> dict[str, Any]:
    """Return a span; fields without a value are null."""
    value: dict[str, Any] = {
        "id": str(span.uid),
        "name": span.name,
        "selection": str(span.selection.uid) if span.selection else None,
        "time": timestamp(span.time),
        "release": release.number,
        "route": span.route or None,
        "phase": span.phase or None,
        "source": span.source,
    }
    if span.name == Span.Name.OUTCOME:
        return value | {"status": span.status, "stop_reason": span.stop_reason or None}
    if span.name == Span.Name.PHASE:
        return value | (span.details or {})
    if span.name == Span.Name.CALL:
        return value | call_fields(span, release)
    if span.name == Span.Name.RESULT:
        return value | result_fields(span, release)
    value |= {
        "groups": span.groups,
        "offered": offered_names(release, span.offered, request_group=span.request_group),
        "tool_search": bool(span.tool_search),
        "tokens_selected": span.tokens_selected,
        "tokens_catalog": span.tokens_catalog,
    }
    text: Text | None = getattr(span, "text", None)
    if span.name == Span.Name.EXPAND:
        return value | {"group": span.group, "reason": (text and text.reason) or None}
    value |= {name: getattr(span, name) for name in _ROUTE_FIELDS}
    value |= {name: value[name] or None for name in ("fallback", "failure", "channel")}
    value["traceparent"] = value["traceparent"] or None
    value["near_misses"] = [
        {"tool": release.names[tool], "score": score, "reason": reason}
        for tool, score, reason in span.near_misses
    ]
    missed = None if span.tool is None else release.names[span.tool]
    return value | {
        "tool": missed,
        "task": text.task if text else None,
        "history": text.history if text else None,
    }
