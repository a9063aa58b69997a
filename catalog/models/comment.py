"""What people say to each other about a draft before it is published."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from catalog.models.catalog import Catalog

LONGEST = 2000


class CommentQuerySet(models.QuerySet["Comment"]):
    """Reads of comments."""

    def open(self) -> "CommentQuerySet":
        """Keep those that nobody has settled."""
        return self.filter(settled_at=None)


class Comment(models.Model):
    """A remark on a draft, or on one part of it, that is open until somebody settles it.

    A part is known by its section and row, so that a new name loses no remark; ``subject`` is what
    it was called when the remark was made, for the time when the part is gone.
    """

    # The index below begins with the catalog.
    catalog = models.ForeignKey(Catalog, models.CASCADE, related_name="comments", db_index=False)
    kind = models.CharField(max_length=20, blank=True)
    row = models.PositiveBigIntegerField(null=True)
    subject = models.CharField(max_length=200, blank=True)
    text = models.TextField(_("comment"), max_length=LONGEST)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    by_name = models.CharField(max_length=150)
    at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True)
    settled_by_name = models.CharField(max_length=150, blank=True)

    objects = CommentQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["catalog", "settled_at"], name="comments_of_a_catalog")]
        constraints = [
            models.CheckConstraint(name="comment_says_something", condition=~Q(text="")),
            models.CheckConstraint(
                name="comment_is_of_a_part_or_of_all",
                condition=Q(kind="", row=None) | (~Q(kind="") & Q(row__isnull=False)),
            ),
        ]

    def __str__(self) -> str:
        return self.text[:80]
