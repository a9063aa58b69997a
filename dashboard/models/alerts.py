"""Alerts: what a catalog changes of its rules, how each stands, what happened, who is told."""

import uuid
from datetime import datetime
from typing import Any

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from catalog.models import Catalog
from dashboard.alerts.rules import LONGEST, MOST_IN_A_ROW
from routing.signed_posts import LONGEST_ERROR

KEY_LENGTH = 40
TITLE_LENGTH = 60


class AlertRule(models.Model):
    """A rule of a catalog: one of its own, or what it says in the place of a default.

    Its ``key`` is that of the default that it stands for, or one that no default has. Without a
    row every default holds as it is in ``dashboard.alerts.rules``, which says what fields mean.
    """

    catalog = models.ForeignKey(Catalog, models.CASCADE, related_name="alert_rules")
    key = models.CharField(max_length=KEY_LENGTH)
    title = models.CharField(_("name"), max_length=TITLE_LENGTH, blank=True)
    metric = models.CharField(max_length=12)
    comparison = models.CharField(max_length=6)
    level = models.FloatField()
    clear = models.FloatField()
    window = models.PositiveSmallIntegerField(
        validators=[MinValueValidator(1), MaxValueValidator(LONGEST)]
    )
    minimum = models.PositiveIntegerField(validators=[MinValueValidator(1)])
    in_a_row = models.PositiveSmallIntegerField(
        validators=[MinValueValidator(1), MaxValueValidator(MOST_IN_A_ROW)]
    )
    enabled = models.BooleanField(default=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["catalog", "key"], name="alert_rule_key_once"),
            models.CheckConstraint(
                name="alert_rule_looks_back_and_counts",
                condition=Q(window__gte=1, window__lte=LONGEST)
                & Q(minimum__gte=1, in_a_row__gte=1, in_a_row__lte=MOST_IN_A_ROW),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.catalog_id} {self.key}"


class AlertSilenceQuerySet(models.QuerySet["AlertSilence"]):
    """Reads of silences."""

    def holding(self, *, now: datetime) -> "AlertSilenceQuerySet":
        """Keep those that are not over."""
        return self.filter(until__gt=now)


class AlertSilence(models.Model):
    """Nobody is told of a rule until a time, by whom and why; it is judged as ever."""

    catalog = models.ForeignKey(Catalog, models.CASCADE, related_name="alert_silences")
    key = models.CharField(max_length=KEY_LENGTH)
    until = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField()
    reason = models.CharField(_("reason"), max_length=500, blank=True)

    objects = AlertSilenceQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["catalog", "key"], name="alert_silence_key_once"),
        ]

    def __str__(self) -> str:
        return f"{self.key} until {self.until}"


class AlertStateQuerySet(models.QuerySet["AlertState"]):
    """Reads of states."""

    def open(self, *, now: datetime) -> "AlertStateQuerySet":
        """Keep those that fire and that nobody silenced."""
        silences = AlertSilence.objects.holding(now=now)
        own = silences.filter(catalog=OuterRef("catalog"), key=OuterRef("key"))
        return self.filter(~Exists(own), state=AlertState.State.FIRING)


class AlertState(models.Model):
    """How a rule stands: judged up to the hour ``upto``, by what it had ``seen`` then.

    ``told`` tells that receivers were told that it fires, and not yet that it is over. ``revision``
    makes every write a compare-and-set, so that of two workers one judges an hour.
    """

    class State(models.TextChoices):
        UNKNOWN = "unknown", _("too few to judge")
        OK = "ok", _("ok")
        FIRING = "firing", _("firing")

    catalog = models.ForeignKey(Catalog, models.CASCADE, related_name="alert_states")
    key = models.CharField(max_length=KEY_LENGTH)
    state = models.CharField(max_length=7, choices=State, default=State.UNKNOWN)
    streak = models.PositiveSmallIntegerField(default=0)
    since = models.DateTimeField(null=True)
    upto = models.IntegerField(null=True)
    judged_at = models.DateTimeField(null=True)
    seen: "models.JSONField[Any, Any]" = models.JSONField(null=True)
    told = models.BooleanField(default=False)
    revision = models.PositiveIntegerField(default=0)

    objects = AlertStateQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["catalog", "key"], name="alert_state_key_once"),
            models.CheckConstraint(
                name="alert_state_is_known", condition=Q(state__in=["unknown", "ok", "firing"])
            ),
        ]

    def __str__(self) -> str:
        return f"{self.key} is {self.state}"


class AlertChange(models.Model):
    """A rule came to stand otherwise. The database refuses to change a row.

    ``upto`` is the hour up to which was counted, ``rule`` the rule as it was, ``seen`` what it saw.
    ``afterwards`` marks what was worked out later, from counts of the past. ``cause`` is empty, or
    says that the rule itself was changed.
    """

    class Cause(models.TextChoices):
        COUNTS = "", _("what was counted")
        RULE = "rule", _("the rule was changed")

    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    catalog = models.ForeignKey(
        Catalog, models.CASCADE, related_name="alert_changes", db_index=False
    )
    key = models.CharField(max_length=KEY_LENGTH)
    at = models.DateTimeField()
    upto = models.IntegerField()
    before = models.CharField(max_length=7, choices=AlertState.State)
    after = models.CharField(max_length=7, choices=AlertState.State)
    cause = models.CharField(max_length=4, choices=Cause, blank=True)
    rule: "models.JSONField[Any, Any]" = models.JSONField()
    seen: "models.JSONField[Any, Any]" = models.JSONField(null=True)
    silenced = models.BooleanField(default=False)
    afterwards = models.BooleanField(default=False)

    class Meta:
        ordering = ["-at", "-id"]
        indexes = [models.Index(fields=["catalog", "-at", "-id"], name="alert_history")]
        constraints = [
            models.CheckConstraint(name="alert_change_is_one", condition=~Q(before=F("after"))),
        ]

    def __str__(self) -> str:
        return f"{self.key}: {self.before} to {self.after}"


class AlertAcknowledgement(models.Model):
    """Somebody looks after an alert since it fired this time: who, since when, and their note."""

    change = models.OneToOneField(AlertChange, models.CASCADE, related_name="acknowledgement")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField()
    note = models.CharField(_("note"), max_length=500, blank=True)

    def __str__(self) -> str:
        return f"{self.change} by {self.by}"


class AlertTarget(models.Model):
    """Where the alerts of a catalog are sent: an address that is posted to, or one of e-mail.

    A webhook has a secret, which signs; an e-mail is written in ``language``.
    """

    class Kind(models.TextChoices):
        WEBHOOK = "webhook", _("webhook")
        EMAIL = "email", _("e-mail")

    catalog = models.ForeignKey(Catalog, models.CASCADE, related_name="alert_targets")
    kind = models.CharField(max_length=7, choices=Kind)
    address = models.CharField(_("address"), max_length=500)
    secret = models.CharField(max_length=64, blank=True)
    language = models.CharField(_("language"), max_length=10, blank=True)

    class Meta:
        ordering = ["kind", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["catalog", "kind", "address"], name="alert_target_once"
            ),
            models.CheckConstraint(
                name="alert_webhook_has_a_secret",
                condition=Q(kind="email", secret="") | Q(kind="webhook") & ~Q(secret=""),
            ),
        ]

    def __str__(self) -> str:
        return self.address


class AlertDelivery(models.Model):
    """One message to one target: written with the change that it tells of, sent by the worker.

    ``next_at`` is when it is due, and empty once it was taken or given up. It is moved before each
    try, so that of two workers one sends.
    """

    class Event(models.TextChoices):
        FIRED = "alert.fired", _("fired")
        CLEARED = "alert.cleared", _("over")
        TEST = "test", _("test")

    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    target = models.ForeignKey(AlertTarget, models.CASCADE, related_name="deliveries")
    change = models.ForeignKey(AlertChange, models.CASCADE, null=True, related_name="deliveries")
    event = models.CharField(max_length=13, choices=Event)
    made_at = models.DateTimeField()
    next_at = models.DateTimeField(null=True)
    tries = models.PositiveSmallIntegerField(default=0)
    taken_at = models.DateTimeField(null=True)
    last_at = models.DateTimeField(null=True)
    last_error = models.CharField(max_length=LONGEST_ERROR, blank=True)

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(
                fields=["next_at"], name="alert_delivery_due", condition=Q(next_at__isnull=False)
            ),
        ]
        constraints = [
            models.CheckConstraint(
                name="alert_delivery_taken_is_done",
                condition=Q(taken_at=None) | Q(next_at=None),
            ),
            models.CheckConstraint(
                name="alert_delivery_tells_of_a_change",
                condition=Q(event="test", change=None) | ~Q(event="test") & Q(change__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.uid}"
