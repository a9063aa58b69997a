"""Approvals as a proposal meets them: found, asked for, and used once.

A person's decision is ``routing.approvals``; nothing here says yes.
"""

from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings

from routing.grounds import Grounds
from routing.jobs import announce_request
from routing.models import Approval, Span, ToolCall
from routing.policy import types
from routing.policy.rules import Proposal
from routing.policy.types import ApprovalState


def find_approval(*, grounds: Grounds, proposal: Proposal, named: UUID | None) -> Approval | None:
    """Return the approval that was named, if it is of this run, or else the newest of the call."""
    if proposal.tool is None:
        return None
    of_run = Approval.objects.filter(run_id=grounds.run.pk)
    if named is not None:
        return of_run.filter(uid=named).first()
    of_call = of_run.filter(tool=proposal.tool.name, arguments_sha256=proposal.arguments.sha256)
    return of_call.order_by("-id").first()


def approval_of(call: ToolCall) -> Approval | None:
    """Return the approval that let a call pass: its further attempts come with it too."""
    return Approval.objects.filter(used_by=call).first()


def word_of(
    approval: Approval | None, *, proposal: Proposal, named: bool, now: datetime
) -> types.Approval | None:
    """Return what an approval says of a proposal: one of another call says that it is foreign."""
    if approval is None:
        return types.Approval(state=ApprovalState.FOREIGN, named=True) if named else None
    tool = proposal.tool.name if proposal.tool else ""
    if (approval.tool, approval.arguments_sha256) != (tool, proposal.arguments.sha256):
        return types.Approval(state=ApprovalState.FOREIGN, named=True)
    return types.Approval(state=state_of(approval, now=now), named=named, reason=approval.reason)


def state_of(approval: Approval, *, now: datetime) -> ApprovalState:
    """Return how an approval stands at a time."""
    if approval.used_by_id is not None:
        return ApprovalState.USED
    if approval.state == Approval.State.REFUSED:
        return ApprovalState.REFUSED
    if approval.expires_at <= now:
        return ApprovalState.EXPIRED
    if approval.state == Approval.State.APPROVED:
        return ApprovalState.APPROVED
    return ApprovalState.PENDING


def request_approval(
    *, uid: UUID, grounds: Grounds, proposal: Proposal, span: Span, now: datetime
) -> Approval:
    """Put a call into the queue of those that a person decides on.

    One of a run that tries out a case waits there unseen: nobody is to be bothered with it.

    Its arguments are kept also where a catalog keeps no text, and whole where it redacts, until the
    request is over: nobody can decide on what they cannot read.
    """
    if proposal.tool is None:
        raise ValueError("A tool that there is not needs no approval.")
    approval = Approval.objects.create(
        uid=uid,
        run=grounds.run,
        catalog_id=grounds.run.catalog_id,
        proposal=span,
        tool=proposal.tool.name,
        arguments=dict(proposal.arguments.value),
        arguments_sha256=proposal.arguments.sha256,
        requested_at=now,
        expires_at=now + timedelta(seconds=settings.APPROVAL_WAITS),
    )
    if not grounds.run.case_id:
        announce_request(approval)
    return approval


def use_approval(*, approval: Approval, call: ToolCall, now: datetime) -> bool:
    """Use an approval for a call; false where another call was first, or its time is over."""
    usable = Approval.objects.filter(
        pk=approval.pk, state=Approval.State.APPROVED, used_by=None, expires_at__gt=now
    )
    return bool(usable.update(used_by=call))
