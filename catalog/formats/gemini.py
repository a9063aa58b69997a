"""Gemini, function declarations: ``{"name", "description", "parameters_json_schema"}``."""

from collections.abc import Mapping
from typing import Any

from catalog.formats.keywords import with_items


def render(tool: Mapping[str, Any]) -> dict[str, Any]:
    """Return a tool as an item of ``function_declarations``."""
    return {
        "name": tool["name"],
        "description": tool["description"],
        "parameters_json_schema": with_items({"type": "object", **tool["input_schema"]}),
    }
