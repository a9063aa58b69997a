"""The draft as an import compares it with a source: three reads, whatever its size."""

from catalog.freezing import tool_value
from catalog.importing.comparing import Here, Origin, compare
from catalog.importing.origins import origins_of
from catalog.importing.preview import Preview
from catalog.models import Catalog, Tool, ToolOrigin
from catalog.models.origin import SOURCE_LENGTH
from catalog.reading import Reading

__all__ = ["preview_import", "sources_of"]


def preview_import(*, catalog: Catalog, reading: Reading, source: str) -> Preview:
    """Return what importing a reading would do to a catalog's draft; nothing is written.

    ``source`` names where the tools are from, in up to 200 characters: a later import under the
    same name is a sync with this one. Raises ``ValueError`` for a name that is empty or longer.
    """
    return compare_rows(
        catalog=catalog, reading=reading, source=source, rows=list(catalog.tools.order_by())
    )


def compare_rows(*, catalog: Catalog, reading: Reading, source: str, rows: list[Tool]) -> Preview:
    """Return what an import would do, with the tools of the draft read already."""
    if not source.strip() or len(source) > SOURCE_LENGTH:
        raise ValueError(f"A source has a name of 1 to {SOURCE_LENGTH} characters.")
    origins = origins_of(catalog)
    of = {origin.tool_id: origin.source for origin in origins if origin.tool_id is not None}
    tools = [Here(row.pk, tool_value(row), of.get(row.pk)) for row in rows]
    return compare(
        reading=reading,
        source=source,
        tools=tools,
        origins=[_origin(origin) for origin in origins if origin.source == source],
    )


def sources_of(catalog: Catalog) -> list[str]:
    """Return the names of the sources that a catalog has tools from."""
    own = catalog.tool_origins.filter(tool__isnull=False).order_by("source")
    return list(own.values_list("source", flat=True).distinct())


def _origin(row: ToolOrigin) -> Origin:
    return Origin(key=row.key, name=row.name, tool=row.tool_id, said=row.said)
