"""API keys: one belongs to one agent or environment, and narrows what that agent may do."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _

from catalog.access import NEEDS, Action
from catalog.models import Catalog, Membership

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class ApiKeyQuerySet(models.QuerySet["ApiKey"]):
    """Reads of keys."""

    def usable(self, *, now: datetime) -> "ApiKeyQuerySet":
        """Keep the keys that are neither revoked nor expired."""
        return self.filter(Q(expires_at=None) | Q(expires_at__gt=now), revoked_at=None)

    def managed_by(self, user: "User") -> "ApiKeyQuerySet":
        """Keep the keys that a person may see and end: those whose every catalog they administer.

        A key of every catalog, or of one that is gone, is a superuser's.
        """
        if user.is_superuser:
            return self
        role = NEEDS[Action.KEYS]
        own = Membership.objects.filter(user=user, role__gte=role).values("catalog")
        reached = ApiKey.catalogs.through.objects.filter(apikey=OuterRef("pk"))
        foreign = reached.exclude(catalog__in=own)
        return self.filter(Exists(reached), ~Exists(foreign), all_catalogs=False)


class ApiKey(models.Model):
    """What a bearer may do. The key itself is shown once and kept as a hash."""

    class Action(models.TextChoices):
        SELECT = "select", _("select: selections, expansions, runs")
        PROPOSE = "propose", _("propose: calls, results, outcomes")
        READ = "read", _("read: catalogs and runs")
        INGEST = "ingest", _("ingest: traces")
        TEST = "test", _("test: runs that try out a case and count nowhere")

    name = models.CharField(_("name"), max_length=100)
    prefix = models.CharField(max_length=16)
    digest = models.CharField(max_length=64, unique=True)
    all_catalogs = models.BooleanField(_("every catalog"), default=False)
    catalogs = models.ManyToManyField(
        Catalog, verbose_name=_("catalogs"), related_name="api_keys", blank=True
    )
    actions = models.JSONField(_("actions"), default=list)
    routes = models.JSONField(
        _("routes"), default=list, blank=True, help_text=_("None named: every route.")
    )
    scopes = models.JSONField(_("scopes"), default=list, blank=True)
    budget = models.JSONField(
        _("ceilings of a run"),
        default=dict,
        blank=True,
        help_text=_("calls, tokens, cost and seconds; none named: none."),
    )
    rate_limit = models.PositiveIntegerField(
        _("requests a minute"), null=True, blank=True, help_text=_("Empty: no limit.")
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True)
    revoked_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True)

    objects = ApiKeyQuerySet.as_manager()

    class Meta:
        ordering = ["name", "id"]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    def ceilings(self) -> list[str]:
        """Return the ceilings of its runs as people read them."""
        said = {
            "calls": _("%(amount)s calls"),
            "tokens": _("%(amount)s tokens"),
            "cost": _("%(amount)s USD"),
            "seconds": _("%(amount)s seconds"),
        }
        return [
            text % {"amount": number_format(self.budget[kind], force_grouping=True)}
            for kind, text in said.items()
            if self.budget.get(kind) is not None
        ]


class RateWindow(models.Model):
    """How many requests of a key were let through in one minute, all processes together.

    ``minute`` is whole minutes since 1970.
    """

    key = models.ForeignKey(ApiKey, models.CASCADE, related_name="+", db_index=False)
    minute = models.IntegerField()
    taken = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["key", "minute"], name="rate_window_once_a_minute"),
        ]

    def __str__(self) -> str:
        return f"{self.key_id}: {self.taken}"
