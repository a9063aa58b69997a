"""The revisions of one tool: what each changed, and the version that brought it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from catalog.diff import Change, Line, json_lines, tool_changes
from catalog.document import canonical_bytes, parse, sha256_hex
from catalog.documents import document_of
from catalog.freezing import tool_value
from catalog.models import Catalog, CatalogVersion, Tool, ToolRevision
from routing.labels import labels_of


@dataclass(frozen=True, slots=True)
class Revision:
    """A revision beside the one before it: the changes in words, and as JSON.

    ``version`` is what it came with; ``None`` for the draft, and for one that was imported and not
    published yet. ``number`` is ``None`` for the draft, where that is no revision yet.
    """

    number: int | None
    version: CatalogVersion | None
    changes: Sequence[Change]
    lines: Sequence[Line]
    is_first: bool


def revisions_of(catalog: Catalog, name: str, *, as_json: bool = False) -> list[Revision]:
    """Return the revisions that a tool of this name had, newest first; the draft's on top of them.

    A draft that says what some revision says is not listed.
    """
    rows = list(catalog.tool_revisions.filter(name=name).order_by("revision"))
    versions = _brought_by(catalog, rows)
    contents: list[tuple[ToolRevision | None, dict[str, Any]]] = [
        (row, {**parse(bytes(row.content)), "name": name}) for row in rows
    ]
    draft = catalog.tools.filter(name=name).first()
    if draft is not None and _is_new(draft, rows):
        contents.append((None, tool_value(draft)))
    found: list[Revision] = []
    before: dict[str, Any] | None = None
    for row, content in contents:
        found.append(
            Revision(
                number=row.revision if row else None,
                version=versions.get(row.pk) if row else None,
                changes=() if before is None else tuple(tool_changes(before, content)),
                lines=json_lines(before, content) if as_json else (),
                is_first=before is None,
            )
        )
        before = content
    return found[::-1]


def served_revisions(catalog: Catalog, name: str) -> dict[str, int | None]:
    """Return the revision that each label serves; ``None`` where its version has no such tool."""
    documents: dict[int, int | None] = {}
    served: dict[str, int | None] = {}
    for pointer in labels_of(catalog):
        version = pointer.move.release.version
        if version.pk not in documents:
            tools = document_of(version)["tools"]
            numbers = (tool["revision"] for tool in tools if tool["name"] == name)
            documents[version.pk] = next(numbers, None)
        served[pointer.name] = documents[version.pk]
    return served


def _brought_by(catalog: Catalog, rows: Sequence[ToolRevision]) -> dict[int, CatalogVersion]:
    """Return by row the version that was published in the same act: both carry its time."""
    versions = (
        catalog.versions.filter(created_at__in={row.created_at for row in rows})
        .defer("document")
        .select_related("author")
        .order_by("-number")
    )
    by_time = {version.created_at: version for version in versions}
    return {row.pk: by_time[row.created_at] for row in rows if row.created_at in by_time}


def _is_new(draft: Tool, rows: Sequence[ToolRevision]) -> bool:
    content = sha256_hex(canonical_bytes(tool_value(draft)))
    return content not in {row.sha256 for row in rows}
