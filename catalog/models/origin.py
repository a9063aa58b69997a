"""Where tools of a draft are from, and imports that were looked at and not made yet."""

import uuid
from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from catalog.models.catalog import Catalog
from catalog.models.tool import Tool

SOURCE_LENGTH = 200


class ToolOrigin(models.Model):
    """What a source said last of a tool: the base of the next import's three-way merge.

    ``key`` is the tool's name in the source, as providers take it, and ``name`` what the tool was
    called here then. ``tool`` is its row whatever it is called now, and empty once it was deleted
    here, so that the next import does not bring it back unasked. ``said`` holds the fields that the
    source spoke of, ``previous`` those that it had spoken of before ``operation``, the import that
    last changed this; ``None`` where it had not.
    """

    catalog = models.ForeignKey(Catalog, models.CASCADE, related_name="tool_origins")
    source = models.CharField(_("source"), max_length=SOURCE_LENGTH)
    key = models.CharField(max_length=64)
    name = models.CharField(max_length=64)
    tool = models.OneToOneField(Tool, models.SET_NULL, null=True, related_name="origin")
    said: "models.JSONField[Any, Any]" = models.JSONField(default=dict)
    previous: "models.JSONField[Any, Any]" = models.JSONField(null=True)
    operation = models.UUIDField(null=True, db_index=True)
    updated_at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["catalog", "source", "key"], name="tool_origin_key_once_a_source"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.source}: {self.key}"


class PendingImport(models.Model):
    """A document that a person is looking at before it is imported; kept for a day at most."""

    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    catalog = models.ForeignKey(Catalog, models.CASCADE, related_name="pending_imports")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    source = models.CharField(max_length=SOURCE_LENGTH)
    format_name = models.CharField(max_length=20, blank=True)
    group = models.CharField(max_length=63, blank=True)
    content = models.BinaryField()
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.catalog}: {self.source}"
