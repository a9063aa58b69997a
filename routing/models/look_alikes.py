"""Searches for look-alikes of a draft, and what they found."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from catalog.models import Catalog


class LookAlikeSearchQuerySet(models.QuerySet["LookAlikeSearch"]):
    """Reads of searches."""

    def open(self) -> "LookAlikeSearchQuerySet":
        """Keep those that are not finished."""
        return self.filter(finished_at=None)

    def done(self) -> "LookAlikeSearchQuerySet":
        """Keep those that found what there is, be it nothing."""
        return self.filter(finished_at__isnull=False, problem="")


class LookAlikeSearch(models.Model):
    """A search for pairs that a task could not tell apart, in a draft as it was.

    ``sha256`` is the hash of that draft, ``made`` of ``total`` vectors and sample tasks are done,
    ``found`` are the records of ``routing.lookalikes.LookAlike``.
    """

    class Problem(models.TextChoices):
        ENCODER = "encoder", _("The vectors could not be made.")
        CRASHED = "crashed", _("The worker was stopped in the middle of it, several times.")
        FAILED = "failed", _("It failed; the worker's log says how.")

    catalog = models.ForeignKey(Catalog, models.CASCADE, related_name="look_alike_searches")
    sha256 = models.CharField(max_length=64)
    encoder = models.CharField(max_length=100)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    asked_at = models.DateTimeField()
    task = models.CharField(max_length=64, blank=True)
    attempts = models.PositiveIntegerField(default=0)
    made = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    finished_at = models.DateTimeField(null=True)
    problem = models.CharField(max_length=16, choices=Problem, blank=True)
    detail = models.CharField(max_length=500, blank=True)
    found = models.JSONField(default=list)

    objects = LookAlikeSearchQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["catalog"],
                condition=Q(finished_at=None),
                name="one_open_look_alike_search",
            ),
            models.CheckConstraint(
                name="no_more_looked_at_than_there_is", condition=Q(made__lte=F("total"))
            ),
        ]

    def __str__(self) -> str:
        return f"look-alikes of {self.catalog}: {self.made} of {self.total}"
