"""What sources said last, as far as no import of it was undone."""

from collections.abc import Iterator

from catalog.models import AuditEntry, Catalog, ToolOrigin
from catalog.recording.undoing import UNDO


def origins_of(catalog: Catalog) -> list[ToolOrigin]:
    """Return the origins of a catalog's tools. Two reads.

    Where the import that last changed one was undone, it says what it had said before; one that
    had said nothing is left out.
    """
    undone = _undone(catalog)
    return list(_standing(catalog, undone))


def copy_origins(*, of: Catalog, to: Catalog) -> None:
    """Let the tools of a copy be synced with the sources that those of the same name are from."""
    tools = dict(to.tools.values_list("name", "pk"))
    names = dict(of.tools.values_list("pk", "name"))
    copied = []
    for origin in origins_of(of):
        tool = tools.get(names.get(origin.tool_id or 0, ""))
        if tool is not None:
            origin.pk, origin.catalog, origin.tool_id = None, to, tool
            origin.previous, origin.operation = None, None
            copied.append(origin)
    ToolOrigin.objects.bulk_create(copied, batch_size=500)


def _standing(catalog: Catalog, undone: frozenset[str]) -> Iterator[ToolOrigin]:
    for origin in catalog.tool_origins.all():
        if str(origin.operation) in undone:
            if origin.previous is None:
                continue
            origin.said, origin.previous, origin.operation = origin.previous, None, None
        yield origin


def _undone(catalog: Catalog) -> frozenset[str]:
    """Return the operations that were undone; an undoing may have been undone in its turn."""
    told = AuditEntry.objects.filter(catalog=catalog, action=UNDO).order_by("operation")
    undoings = told.values_list("operation", "note").distinct()
    of = {str(operation): note for operation, note in undoings}
    by: dict[str, list[str]] = {}
    for undoing, what in of.items():
        by.setdefault(what, []).append(undoing)

    def stands(operation: str) -> bool:
        # No undoing can be of itself or of a later one.
        return not any(stands(undoing) for undoing in by.get(operation, ()))

    return frozenset(what for what in by if not stands(what))
