"""What the newest calls of a circuit came to, counted from the calls on record."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from routing.models import Circuit, ToolCall
from routing.policy.circuits import CAPABILITY, LIMITS, ROUTE

MOST_COUNTED = 200
"""A circuit looks at so many of its newest calls: a count takes no longer on a busy day."""


@dataclass(frozen=True, slots=True)
class Count:
    """Calls of the window; ``tools`` is how many tools failed."""

    settled: int
    failed: int
    tools: int


def count_calls(
    *, catalog_id: int, kind: str, target: str, tools: Sequence[str], now: datetime
) -> Count:
    """Count the settled calls of a circuit, and those whose time ran out; three reads.

    What happened before the circuit was last closed does not count, nor do the calls of runs that
    try out a case. ``tools`` are the circuit's:
    the index is by tool.
    """
    since = _last_closed(catalog_id, kind, target, now=now) or now - LIMITS.window
    calls = ToolCall.objects.filter(catalog_id=catalog_id, tool__in=tools, run__case_id="")
    if kind in {CAPABILITY, ROUTE}:
        calls = calls.filter(**{kind: target})
    settled = calls.filter(settled_at__gt=since, settled_at__lte=now).order_by("-settled_at")
    lost = calls.filter(settled_at=None, leased_until__gt=since, leased_until__lte=now)
    outcomes = [
        (tool, status != ToolCall.Status.OK)
        for tool, status in settled.values_list("tool", "status")[:MOST_COUNTED]
    ]
    outcomes += [(tool, True) for tool in lost.values_list("tool", flat=True)[:MOST_COUNTED]]
    failures = [tool for tool, failed in outcomes if failed]
    return Count(settled=len(outcomes), failed=len(failures), tools=len(set(failures)))


def _last_closed(catalog_id: int, kind: str, target: str, *, now: datetime) -> datetime | None:
    """Return when the circuit was last closed after failures, if within the window."""
    ended = Circuit.objects.of_failures(catalog_id, [(kind, target)])
    within = ended.filter(closed_at__gt=now - LIMITS.window)
    return within.order_by("-closed_at").values_list("closed_at", flat=True).first()
