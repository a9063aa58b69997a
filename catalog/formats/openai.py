"""OpenAI, Chat Completions: ``{"type": "function", "function": {…}}``."""

from collections.abc import Mapping
from typing import Any

from catalog.formats.keywords import with_items
from catalog.formats.strict import strict_schema


def render(tool: Mapping[str, Any]) -> dict[str, Any]:
    """Return a tool as an item of ``tools=``."""
    return {
        "type": "function",
        "function": {
            "name": tool["name"],
            "description": tool["description"],
            "parameters": with_items(tool["input_schema"]),
        },
    }


def strict(tool: Mapping[str, Any]) -> dict[str, Any]:
    """Return a tool whose schema the model keeps to; one without a strict form says so."""
    made = render(tool)
    schema = strict_schema(tool["input_schema"])
    function = made["function"] if schema is None else {**made["function"], "parameters": schema}
    return {**made, "function": {**function, "strict": schema is not None}}
