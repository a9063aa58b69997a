"""What an idempotency key that stands for a call already answers."""

from datetime import datetime, timedelta

from django.db.models import QuerySet

from routing.call_answers import CallAnswer, recorded_result
from routing.fetching import Fetch
from routing.grounds import Grounds
from routing.models import Run, Span, ToolCall
from routing.policy.leases import Bound, Step, next_step
from routing.policy.rules import Proposal, ToolRules
from routing.policy.types import Verdict
from routing.services.settling import exhaust


class KeyConflict(Exception):
    """The idempotency key stands for another call of the run."""


class AttemptOut(Exception):
    """An attempt of the call is out; ``seconds`` until its time is over, at least one."""

    def __init__(self, *, until: datetime, now: datetime) -> None:
        super().__init__("An attempt of this call is out; its time is not over yet.")
        self.seconds = max(1, -(-(until - now) // timedelta(seconds=1)))


def bound_call(*, run: Run, idempotency_key: str | None) -> ToolCall | None:
    """Return the call that a key of a run stands for."""
    if idempotency_key is None:
        return None
    return _BOUND.first(run=run.pk, key=idempotency_key)


def _bound(*, run: int, key: str) -> "QuerySet[ToolCall]":
    return ToolCall.objects.filter(run_id=run, idempotency_key=key)


_BOUND = Fetch(_bound, run=int, key=str)


def ended_call(
    *, grounds: Grounds, proposal: Proposal, call: ToolCall, now: datetime
) -> CallAnswer | None:
    """Return the answer of a call that has ended; ``None`` where there is another attempt.

    Raises ``KeyConflict`` and ``AttemptOut``.
    """
    tool = proposal.tool
    bound = Bound(
        tool=call.tool,
        arguments_sha256=call.arguments_sha256,
        attempt=call.attempt,
        leased_until=call.leased_until,
        status=call.status,
    )
    step = next_step(
        bound,
        tool=tool.name if tool else "",
        arguments_sha256=proposal.arguments.sha256,
        max_attempts=tool.max_attempts if tool else 0,
        now=now,
    )
    if step is Step.CONFLICT or tool is None:
        raise KeyConflict(
            f"This idempotency_key stands for another call of the run, of {call.tool}: each call "
            "has a key of its own."
        )
    if step is Step.WAIT:
        raise AttemptOut(until=call.leased_until, now=now)
    if step is Step.RETRY:
        return None
    if step is Step.EXHAUSTED:
        exhaust(call=call, run=grounds.run, tool=tool, release=grounds.release, now=now)
    return _replay(grounds, tool, call)


def _replay(grounds: Grounds, tool: ToolRules, call: ToolCall) -> CallAnswer:
    span = Span.objects.select_related("text").get(pk=call.result_id or 0)
    return CallAnswer(
        id=call.uid,
        run_id=grounds.run.run_id,
        tool=tool,
        decision=Verdict.ALLOWED,
        details={},
        attempt=call.attempt,
        result=recorded_result(
            span=span, call=call.uid, tool=tool, format_name=grounds.selection.format
        ),
    )
