"""OpenAI, Chat Completions: ``{"type": "function", "function": {…}}``."""

from collections.abc import Mapping
from typing import Any


def render(tool: Mapping[str, Any]) -> dict[str, Any]:
    """Return a tool as an item of ``tools=``."""
    return {
        "type": "function",
        "function": {
            "name": tool["name"],
            "description": tool["description"],
            "parameters": tool["input_schema"],
        },
    }
