"""Anthropic, Messages: ``{"name", "description", "input_schema"}``."""

from collections.abc import Mapping
from typing import Any


def render(tool: Mapping[str, Any]) -> dict[str, Any]:
    """Return a tool as an item of ``tools=``; Anthropic wants the schema to say it is an object."""
    return {
        "name": tool["name"],
        "description": tool["description"],
        "input_schema": {"type": "object", **tool["input_schema"]},
    }
