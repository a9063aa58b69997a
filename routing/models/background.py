"""What the rows of work that a worker does in the background have in common."""

from typing import Self, TypeVar

from django.conf import settings
from django.db import models

CANCELLED, CRASHED, ENCODER, FAILED = "cancelled", "crashed", "encoder", "failed"
RowT = TypeVar("RowT", bound=models.Model)


class BackgroundQuerySet(models.QuerySet[RowT]):
    """Reads of work in the background."""

    def open(self) -> Self:
        """Keep what is not finished."""
        return self.filter(finished_at=None)

    def finished(self) -> Self:
        """Keep what has ended, however it did."""
        return self.filter(finished_at__isnull=False)

    def done(self) -> Self:
        """Keep what ended with a result, be it that there is nothing."""
        return self.finished().filter(problem="")


class Background(models.Model):
    """Work that a worker does with an encoder: who asked for it, how far it is, how it ended.

    ``task`` names the worker's task, ``made`` of ``total`` is done. A ``problem``, of which each
    kind has its own beside ``crashed``, ``encoder`` and ``failed``, says why it ended without a
    result, and ``detail`` more of it. ``routing.background`` says what happens to it.
    """

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
    problem = models.CharField(max_length=16, blank=True)
    detail = models.CharField(max_length=500, blank=True)

    class Meta:
        abstract = True
