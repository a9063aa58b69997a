"""Approvals as people meet them: the queue of a catalog, and a person's word on one call."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q

from catalog.models import Catalog
from catalog.recording import note_deed
from routing.compiled import compiled_release
from routing.models import Approval
from routing.policy.types import ApprovalState
from routing.services.approving import state_of


class Undecidable(Exception):
    """An approval cannot be decided on so; ``approval`` is how it stands now."""

    def __init__(self, approval: Approval) -> None:
        super().__init__(str(approval))
        self.approval = approval


class AlreadyDecided(Undecidable):
    """Somebody decided before."""


class TooLate(Undecidable):
    """Nobody decided in time."""


class ArgumentsErased(Undecidable):
    """Nobody can say yes to what nobody can read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request for approval with what a person needs to know to decide on it.

    ``tool`` is as the release's document has it. ``task`` is ``None`` where it is not kept.
    ``on_record`` are the arguments as the run's text has them: redacted, where the catalog says so.
    """

    approval: Approval
    state: ApprovalState
    tool: Mapping[str, Any]
    ref: str
    task: str | None
    on_record: Any = None

    @property
    def arguments(self) -> Any:
        """Return the very arguments, which alone are decided on, and later what is kept of them."""
        if self.is_waiting or self.approval.arguments is not None:
            return self.approval.arguments
        return self.on_record

    @property
    def is_waiting(self) -> bool:
        """Tell whether it can be decided on."""
        return self.state is ApprovalState.PENDING

    @property
    def is_destructive(self) -> bool:
        """Tell whether a yes is to be said twice."""
        return bool(self.tool["side_effect"] == "destructive")

    @property
    def can_be_approved(self) -> bool:
        """Tell whether there is anything to say yes to."""
        return self.is_waiting and self.approval.arguments is not None


def waiting_requests(*, catalog: Catalog, now: datetime, most: int) -> list[Request]:
    """Return what waits for a person in a catalog, the oldest first. One read."""
    rows = Approval.objects.waiting(now=now).of_traffic().filter(catalog=catalog).with_grounds()
    return [request_of(row, now=now) for row in rows.order_by("requested_at", "id")[:most]]


def request_of(approval: Approval, *, now: datetime) -> Request:
    """Return an approval that was read ``with_grounds`` with what it is about.

    Costs no query once its release is compiled in this process.
    """
    release = compiled_release(approval.run.release_id)
    selection = approval.proposal.selection
    text = getattr(selection, "text", None)
    proposed = getattr(approval.proposal, "text", None)
    return Request(
        approval=approval,
        state=state_of(approval, now=now),
        tool=release.rules.tools[approval.tool].tool,
        ref=release.ref,
        task=text.task if text else None,
        on_record=proposed.arguments if proposed else None,
    )


def decide_approval(
    *, approval: Approval, user: User, approve: bool, reason: str, now: datetime
) -> Approval:
    """Put a person's word on record, and return the approval as it stands with it.

    Of two people at once one decides, and the other is told. An approved one may be used for
    ``APPROVAL_LASTS`` seconds from now on. Raises ``AlreadyDecided``, ``TooLate`` and
    ``ArgumentsErased``.
    """
    fields: dict[str, Any] = {
        "state": Approval.State.APPROVED if approve else Approval.State.REFUSED,
        "decided_at": now,
        "decided_by": user,
        "reason": reason,
    }
    rows = Approval.objects.waiting(now=now).filter(pk=approval.pk)
    if approve:
        rows = rows.filter(arguments__isnull=False)
        fields["expires_at"] = now + timedelta(seconds=settings.APPROVAL_LASTS)
    with transaction.atomic():
        decided = rows.update(**fields)
        current = Approval.objects.with_grounds().get(pk=approval.pk)
        if decided:
            note_deed(
                catalog=current.catalog,
                action="approve" if approve else "refuse",
                kind="approvals",
                subject=current.tool,
                after={"run": current.run.run_id},
                note=reason,
                by=user,
                now=now,
            )
            return current
    if current.state != Approval.State.PENDING:
        raise AlreadyDecided(current)
    if current.expires_at <= now:
        raise TooLate(current)
    raise ArgumentsErased(current)


def forget_arguments(*, now: datetime) -> int:
    """Erase the arguments of requests that are over, where text is not kept whole; return how many.

    They were kept only for a person to decide on; what is approved is known again by its hash. What
    a catalog that redacts keeps of them stands in the run's text.
    """
    whole = Q(catalog__keep_text=True, catalog__redact_text=False)
    unkept = ~whole | Q(run__text_erased_at__isnull=False)
    over = Approval.objects.over(now=now).filter(unkept, arguments__isnull=False)
    return over.update(arguments=None)
