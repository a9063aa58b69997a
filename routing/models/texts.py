"""What becomes of words that are stored already: a changed setting, and their age."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from catalog.models import Catalog


class TextSweep(models.Model):
    """A catalog's setting, applied to words that were kept before it: as it was when asked for.

    ``nothing`` is to stay of them, or what ``redactions`` leave. Up to the span ``place`` it is
    done: it ``looked`` at so many texts, of which so many ``changed``.
    """

    catalog = models.ForeignKey(Catalog, models.CASCADE, related_name="text_sweeps")
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    asked_at = models.DateTimeField()
    nothing = models.BooleanField(default=False)
    redactions = models.TextField(blank=True)
    place = models.BigIntegerField(default=0)
    looked = models.PositiveBigIntegerField(default=0)
    changed = models.PositiveBigIntegerField(default=0)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["catalog"], condition=Q(finished_at=None), name="one_open_text_sweep"
            ),
        ]

    def __str__(self) -> str:
        return f"text of {self.catalog}: {self.changed} of {self.looked} changed"


class TextAge(models.Model):
    """Up to when the words of a catalog's runs are erased for their age.

    ``upto`` is how far that goes, ever; ``place`` how far it is with the ``days`` of now, and
    ``looked_at`` when that was last complete, or these days were seen for the first time.
    """

    catalog = models.OneToOneField(Catalog, models.CASCADE, related_name="text_age")
    upto = models.DateTimeField()
    place = models.DateTimeField()
    days = models.PositiveIntegerField(null=True)
    looked_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"text of {self.catalog} erased up to {self.upto}"
