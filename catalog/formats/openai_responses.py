"""OpenAI, Responses: flat ``{"type", "name", "description", "parameters", "strict"}``.

With tool search: ``{"type": "tool_search"}``, and what it may load in namespaces
``{"type": "namespace", "name", "description", "tools"}``, each tool with ``defer_loading``.
"""

from collections.abc import Container, Mapping
from typing import Any

from catalog.formats.keywords import with_items
from catalog.formats.strict import strict_schema


def render(tool: Mapping[str, Any]) -> dict[str, Any]:
    """Return a tool as an item of ``tools=``.

    OpenAI wants the schema to be of an object with properties. Without ``strict`` it would try to
    be strict, and read a schema otherwise than it was published.
    """
    return {
        "type": "function",
        "name": tool["name"],
        "description": tool["description"],
        "parameters": with_items({"type": "object", "properties": {}, **tool["input_schema"]}),
        "strict": False,
    }


def strict(tool: Mapping[str, Any]) -> dict[str, Any]:
    """Return a tool whose schema the model keeps to; one without a strict form says so."""
    schema = strict_schema(tool["input_schema"])
    made = render(tool)
    return made if schema is None else {**made, "parameters": schema, "strict": True}


def deferred(tool: Mapping[str, Any]) -> dict[str, Any]:
    """Return a tool that the model sees once a search has found it."""
    return {**render(tool), "defer_loading": True}


def search_tool(taken: Container[str]) -> dict[str, Any]:
    """Return the tool that finds deferred ones; OpenAI runs it."""
    return {"type": "tool_search"}


def namespace(name: str, description: str) -> dict[str, Any]:
    """Return what a group is to the search, without its tools: they go into ``tools``, last.

    The model sees name and description before it searches. A group's name is within the limits of
    OpenAI's names: letters, digits, ``_`` and ``-``, up to 64.
    """
    return {
        "type": "namespace",
        "name": name,
        "description": description.strip() or f"Tools of the group {name}.",
        "tools": [],
    }


def reference(name: str, namespace: str | None) -> dict[str, Any]:
    """Return how to tell the model where a deferred tool is; OpenAI has no block that loads one."""
    return {"namespace": namespace, "name": name}
