"""Schemas that a provider can hold its model to, word for word.

Strictness wants every property required and none besides those named. An optional property becomes
one that may be null; the nulls that a model then sends are dropped before a call is checked. What
only narrows values further (a length, a default) is left out: the call is checked against the
published schema all the same.
"""

from collections.abc import Mapping
from typing import Any

# What OpenAI's and Anthropic's strict schemas both have.
_KEPT = frozenset({"$ref", "description", "enum", "title", "type"})
# Schemas with these would mean something else without them.
_UNSAYABLE = frozenset(
    {
        "$anchor",
        "$dynamicRef",
        "$id",
        "allOf",
        "dependencies",
        "dependentSchemas",
        "else",
        "if",
        "not",
        "oneOf",
        "patternProperties",
        "prefixItems",
        "then",
        "unevaluatedProperties",
    }
)
_NULL = {"type": "null"}


class _Unsayable(Exception):
    """The schema has no strict form."""


def strict_schema(schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the strict form of a tool's input schema, ``None`` where it has none.

    It has none where objects take properties of any name, values are of any type, or schemas are
    composed otherwise than by ``anyOf``.
    """
    if schema.get("type", "object") != "object" or {"anyOf", "$ref", "enum"} & schema.keys():
        return None
    # A tool without arguments takes an object without properties.
    rooted = {"properties": {}, **schema, "type": "object"}
    try:
        made = _strict(rooted)
        for key in ("$defs", "definitions"):
            if isinstance(defined := schema.get(key), Mapping):
                made[key] = {name: _strict(inner) for name, inner in defined.items()}
    except _Unsayable:
        return None
    return made


def _strict(schema: Any) -> dict[str, Any]:
    if not isinstance(schema, Mapping) or _UNSAYABLE & schema.keys():
        raise _Unsayable
    made = {key: value for key, value in schema.items() if key in _KEPT}
    if "const" in schema:
        made["enum"] = [schema["const"]]
    if "anyOf" in schema:
        return {**made, "anyOf": [_strict(inner) for inner in schema["anyOf"]]}
    if "$ref" in schema:
        return made
    kinds = _kinds(schema, made)
    if "object" in kinds:
        made |= _strict_object(schema)
    if "array" in kinds:
        made["items"] = _strict(schema.get("items"))
    made["type"] = kinds[0] if len(kinds) == 1 else kinds
    return made


def _strict_object(schema: Mapping[str, Any]) -> dict[str, Any]:
    properties = schema.get("properties")
    if properties is None or schema.get("additionalProperties") not in (None, False):
        raise _Unsayable
    required = schema.get("required", ())
    return {
        "properties": {
            name: _strict(inner) if name in required else _nullable(_strict(inner))
            for name, inner in properties.items()
        },
        "required": list(properties),
        "additionalProperties": False,
    }


def _kinds(schema: Mapping[str, Any], made: Mapping[str, Any]) -> list[str]:
    kinds = schema.get("type")
    if isinstance(kinds, str):
        return [kinds]
    if kinds:
        return list(kinds)
    if "properties" in schema:
        return ["object"]
    if values := made.get("enum"):
        return list(dict.fromkeys(_kind_of(value) for value in values))
    raise _Unsayable


def _kind_of(value: object) -> str:
    if value is None:
        return "null"
    for kind, name in ((bool, "boolean"), (int, "integer"), (float, "number"), (str, "string")):
        if isinstance(value, kind):
            return name
    raise _Unsayable


def _nullable(schema: dict[str, Any]) -> dict[str, Any]:
    if "anyOf" in schema:
        choices = schema["anyOf"]
        return {**schema, "anyOf": choices if _NULL in choices else [*choices, _NULL]}
    if "$ref" in schema:
        return {"anyOf": [schema, _NULL]}
    made = dict(schema)
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    made["type"] = kinds if "null" in kinds else [*kinds, "null"]
    if "enum" in schema and None not in schema["enum"]:
        made["enum"] = [*schema["enum"], None]
    return made
