"""Anthropic, Messages: ``{"name", "description", "input_schema"}``.

With tool search: its search tool, and what that may load with ``defer_loading``.
"""

from collections.abc import Container, Mapping
from typing import Any

from catalog.formats.strict import strict_schema

# Both search names, descriptions and arguments: the first in plain words, as models ask by
# themselves, the second by patterns.
SEARCH_TOOLS = {
    "tool_search_tool_bm25": "tool_search_tool_bm25_20251119",
    "tool_search_tool_regex": "tool_search_tool_regex_20251119",
}


def render(tool: Mapping[str, Any]) -> dict[str, Any]:
    """Return a tool as an item of ``tools=``; Anthropic wants the schema to say it is an object."""
    return {
        "name": tool["name"],
        "description": tool["description"],
        "input_schema": {"type": "object", **tool["input_schema"]},
    }


def strict(tool: Mapping[str, Any]) -> dict[str, Any]:
    """Return a tool whose schema the model keeps to; one without a strict form says so."""
    schema = strict_schema(tool["input_schema"])
    made = render(tool)
    return made if schema is None else {**made, "input_schema": schema, "strict": True}


def deferred(tool: Mapping[str, Any]) -> dict[str, Any]:
    """Return a tool that the model sees once a search has found it."""
    return {**render(tool), "defer_loading": True}


def search_tool(taken: Container[str]) -> dict[str, Any]:
    """Return the tool that finds deferred ones, by a name of its own; Anthropic runs it."""
    first, second = SEARCH_TOOLS
    name = second if first in taken else first
    return {"type": SEARCH_TOOLS[name], "name": name}


def reference(name: str, namespace: str | None) -> dict[str, Any]:
    """Return the block that loads a deferred tool when it is in a tool's result."""
    return {"type": "tool_reference", "tool_name": name}
