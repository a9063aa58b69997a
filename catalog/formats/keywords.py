"""Where a JSON Schema holds further schemas, so that a property called ``items`` is no keyword."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

# A schema each.
SINGLE = (
    "items",
    "additionalItems",
    "additionalProperties",
    "contains",
    "contentSchema",
    "else",
    "if",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
)
# A list of schemas each; older drafts have one under ``items`` too.
LISTS = ("allOf", "anyOf", "oneOf", "prefixItems", "items")
# Schemas by a name of the author's own.
BY_NAME = (
    "$defs",
    "definitions",
    "dependencies",
    "dependentSchemas",
    "patternProperties",
    "properties",
)

Schema = Mapping[str, Any]
Change = Callable[[dict[str, Any]], dict[str, Any]]


def rewritten(schema: Any, change: Change) -> Any:
    """Return a schema in which ``change`` has been made to each schema, the inner ones first.

    Booleans, and what is no schema where one should be, stay as they are.
    """
    if not isinstance(schema, Mapping):
        return schema
    made = dict(schema)
    for key, value in schema.items():
        if key in BY_NAME and isinstance(value, Mapping):
            made[key] = {name: rewritten(inner, change) for name, inner in value.items()}
        elif key in LISTS and isinstance(value, list):
            made[key] = [rewritten(inner, change) for inner in value]
        elif key in SINGLE and isinstance(value, Mapping):
            made[key] = rewritten(value, change)
    return change(made)


def schemas_in(schema: object) -> Iterator[Schema]:
    """Return a schema and every schema inside it, the outer ones first; booleans are left out."""
    waiting = [schema]
    while waiting:
        item = waiting.pop()
        if not isinstance(item, Mapping):
            continue
        yield item
        for key, value in item.items():
            if key in BY_NAME and isinstance(value, Mapping):
                waiting.extend(value.values())
            elif key in LISTS and isinstance(value, list):
                waiting.extend(value)
            elif key in SINGLE:
                waiting.append(value)


def with_items(schema: Schema) -> dict[str, Any]:
    """Return a schema whose every array says what its items are, which OpenAI and Gemini want."""

    def say(inner: dict[str, Any]) -> dict[str, Any]:
        kinds = inner.get("type")
        if kinds != "array" and not (isinstance(kinds, list) and "array" in kinds):
            return inner
        return inner if {"items", "prefixItems"} & inner.keys() else {**inner, "items": {}}

    made: dict[str, Any] = rewritten(schema, say)
    return made
