"""The tools that an export is of: the draft's, a version's, or those that a label points to."""

from collections.abc import Mapping, Sequence
from typing import Any

from catalog.documents import document_of
from catalog.freezing import tool_value
from catalog.models import Catalog
from dashboard.forms.exports import DRAFT
from routing.labels import labels_of


def tools_of(catalog: Catalog, *, of: str) -> tuple[str, Sequence[Mapping[str, Any]]]:
    """Return what the file is called, and the tools of what an ``ExportForm`` names."""
    if of == DRAFT:
        rows = catalog.tools.order_by("position", "id")
        return f"{catalog.name}-draft", [{**tool_value(row), "revision": 1} for row in rows]
    if of.isdigit():
        version = catalog.versions.get(number=int(of))
    else:
        pointer = next(one for one in labels_of(catalog) if one.name == of)
        version = catalog.versions.get(pk=pointer.move.release.version_id)
    tools: Sequence[Mapping[str, Any]] = document_of(version)["tools"]
    return f"{catalog.name}@{version.number}", tools
