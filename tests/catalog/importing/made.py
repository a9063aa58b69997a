"""Drafts and readings for the tests of imports, without a database."""

from typing import Any

from catalog.importing.comparing import Here, Origin, compare
from catalog.importing.merging import UNSAID, said_by
from catalog.importing.preview import Entry, Preview
from catalog.reading import Reading
from tests.catalog.reading.made import mcp_tool, read_value

SOURCE = "github"


def tool_here(name: str = "find", **more: Any) -> dict[str, Any]:
    """Return a tool as ``mcp_tool`` is read, changed by ``more``."""
    return {
        **UNSAID,
        "name": name,
        "description": "Find.",
        "input_schema": {"type": "object"},
        "side_effect": "read",
    } | more


def here(number: int = 1, name: str = "find", source: str | None = SOURCE, **more: Any) -> Here:
    return Here(number, tool_here(name, **more), source)


def spoken(number: int | None = 1, name: str = "find", key: str = "", **more: Any) -> Origin:
    """Return what the source said when it last had ``mcp_tool(key, **more)``."""
    (found,) = read_value([mcp_tool(key or name, **more)]).found
    return Origin(key or name, name, number, said_by(found))


def preview(
    reading: Reading | list[Any], tools: list[Here], origins: list[Origin], source: str = SOURCE
) -> Preview:
    read = reading if isinstance(reading, Reading) else read_value(reading)
    return compare(reading=read, source=source, tools=tools, origins=origins)


def only_entry(reading: Reading | list[Any], tools: list[Here], origins: list[Origin]) -> Entry:
    (entry,) = preview(reading, tools, origins).entries
    return entry


def kinds(made: Preview) -> dict[str, str]:
    return {entry.key or entry.place: entry.kind.value for entry in made.entries}
