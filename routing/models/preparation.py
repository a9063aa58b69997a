"""What the worker makes ready for a catalog, and how far it is; and the sign of life of workers."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from catalog.models import Catalog
from routing.models.background import CRASHED, FAILED, Background, BackgroundQuerySet
from routing.models.release import LIVE, Release


class Preparation(Background):
    """Vectors that are made in the background, and the move of a label that follows.

    ``base`` and ``reviewed`` are what its asker saw: the label's move and the hash of the draft (or
    of the version, where only the encoder changes). ``made`` of ``total`` texts have their vector.
    """

    class Kind(models.TextChoices):
        PUBLISH = "publish", _("publish")
        ENCODER = "encoder", _("new encoder")

    class Problem(models.TextChoices):
        STALE_BASE = "stale_base", _("Somebody published or rolled back meanwhile.")
        STALE_DRAFT = "stale_draft", _("The draft was changed meanwhile.")
        DRAFT = "draft", _("The draft has problems now.")
        ENCODER = "encoder", _("The vectors could not be made.")
        GATE = "gate", _("The gate does not let it pass.")
        CRASHED = CRASHED, _("The worker was stopped in the middle of it, several times.")
        FAILED = FAILED, _("It failed; the worker's log says how.")

    catalog = models.ForeignKey(Catalog, models.CASCADE, related_name="preparations")
    kind = models.CharField(max_length=16, choices=Kind)
    label = models.CharField(max_length=63, default=LIVE)
    base = models.BigIntegerField(null=True)
    reviewed = models.CharField(max_length=64)
    note = models.CharField(max_length=500, blank=True)
    problem = models.CharField(max_length=16, choices=Problem, blank=True)
    release = models.ForeignKey(Release, models.CASCADE, null=True, related_name="+")

    objects = BackgroundQuerySet["Preparation"].as_manager()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["catalog", "kind"],
                condition=Q(finished_at=None),
                name="one_open_preparation_a_kind",
            ),
            models.CheckConstraint(
                name="no_more_made_than_there_are", condition=Q(made__lte=models.F("total"))
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.catalog}: {self.made} of {self.total}"


class WorkerBeat(models.Model):
    """A background worker that is up: it says so every few seconds."""

    name = models.CharField(max_length=100, unique=True)
    started_at = models.DateTimeField()
    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name
