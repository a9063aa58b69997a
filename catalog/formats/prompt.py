"""Plain text for a prompt: ``- name(arg: type, optional?: type): description``, a line a tool."""

from collections.abc import Mapping
from typing import Any


def render(tool: Mapping[str, Any]) -> str:
    """Return a tool as one line; arguments that may be left out end in a question mark."""
    schema = tool["input_schema"]
    required = set(schema.get("required", ()))
    properties: Mapping[str, Any] = schema.get("properties", {})
    arguments = ", ".join(
        f"{name}{'' if name in required else '?'}: {type_name(value)}"
        for name, value in properties.items()
    )
    description = " ".join(tool["description"].split())
    return f"- {tool['name']}({arguments}): {description}"


def type_name(schema: object) -> str:
    """Return a schema's type in a few characters: ``string``, ``"a" | "b"``, ``integer[]``."""
    if not isinstance(schema, Mapping):
        return "any"
    if (values := schema.get("enum")) is not None:
        return " | ".join(
            f'"{value}"' if isinstance(value, str) else str(value) for value in values
        )
    kind = schema.get("type", "any")
    if isinstance(kind, list):
        return " | ".join(map(str, kind))
    if kind == "array":
        return f"{type_name(schema.get('items'))}[]"
    return str(kind)
