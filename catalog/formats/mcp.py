"""MCP, ``tools/list``: ``{"name", "title", "description", "inputSchema", …}``."""

from collections.abc import Mapping
from typing import Any


def render(tool: Mapping[str, Any]) -> dict[str, Any]:
    """Return a tool as an item of ``tools``.

    All hints are said, since absent ones mean that a tool destroys and reaches out. A title or an
    output schema that the tool has not is left out.
    """
    made: dict[str, Any] = {"name": tool["name"]}
    if tool["title"]:
        made["title"] = tool["title"]
    made["description"] = tool["description"]
    made["inputSchema"] = {"type": "object", **tool["input_schema"]}
    if tool["output_schema"] is not None:
        made["outputSchema"] = tool["output_schema"]
    made["annotations"] = {
        "readOnlyHint": tool["side_effect"] == "read",
        "destructiveHint": tool["side_effect"] == "destructive",
        "idempotentHint": tool["idempotent"],
        "openWorldHint": tool["open_world"],
    }
    return made
