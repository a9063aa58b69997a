"""What was learned from a catalog's reviewed cases, the work of learning, and its setting."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from catalog.models import Catalog
from routing.models.background import CANCELLED, CRASHED, FAILED, Background, BackgroundQuerySet


class FittedModel(models.Model):
    """Numbers that were fitted to cases, frozen: releases name them.

    ``content`` is canonical bytes of a ``format`` of their ``kind``, compressed by zlib; ``sha256``
    is over the bytes before that. No words of any task are in it.
    """

    class Kind(models.TextChoices):
        CALIBRATION = "calibration", _("calibration")
        CLASSIFIER = "classifier", _("classifier")

    catalog = models.ForeignKey(Catalog, models.CASCADE, related_name="fitted_models")
    kind = models.CharField(max_length=16, choices=Kind)
    format = models.PositiveSmallIntegerField()
    sha256 = models.CharField(max_length=64)
    content = models.BinaryField()
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["catalog", "kind", "sha256"], name="fitted_model_once_a_catalog"
            ),
            models.CheckConstraint(
                name="fitted_model_kind_is_known",
                condition=Q(kind__in=["calibration", "classifier"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.sha256[:12]} of {self.catalog}"


class LearningSetting(models.Model):
    """What a catalog learns from: ``datasets`` by name, all for none; whether publishing does."""

    catalog = models.OneToOneField(Catalog, models.CASCADE, related_name="learning_setting")
    datasets = models.JSONField(default=list, blank=True)
    on_publish = models.BooleanField(_("learn when a version goes live"), default=False)

    def __str__(self) -> str:
        return f"learning of {self.catalog}"


class Fit(Background):
    """A catalog learns from its reviewed cases, for the release that ``live`` was at by ``base``.

    ``datasets`` are those learned from, by name, all for none. ``report`` says what was measured on
    cases that were held out and why each part was taken or not, as ``routing.learned.reporting``
    has it. ``release`` is what came of it; there is none where nothing was better. It is not live
    where the gate of the catalog kept it.
    """

    class Problem(models.TextChoices):
        ENCODER = "encoder", _("The vectors could not be made.")
        STALE_BASE = "stale_base", _("Somebody published or rolled back meanwhile.")
        CANCELLED = CANCELLED, _("It was cancelled.")
        CRASHED = CRASHED, _("The worker was stopped in the middle of it, several times.")
        FAILED = FAILED, _("It failed; the worker's log says how.")

    catalog = models.ForeignKey(Catalog, models.CASCADE, related_name="fits")
    number = models.PositiveIntegerField()
    datasets = models.JSONField(default=list)
    base = models.BigIntegerField()
    on_publish = models.BooleanField(default=False)
    seed = models.PositiveIntegerField(default=0)
    problem = models.CharField(max_length=16, choices=Problem, blank=True)
    report = models.JSONField(default=dict)
    release = models.ForeignKey("Release", models.CASCADE, null=True, related_name="fits")

    objects = BackgroundQuerySet["Fit"].as_manager()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["catalog", "number"], name="fit_number_once"),
            models.UniqueConstraint(
                fields=["catalog"], condition=Q(finished_at=None), name="one_open_fit"
            ),
            models.CheckConstraint(
                name="no_more_fitted_than_there_is", condition=Q(made__lte=F("total"))
            ),
        ]

    def __str__(self) -> str:
        return f"fit {self.number} of {self.catalog}"
