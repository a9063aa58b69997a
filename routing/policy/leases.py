"""Leases: what may be done under an idempotency key that stands for a call already."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Step(StrEnum):
    """What comes next under a bound key."""

    CONFLICT = "conflict"
    """The key stands for another tool or other arguments."""
    WAIT = "wait"
    """An attempt is out, and its time is not over."""
    REPLAY = "replay"
    """The call has ended: what was recorded is the answer, and nothing is done again."""
    RETRY = "retry"
    """The last attempt came to nothing that is final, and there is another one."""
    EXHAUSTED = "attempts_exhausted"
    """The last attempt came to nothing that is final, and it was the last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """A call as its key knows it. ``status`` is empty while an attempt is out."""

    tool: str
    arguments_sha256: str
    attempt: int
    leased_until: datetime
    status: str = ""

    def timed_out(self, *, now: datetime) -> bool:
        """Tell whether an attempt is out and nothing was heard of it in its time."""
        return not self.status and now >= self.leased_until


def next_step(
    bound: Bound, *, tool: str, arguments_sha256: str, max_attempts: int, now: datetime
) -> Step:
    """Return what a proposal under a bound key comes to."""
    if (bound.tool, bound.arguments_sha256) != (tool, arguments_sha256):
        return Step.CONFLICT
    if not bound.status and not bound.timed_out(now=now):
        return Step.WAIT
    if bound.status in {"ok", "fatal_error"}:
        return Step.REPLAY
    return Step.RETRY if bound.attempt < max_attempts else Step.EXHAUSTED
