"""A document of tools that somebody has looked at and not imported yet."""

import json
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from catalog.importing import apply_import, preview_import
from catalog.models import Catalog, PendingImport
from catalog.reading import read


def mcp(name: str, description: str, **more: Any) -> dict[str, Any]:
    hints = {"readOnlyHint": True, "openWorldHint": False}
    schema = {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}
    return {
        "name": name,
        "description": description,
        "inputSchema": schema,
        "annotations": hints,
    } | more


def waiting_import(catalog: Catalog, *, by: User) -> PendingImport:
    """Return an import with a tool of every kind: new, changed, edited here, gone, and so on."""
    source, now = "notes", timezone.now()
    first = [mcp(f"note_{word}", "Find a note.") for word in ("mine", "old", "gone", "deleted")]
    reading = read(json.dumps(first))
    preview = preview_import(catalog=catalog, reading=reading, source=source)
    apply_import(catalog=catalog, preview=preview, now=now)
    catalog.tools.filter(name="note_mine").update(description="Find what I noted.")
    catalog.tools.filter(name="note_deleted").delete()
    taken = catalog.tools.exclude(name__startswith="note_").first()
    second = [
        mcp("note_mine", "Find one of the notes."),
        mcp("note_old", "Find a note by its words."),
        mcp("note_deleted", "Find a note."),
        mcp("note.list", "List the notes."),
        mcp("note_bad", "Find a note.", inputSchema={"type": "array"}),
        *([mcp(taken.name.upper(), "Another.")] if taken else ()),
    ]
    return PendingImport.objects.create(
        catalog=catalog,
        by=by,
        source=source,
        content=json.dumps(second).encode(),
        created_at=now,
    )
