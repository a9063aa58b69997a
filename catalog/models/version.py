"""What publishing makes: frozen documents, and the revisions of the tools in them."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import connection, models
from django.db.models import OuterRef, Subquery
from django.utils.translation import gettext_lazy as _

from catalog.document import parse
from catalog.models.catalog import Catalog


class CatalogVersion(models.Model):
    """A frozen catalog. The database refuses to change one (see the first migration)."""

    catalog = models.ForeignKey(Catalog, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField(_("number"))
    document = models.BinaryField(help_text=_("The canonical bytes that sha256 is over."))
    sha256 = models.CharField(max_length=64)
    note = models.CharField(_("note"), max_length=500, blank=True)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(
                fields=["catalog", "number"], name="version_number_once_a_catalog"
            ),
            models.CheckConstraint(
                name="version_number_starts_at_one", condition=models.Q(number__gte=1)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.catalog.name}@{self.number}"

    def parsed(self) -> dict[str, Any]:
        """Return the document as a value, in the shape of document.schema.json."""
        return parse(bytes(self.document))


class ToolRevisionQuerySet(models.QuerySet["ToolRevision"]):
    """Reads of revisions."""

    def newest(self) -> "ToolRevisionQuerySet":
        """Keep the newest revision of every tool that a catalog ever published."""
        newest = (
            ToolRevision.objects.filter(catalog=OuterRef("catalog"), name=OuterRef("name"))
            .order_by("-revision")
            .values("revision")
        )
        return self.filter(revision=Subquery(newest[:1])).order_by("name")

    def keep(
        self, revisions: Iterable[tuple[str, int, bytes, str]], *, catalog: Catalog, now: datetime
    ) -> None:
        """Add revisions: name, number, content and hash of each.

        By one statement that is written once: the first publish of a large catalog adds thousands.
        """
        at = connection.ops.adapt_datetimefield_value(now)
        with connection.cursor() as cursor:
            cursor.executemany(
                "INSERT INTO catalog_toolrevision"
                " (catalog_id, name, revision, content, sha256, created_at)"
                " VALUES (%s, %s, %s, %s, %s, %s)",
                [(catalog.pk, *revision, at) for revision in revisions],
            )


class ToolRevision(models.Model):
    """The content of a tool at one of its revisions; the number rises when the content changes."""

    catalog = models.ForeignKey(Catalog, models.CASCADE, related_name="tool_revisions")
    name = models.CharField(max_length=64)
    revision = models.PositiveIntegerField()
    content = models.BinaryField(help_text=_("The tool's canonical bytes, without its revision."))
    sha256 = models.CharField(max_length=64)
    created_at = models.DateTimeField()

    objects = ToolRevisionQuerySet.as_manager()

    class Meta:
        ordering = ["name", "-revision"]
        constraints = [
            models.UniqueConstraint(
                fields=["catalog", "name", "revision"], name="tool_revision_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} r{self.revision}"
