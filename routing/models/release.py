"""Releases, and the labels that point to them."""

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from catalog.models import Catalog, CatalogVersion
from catalog.names import catalog_name
from routing.models.learned import FittedModel

LIVE = "live"
DRAFT = "draft"  # what a draft is tried as; no label may be called so


def label_name(value: str) -> None:
    """Refuse a name that no label may have, or that is none to be made."""
    catalog_name(value)
    if value in (LIVE, DRAFT):
        raise ValidationError(_("“%(name)s” is reserved."), code="reserved", params={"name": value})


class Release(models.Model):
    """A version with what turns it into answers: immutable, counted per catalog.

    ``calibration`` and ``classifier`` are what was learned from the catalog's own cases, if any.
    """

    catalog = models.ForeignKey(Catalog, models.CASCADE, related_name="releases")
    number = models.PositiveIntegerField()
    version = models.ForeignKey(CatalogVersion, models.CASCADE, related_name="releases")
    encoder = models.CharField(max_length=100)
    calibration = models.ForeignKey(FittedModel, models.RESTRICT, null=True, related_name="+")
    classifier = models.ForeignKey(FittedModel, models.RESTRICT, null=True, related_name="+")
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


class Label(models.Model):
    """A label that was made beside ``live``: who may move it. Where it is, its moves say.

    The row outlives the label, so that a protected name stays protected while it is away.
    """

    catalog = models.ForeignKey(Catalog, models.CASCADE, related_name="labels")
    name = models.CharField(_("name"), max_length=63, validators=[label_name])
    protected = models.BooleanField(_("protected"), default=False)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["catalog", "name"], name="label_once_a_catalog"),
            models.CheckConstraint(
                condition=~Q(name__in=[LIVE, DRAFT]), name="label_is_not_reserved"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.catalog}@{self.name}"


class LabelMoveQuerySet(models.QuerySet["LabelMove"]):
    """Reads of label moves."""

    def current(self, *, label: str | None = LIVE) -> "LabelMoveQuerySet":
        """Keep the moves that no other move followed: where each catalog's label is now.

        ``None`` asks for every label. One that was taken away is nowhere.
        """
        moves = self if label is None else self.filter(label=label)
        return moves.filter(following=None, removed=False)


class LabelMove(models.Model):
    """A label came to point to a release: by publishing, promoting or rolling back.

    ``previous`` makes a move a compare-and-set: it names the move that its maker saw, and the
    database lets only one move follow it. Taking a label away is a move too: ``removed`` is set,
    and ``release`` is what it was at. ``live`` is never taken away.
    """

    catalog = models.ForeignKey(Catalog, models.CASCADE, related_name="label_moves")
    label = models.CharField(max_length=63)
    release = models.ForeignKey(Release, models.CASCADE, related_name="label_moves")
    previous = models.OneToOneField("self", models.CASCADE, null=True, related_name="following")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    reason = models.CharField(max_length=500, blank=True)
    at = models.DateTimeField()
    removed = models.BooleanField(default=False)

    objects = LabelMoveQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["catalog", "label"],
                condition=Q(previous=None),
                name="one_first_move_a_label",
            ),
            models.CheckConstraint(
                condition=~Q(label=LIVE, removed=True), name="live_is_never_taken_away"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.catalog}@{self.label} -> {'nothing' if self.removed else self.release}"
