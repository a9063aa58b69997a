"""A tool to decide on, and a proposal that everything is wrong with."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from routing.policy.circuits import Gate, Opening
from routing.policy.rules import Proposal, Rulebook
from routing.policy.types import Situation

NOW = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)
TOOL: Mapping[str, Any] = {
    "name": "pay",
    "aliases": ["settle"],
    "enabled": True,
    "side_effect": "write",
    "capability": "billing.pay",
    "scopes": ["billing:pay"],
    "needs_approval": True,
    "timeout_ms": 1000,
    "max_attempts": 3,
    "output_trust": "trusted_system",
    "trace_fields": ["bill"],
    "input_schema": {
        "type": "object",
        "properties": {"bill": {"type": "string"}, "note": {"type": "string"}},
        "required": ["bill"],
        "additionalProperties": False,
    },
    "output_schema": None,
}
OPEN = Gate(stopped_by=Opening(pk=1, kind="tool", target="pay", by_hand=True))


def rulebook(**changes: Any) -> Rulebook:
    """Return the rules of a release with one tool."""
    return Rulebook.of({"tools": [{**TOOL, **changes}]}, ref="shop@1")


def proposal(
    name: str = "pay",
    arguments: Mapping[str, Any] | None = None,
    *,
    key: str | None = "k",
    rules: Rulebook | None = None,
) -> Proposal:
    """Return a proposal that is well formed unless told otherwise."""
    return Proposal.read(
        rules or rulebook(),
        name=name,
        arguments={"bill": "b1"} if arguments is None else arguments,
        idempotency_key=key,
    )


def situation(**changes: Any) -> Situation:
    """Return a situation in which nothing but an approval is missing."""
    known: dict[str, Any] = {
        "now": NOW,
        "route": "desk",
        "on_route": frozenset(["pay"]),
        "offered": frozenset(["pay"]),
        "scopes": frozenset(["billing:pay"]),
    }
    return Situation(**(known | changes))
