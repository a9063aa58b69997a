"""The audit log: who changed what of a catalog, from what to what, when and by which way."""

import uuid
from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from catalog.models.catalog import Catalog

SUBJECT_LENGTH = 200


class AuditEntry(models.Model):
    """What one act did to one thing. The database refuses to change an entry.

    It outlives the catalog and the person: both names are kept, and the references are emptied.
    ``before`` and ``after`` have the shape of catalog/recording/values.py for parts of a draft and
    are small objects of plain values for other deeds; ``None`` is "was not there".
    """

    class Via(models.TextChoices):
        PAGE = "page", _("page")
        COMMAND = "command", _("command")
        API = "api", _("API")

    # The index below begins with the catalog.
    catalog = models.ForeignKey(
        Catalog, models.SET_NULL, null=True, related_name="audit_entries", db_index=False
    )
    catalog_name = models.CharField(_("catalog"), max_length=63)
    operation = models.UUIDField(default=uuid.uuid4, db_index=True)
    at = models.DateTimeField(_("time"))
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    by_name = models.CharField(_("person"), max_length=150, blank=True)
    via = models.CharField(_("way"), max_length=7, choices=Via)
    action = models.CharField(_("action"), max_length=30)
    kind = models.CharField(_("kind"), max_length=20)
    subject = models.CharField(_("subject"), max_length=SUBJECT_LENGTH, blank=True)
    # The primary key of the part's row: rules have no names, and names change.
    row = models.PositiveBigIntegerField(null=True)
    before: "models.JSONField[Any, Any]" = models.JSONField(null=True)
    after: "models.JSONField[Any, Any]" = models.JSONField(null=True)
    note = models.CharField(_("note"), max_length=500, blank=True)

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["catalog", "-id"], name="audit_of_a_catalog"),
            models.Index(fields=["catalog", "kind", "subject"], name="audit_of_a_subject"),
        ]
        constraints = [
            models.CheckConstraint(
                name="audit_via_is_known",
                condition=models.Q(via__in=["page", "command", "api"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.kind} {self.subject}"
