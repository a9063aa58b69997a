"""Documents to read, and short ways to what came of them."""

import json
from typing import Any

from catalog.reading import Faulty, Found, Reading, read


def read_value(value: object, format_name: str | None = None) -> Reading:
    return read(json.dumps(value), format_name=format_name)


def only(reading: Reading) -> Found:
    assert not reading.faults
    (entry,) = reading.entries
    assert isinstance(entry, Found), entry
    return entry


def only_faulty(reading: Reading) -> Faulty:
    (entry,) = reading.entries
    assert isinstance(entry, Faulty), entry
    return entry


def codes(entry: Found | Faulty) -> set[str]:
    remarks = entry.notes if isinstance(entry, Found) else entry.faults
    assert all(remark.message for remark in remarks)
    return {remark.code for remark in remarks}


def mcp_tool(name: str = "find", **more: Any) -> dict[str, Any]:
    hints = {"readOnlyHint": True}
    return {
        "name": name,
        "description": "Find.",
        "inputSchema": {"type": "object"},
        "annotations": hints,
    } | more


def openapi(paths: Any, version: str = "3.0.3", **more: Any) -> dict[str, Any]:
    return {"openapi": version, "info": {"title": "T", "version": "1"}, "paths": paths} | more


def operation(version: str = "3.0.3", schemas: Any = None, **said: Any) -> Found:
    """Read a document with one operation, a POST to ``/things``."""
    given = {"operationId": "do", "description": "Do."} | said
    document = openapi({"/things": {"post": given}}, version)
    return only(read_value(document | {"components": {"schemas": schemas or {}}}))


def body(schema: Any, media: str = "application/json", required: bool = True) -> dict[str, Any]:
    return {"required": required, "content": {media: {"schema": schema}}}
