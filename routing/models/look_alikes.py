"""Searches for look-alikes of a draft, and what they found."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from catalog.models import Catalog
from routing.models.background import CRASHED, FAILED, Background, BackgroundQuerySet


class LookAlikeSearch(Background):
    """A search for pairs that a task could not tell apart, in a draft as it was.

    ``sha256`` is the hash of that draft, ``made`` of ``total`` vectors and sample tasks are done,
    ``found`` are the records of ``routing.lookalikes.LookAlike``.
    """

    class Problem(models.TextChoices):
        ENCODER = "encoder", _("The vectors could not be made.")
        CRASHED = CRASHED, _("The worker was stopped in the middle of it, several times.")
        FAILED = FAILED, _("It failed; the worker's log says how.")

    catalog = models.ForeignKey(Catalog, models.CASCADE, related_name="look_alike_searches")
    sha256 = models.CharField(max_length=64)
    problem = models.CharField(max_length=16, choices=Problem, blank=True)
    found = models.JSONField(default=list)

    objects = BackgroundQuerySet["LookAlikeSearch"].as_manager()

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
