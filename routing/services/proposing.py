"""Decide on a proposed call, and lease an attempt of it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import F

from routing.admission import RunConflict
from routing.at_hand import compiling_first
from routing.call_answers import CallAnswer
from routing.circuits import claim_probe
from routing.grounds import Grounds, grounds_of
from routing.inserting import insert
from routing.keys import note_use
from routing.models import ApiKey, Approval, Run, Span, ToolCall
from routing.policy.checks import decide
from routing.policy.rules import Proposal, ToolRules
from routing.policy.types import ApprovalState, Decision, Reason, Verdict
from routing.services.approving import (
    approval_of,
    find_approval,
    request_approval,
    state_of,
    use_approval,
    word_of,
)
from routing.services.binding import bound_call, ended_call
from routing.services.settling import time_out
from routing.spans import new_uid, write_span

_TRIES = 4
_OF_APPROVAL = frozenset({Reason.APPROVAL_REFUSED, Reason.APPROVAL_EXPIRED, Reason.NEEDS_APPROVAL})


class _Overtaken(Exception):
    """Another request changed what the decision stood on: decide again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedCall:
    """A call as a model proposes it. ``arguments`` are JSON that any database can hold."""

    tool: str
    arguments: Mapping[str, Any]
    idempotency_key: str | None = None
    approval_id: UUID | None = None
    names_approval: bool = False
    traceparent: str = ""


def propose_call(
    *, key: ApiKey, selection_id: UUID, proposed: ProposedCall, now: datetime
) -> CallAnswer:
    """Decide whether a call may be made, put that on record, and lease an attempt if it may.

    Raises ``NotFound`` and ``RunConflict``, and under a bound idempotency key ``KeyConflict`` and
    ``AttemptOut``.
    """
    for _ in range(_TRIES):
        try:
            return _propose(key=key, selection_id=selection_id, proposed=proposed, now=now)
        except (IntegrityError, _Overtaken):
            continue
    raise RunConflict("Other requests of this run were faster, again and again: try once more.")


@compiling_first
@transaction.atomic
def _propose(
    *, key: ApiKey, selection_id: UUID, proposed: ProposedCall, now: datetime
) -> CallAnswer:
    grounds = grounds_of(key=key, selection_id=selection_id)
    proposal = Proposal.read(
        grounds.release.rules,
        name=proposed.tool,
        arguments=proposed.arguments,
        idempotency_key=proposed.idempotency_key,
    )
    note_use(key=key, now=now)
    call = bound_call(run=grounds.run, idempotency_key=proposed.idempotency_key)
    if call is not None:
        ended = ended_call(grounds=grounds, proposal=proposal, call=call, now=now)
        if ended is not None:
            return ended
    return _Proposing(grounds, proposal, proposed, now).decide(call)


@dataclass(frozen=True, slots=True)
class _Proposing:
    """One proposal on its way to a decision and a record; within one transaction."""

    grounds: Grounds
    proposal: Proposal
    proposed: ProposedCall
    now: datetime

    def decide(self, call: ToolCall | None) -> CallAnswer:
        """Decide, write, and answer; ``call`` is the one whose next attempt is asked for."""
        tool, now = self.proposal.tool, self.now
        approval = self._approval(call) if tool and tool.needs_approval else None
        situation = self.grounds.situation(
            tool=tool,
            approval=word_of(
                approval, proposal=self.proposal, named=self.proposed.names_approval, now=now
            ),
            retry=call is not None,
            now=now,
        )
        decision = decide(self.proposal, situation)
        if not decision.allowed or tool is None:
            return self._turn_down(decision, approval)
        attempt = call.attempt + 1 if call else 1
        until = now + timedelta(milliseconds=tool.timeout_ms)
        # A run that tries out a case closes no circuit, and so probes none.
        probing = situation.gate.probing and not self.grounds.run.case_id
        if probing and not claim_probe(
            catalog_id=self.grounds.run.catalog_id, gate=situation.gate, until=until, now=now
        ):
            raise _Overtaken
        span = self._write(decision, uid=None, call=call, attempt=attempt)
        if call is None:
            call = self._bind(tool, span, until=until, is_probe=bool(probing))
            self._spend(situation.budget.most("calls"))
            if approval is not None and not use_approval(approval=approval, call=call, now=now):
                raise _Overtaken
        else:
            self._lease_again(call, tool, until=until, is_probe=bool(probing))
        return CallAnswer(
            id=call.uid,
            run_id=self.grounds.run.run_id,
            tool=tool,
            decision=Verdict.ALLOWED,
            details=span.details or {},
            attempt=attempt,
            arguments=dict(self.proposal.arguments.value),
            approval=approval.uid if approval else None,
        )

    def _approval(self, call: ToolCall | None) -> Approval | None:
        if call is not None:
            return approval_of(call)
        if self.proposed.names_approval and self.proposed.approval_id is None:
            return None  # what was named can be no approval's id
        return find_approval(
            grounds=self.grounds, proposal=self.proposal, named=self.proposed.approval_id
        )

    def _turn_down(self, decision: Decision, approval: Approval | None) -> CallAnswer:
        """Write a decision that does not let the call be made, and ask a person if it says so."""
        asks = decision.verdict is Verdict.NEEDS_APPROVAL
        waiting = approval is not None and state_of(approval, now=self.now) is ApprovalState.PENDING
        uid = approval.uid if approval and (waiting or not asks) else None
        if asks and uid is None:
            uid = new_uid(now=self.now)
        if decision.refusal is None or decision.refusal.reason not in _OF_APPROVAL:
            uid = None
        span = self._write(decision, uid=uid, call=None, attempt=None)
        if asks and uid is not None and not waiting:
            request_approval(
                uid=uid, grounds=self.grounds, proposal=self.proposal, span=span, now=self.now
            )
        return CallAnswer(
            id=span.uid,
            run_id=self.grounds.run.run_id,
            tool=self.proposal.tool,
            decision=decision.verdict,
            reason=span.reason,
            details=span.details or {},
            approval=uid,
        )

    def _write(
        self, decision: Decision, *, uid: UUID | None, call: ToolCall | None, attempt: int | None
    ) -> Span:
        """Write the proposal's span; ``uid`` is the approval's."""
        grounds, proposal, refusal = self.grounds, self.proposal, decision.refusal
        tool = proposal.tool
        details: dict[str, Any] = {}
        if tool is None or tool.name != proposal.name:
            details["proposed"] = proposal.name
        if refusal is not None:
            details["detail"] = refusal.detail
            if refusal.hint:
                details["hint"] = dict(refusal.hint)
            if refusal.errors:
                details["errors"] = [asdict(fault) for fault in refusal.errors]
        if uid is not None:
            details["approval"] = str(uid)
        arguments = dict(proposal.arguments.value)
        said: dict[str, Any] = {"arguments": arguments}
        if tool is not None and (traced := tool.traced(arguments)):
            said["trace_fields"] = traced
        fresh = new_uid(now=self.now)
        of_call = None
        if decision.allowed:
            of_call = call.uid if call else fresh
        return write_span(
            run=grounds.run,
            name=Span.Name.CALL,
            now=self.now,
            uid=fresh,
            words=grounds.run.keeping.kept(said),
            selection=grounds.selection,
            tool=grounds.release.position(tool.name) if tool else None,
            call=of_call,
            decision=decision.verdict.value,
            reason=refusal.reason.value if refusal else "",
            attempt=attempt,
            details=details or None,
            route=grounds.run.route,
            phase=grounds.selection.phase,
            source=grounds.selection.source,
            format=grounds.selection.format,
            traceparent=self.proposed.traceparent,
        )

    def _bind(self, tool: ToolRules, span: Span, *, until: datetime, is_probe: bool) -> ToolCall:
        """Make the call that the key stands for from now on, unless another request was first."""
        run = self.grounds.run
        call = ToolCall(
            uid=span.uid,
            run=run,
            selection=self.grounds.selection,
            catalog_id=run.catalog_id,
            key_id=run.key_id,
            tool=tool.name,
            capability=tool.capability,
            route=run.route,
            idempotency_key=self.proposed.idempotency_key,
            arguments_sha256=self.proposal.arguments.sha256,
            leased_until=until,
            is_probe=is_probe,
        )
        insert(call)
        return call

    def _spend(self, most: float | None) -> None:
        """Count one call, if the run may still make one."""
        runs = Run.objects.filter(pk=self.grounds.run.pk)
        if most is not None:
            runs = runs.filter(calls_spent__lt=most)
        if not runs.update(calls_spent=F("calls_spent") + 1):
            raise _Overtaken

    def _lease_again(
        self, call: ToolCall, tool: ToolRules, *, until: datetime, is_probe: bool
    ) -> None:
        """Lease the next attempt of a call; one of which nothing was heard has timed out."""
        if not call.status:
            time_out(
                call=call,
                run=self.grounds.run,
                tool=tool,
                release=self.grounds.release,
                now=self.now,
            )
        leased = ToolCall.objects.filter(pk=call.pk, attempt=call.attempt, done=False).update(
            attempt=call.attempt + 1,
            leased_until=until,
            status="",
            reason="",
            settled_at=None,
            is_probe=is_probe,
        )
        if not leased:
            raise _Overtaken
