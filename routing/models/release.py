"""Releases, and the labels that point to them."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from catalog.models import Catalog, CatalogVersion

LIVE = "live"


class Release(models.Model):
    """A version with what turns it into answers: immutable, counted per catalog."""

    catalog = models.ForeignKey(Catalog, models.CASCADE, related_name="releases")
    number = models.PositiveIntegerField()
    version = models.ForeignKey(CatalogVersion, models.CASCADE, related_name="releases")
    encoder = models.CharField(max_length=100)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(
                fields=["catalog", "number"], name="release_number_once_a_catalog"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.version} (release {self.number})"


class LabelMoveQuerySet(models.QuerySet["LabelMove"]):
    """Reads of label moves."""

    def current(self, *, label: str = LIVE) -> "LabelMoveQuerySet":
        """Keep the moves that no other move followed: where each catalog's label is now."""
        return self.filter(label=label, following=None)


class LabelMove(models.Model):
    """A label came to point to a release: by publishing, promoting or rolling back.

    ``previous`` makes a move a compare-and-set: it names the move that its maker saw, and the
    database lets only one move follow it.
    """

    catalog = models.ForeignKey(Catalog, models.CASCADE, related_name="label_moves")
    label = models.CharField(max_length=63)
    release = models.ForeignKey(Release, models.CASCADE, related_name="label_moves")
    previous = models.OneToOneField("self", models.CASCADE, null=True, related_name="following")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    reason = models.CharField(max_length=500, blank=True)
    at = models.DateTimeField()

    objects = LabelMoveQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["catalog", "label"],
                condition=Q(previous=None),
                name="one_first_move_a_label",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.catalog}@{self.label} -> {self.release}"
