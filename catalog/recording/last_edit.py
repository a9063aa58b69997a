"""Who changed a part of a draft last."""

from django.db import models

from catalog.models import Catalog
from catalog.recording.sections import SECTION_OF


def last_editor(catalog: Catalog, row: models.Model) -> str:
    """Return the name of whoever changed a row of a draft last; none where nobody is on record."""
    kind = SECTION_OF[type(row)].kind
    entries = catalog.audit_entries.filter(kind=kind, row=row.pk)
    return entries.values_list("by_name", flat=True).first() or ""
