"""Calls that were allowed: what an idempotency key of a run stands for, and who holds it."""

from datetime import datetime

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from catalog.models import Catalog
from routing.models.key import ApiKey
from routing.models.run import Run
from routing.models.span import Span


class ToolCall(models.Model):
    """One allowed call, through all its attempts.

    ``uid`` is also that of the span of the proposal that was allowed first. ``status`` is empty
    while an attempt is out, which holds its lease until ``leased_until``; it then says how the last
    attempt ended. ``done`` tells that no further attempt will be granted. A call of a tool that
    only reads may come without a key, and then nothing is bound. ``result`` is the span of the last
    result. ``is_probe`` marks the one call that shows whether a circuit may close.
    """

    class Status(models.TextChoices):
        OK = "ok", _("ok")
        RETRYABLE = "retryable_error", _("error, may be retried")
        FATAL = "fatal_error", _("error, final")

    uid = models.UUIDField(unique=True)
    run = models.ForeignKey(Run, models.CASCADE, related_name="calls")
    selection = models.ForeignKey(Span, models.CASCADE, related_name="calls", db_index=False)
    catalog = models.ForeignKey(Catalog, models.CASCADE, related_name="+", db_index=False)
    key = models.ForeignKey(ApiKey, models.CASCADE, related_name="+", db_index=False)
    tool = models.CharField(max_length=128)
    capability = models.CharField(max_length=128, blank=True)
    route = models.CharField(max_length=63, blank=True)
    idempotency_key = models.CharField(max_length=200, null=True)  # noqa: DJ001 - null binds nothing
    arguments_sha256 = models.CharField(max_length=64)
    attempt = models.PositiveSmallIntegerField(default=1)
    leased_until = models.DateTimeField()
    status = models.CharField(max_length=15, choices=Status, blank=True)
    reason = models.CharField(max_length=40, blank=True)
    done = models.BooleanField(default=False)
    is_probe = models.BooleanField(default=False)
    settled_at = models.DateTimeField(null=True)
    result = models.ForeignKey(Span, models.CASCADE, null=True, related_name="+", db_index=False)

    class Meta:
        indexes = [
            # What a circuit counts when a call fails.
            models.Index(fields=["catalog", "tool", "settled_at"], name="call_by_tool_settled"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["run", "idempotency_key"], name="idempotency_key_once_a_run"
            ),
            models.CheckConstraint(
                name="call_status_is_known",
                condition=Q(status__in=["", "ok", "retryable_error", "fatal_error"]),
            ),
            models.CheckConstraint(
                name="call_has_ended_with_a_status",
                condition=Q(status="", settled_at=None)
                | (~Q(status="") & Q(settled_at__isnull=False)),
            ),
            models.CheckConstraint(
                name="call_attempts_count_from_one", condition=Q(attempt__gte=1)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tool} {self.uid}"


class ApprovalQuerySet(models.QuerySet["Approval"]):
    """Reads of approvals."""

    def waiting(self, *, now: datetime) -> "ApprovalQuerySet":
        """Keep those that a person can still decide on."""
        return self.filter(state=Approval.State.PENDING, expires_at__gt=now)

    def of_traffic(self) -> "ApprovalQuerySet":
        """Keep those that stand for something: a run that tries out a case asks nobody."""
        return self.filter(run__case_id="")

    def over(self, *, now: datetime) -> "ApprovalQuerySet":
        """Keep those that were decided on, and those that nobody decided on in time."""
        return self.exclude(state=Approval.State.PENDING, expires_at__gt=now)

    def with_grounds(self) -> "ApprovalQuerySet":
        """Read with each its run, key and task, who decided, and the call that it let pass."""
        return self.select_related(
            "run__key", "proposal__text", "proposal__selection__text", "decided_by", "used_by"
        )


class Approval(models.Model):
    """A person's word on one call: this run, this tool, exactly these arguments, once.

    ``arguments`` are what the person reads, never redacted; they are erased with the run's text,
    and once the request is over where text is not kept in full. ``expires_at`` first bounds how
    long the request waits, and after an approval how long that may be used.
    """

    class State(models.TextChoices):
        PENDING = "pending", _("waiting")
        APPROVED = "approved", _("approved")
        REFUSED = "refused", _("refused")

    uid = models.UUIDField(unique=True)
    run = models.ForeignKey(Run, models.CASCADE, related_name="approvals")
    catalog = models.ForeignKey(Catalog, models.CASCADE, related_name="approvals", db_index=False)
    proposal = models.ForeignKey(Span, models.CASCADE, related_name="+", db_index=False)
    tool = models.CharField(max_length=128)
    arguments = models.JSONField(null=True)
    arguments_sha256 = models.CharField(max_length=64)
    state = models.CharField(max_length=8, choices=State, default=State.PENDING)
    requested_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    decided_at = models.DateTimeField(null=True)
    decided_by = models.ForeignKey(
        "auth.User", models.SET_NULL, null=True, related_name="approvals"
    )
    reason = models.CharField(_("reason"), max_length=500, blank=True)
    used_by = models.OneToOneField(ToolCall, models.CASCADE, null=True, related_name="approval")

    objects = ApprovalQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["catalog", "state", "-requested_at"], name="approval_queue"),
            models.Index(fields=["run", "tool", "arguments_sha256"], name="approval_by_call"),
        ]
        constraints = [
            models.CheckConstraint(
                name="approval_state_is_known",
                condition=Q(state__in=["pending", "approved", "refused"]),
            ),
            models.CheckConstraint(
                name="approval_decided_when_not_pending",
                condition=Q(state="pending", decided_at=None)
                | (~Q(state="pending") & Q(decided_at__isnull=False)),
            ),
            models.CheckConstraint(
                name="approval_used_only_if_approved",
                condition=Q(used_by=None) | Q(state="approved"),
            ),
            models.CheckConstraint(
                name="approval_expires_after_request",
                condition=Q(expires_at__gt=F("requested_at")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tool} {self.uid}"


class Webhook(models.Model):
    """Where the approvals of a catalog are announced, signed with a secret."""

    catalog = models.OneToOneField(Catalog, models.CASCADE, related_name="webhook")
    url = models.URLField(_("address"), max_length=500)
    secret = models.CharField(max_length=64)
    last_at = models.DateTimeField(null=True)
    last_error = models.CharField(max_length=500, blank=True)

    def __str__(self) -> str:
        return self.url
