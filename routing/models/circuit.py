"""Circuits: what is switched off at once, on every process, and in no version."""

from collections.abc import Iterable

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from catalog.models import Catalog


class CircuitQuerySet(models.QuerySet["Circuit"]):
    """Reads of circuits."""

    def unclosed(self) -> "CircuitQuerySet":
        """Keep those that nobody and nothing closed; ``until`` may be over."""
        return self.filter(closed_at=None)

    def of_failures(self, catalog_id: int, targets: Iterable[tuple[str, str]]) -> "CircuitQuerySet":
        """Keep what failures opened of some circuits, each a kind and a name."""
        named = Q(pk__in=[])
        for kind, target in targets:
            named |= Q(kind=kind, target=target)
        return self.filter(named, catalog_id=catalog_id, by_hand=False)


class Circuit(models.Model):
    """One opening of a circuit; closing ends the row, which stays as the record of it.

    ``target`` is the name of a tool, capability, route or router model. One opened ``by_hand`` is
    open until ``until`` (null: until a person closes it). One opened by failure rate is half open
    from ``until`` on: one call is let through, the probe (``probe_until`` is how long it is waited
    for), and what comes of it closes the circuit or opens it for longer (``openings`` counts).
    """

    class Kind(models.TextChoices):
        TOOL = "tool", _("tool")
        CAPABILITY = "capability", _("capability")
        ROUTE = "route", _("route")
        ROUTER = "router", _("router model")

    catalog = models.ForeignKey(Catalog, models.CASCADE, related_name="circuits")
    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    target = models.CharField(_("name"), max_length=200)
    by_hand = models.BooleanField(default=False)
    reason = models.CharField(_("reason"), max_length=500)
    opened_at = models.DateTimeField()
    opened_by = models.ForeignKey("auth.User", models.SET_NULL, null=True, related_name="+")
    until = models.DateTimeField(_("until"), null=True)
    openings = models.PositiveSmallIntegerField(default=1)
    probe_until = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)
    closed_by = models.ForeignKey("auth.User", models.SET_NULL, null=True, related_name="+")

    objects = CircuitQuerySet.as_manager()

    class Meta:
        ordering = ["-opened_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["catalog", "kind", "target", "by_hand"],
                condition=Q(closed_at=None),
                name="circuit_open_once",
            ),
            models.CheckConstraint(
                name="circuit_kind_is_known",
                condition=Q(kind__in=["tool", "capability", "route", "router"]),
            ),
            models.CheckConstraint(
                name="circuit_of_failures_has_an_end", condition=Q(by_hand=True) | ~Q(until=None)
            ),
            models.CheckConstraint(
                name="circuit_until_after_opening",
                condition=Q(until=None) | Q(until__gte=F("opened_at")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.target}"
