"""Strict schemas: every property required, none besides, the optional ones nullable."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.formats import STRICT, encode
from catalog.formats.strict import strict_schema

CLOSED = {"type": "object", "required": [], "additionalProperties": False}


def of(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


@pytest.mark.parametrize(
    ("schema", "strict"),
    [
        ({"type": "string", "minLength": 2, "default": "a"}, {"type": ["string", "null"]}),
        ({"type": ["string", "null"]}, {"type": ["string", "null"]}),
        ({"enum": ["a", 1]}, {"enum": ["a", 1, None], "type": ["string", "integer", "null"]}),
        ({"const": True}, {"enum": [True, None], "type": ["boolean", "null"]}),
        ({"$ref": "#/$defs/a"}, {"anyOf": [{"$ref": "#/$defs/a"}, {"type": "null"}]}),
        (
            {"anyOf": [{"type": "string"}, {"type": "null"}]},
            {"anyOf": [{"type": "string"}, {"type": "null"}]},
        ),
        (
            {"type": "array", "items": {"type": "string"}, "minItems": 1},
            {"type": ["array", "null"], "items": {"type": "string"}},
        ),
    ],
)
def test_an_optional_property_may_be_null(schema: Any, strict: Any) -> None:
    made = strict_schema(of(a=schema))

    assert made is not None
    assert made["properties"]["a"] == strict
    assert made["required"] == ["a"]
    assert made["additionalProperties"] is False


def test_a_required_property_stays_what_it_is() -> None:
    made = strict_schema(of(a={"type": "string"}) | {"required": ["a"]})

    assert made == CLOSED | {"properties": {"a": {"type": "string"}}, "required": ["a"]}


def test_objects_inside_and_definitions_are_closed_too() -> None:
    inner = of(b={"type": "integer"})
    made = strict_schema(of(a=inner, c={"$ref": "#/$defs/d"}) | {"$defs": {"d": inner}})

    assert made is not None
    assert made["properties"]["a"]["additionalProperties"] is False
    assert made["$defs"]["d"]["required"] == ["b"]


@pytest.mark.parametrize("schema", [{}, {"type": "object"}, {"properties": {}}])
def test_a_tool_without_arguments_takes_an_empty_object(schema: Any) -> None:
    assert strict_schema(schema) == CLOSED | {"properties": {}}


@pytest.mark.parametrize(
    "schema",
    [
        {"anyOf": [of(), of()]},
        of() | {"additionalProperties": True},
        of(a=True),
        of(a={}),
        of(a={"type": "array"}),
        of(a={"type": "object"}),
        of(a={"oneOf": [{"type": "string"}]}),
        of(a={"allOf": [{"type": "string"}]}),
        of(a={"type": "object", "properties": {}, "patternProperties": {"a": {}}}),
    ],
)
def test_what_strictness_cannot_say_is_not_strict(schema: Any) -> None:
    assert strict_schema(schema) is None


@pytest.mark.parametrize("format_name", STRICT)
def test_a_format_says_whether_a_tool_is_strict(format_name: str) -> None:
    tool = {"name": "find", "description": "Find.", "input_schema": of(a={"type": "string"})}
    loose = tool | {"input_schema": of(a={})}

    assert b'"strict":true' in encode(tool, format_name=format_name, strict=True)
    assert b'"strict":true' not in encode(loose, format_name=format_name, strict=True)
    assert b'"strict":true' not in encode(tool, format_name=format_name)
    assert json.loads(encode(loose, format_name=format_name, strict=True))


NAMES = st.sampled_from(["a", "b", "items", "type"])
SCHEMAS = st.recursive(
    st.sampled_from([{"type": "string"}, {"enum": ["x", None]}, {"type": ["integer", "null"]}]),
    lambda inner: st.one_of(
        st.dictionaries(NAMES, inner).map(lambda named: of(**named)),
        inner.map(lambda item: {"type": "array", "items": item}),
    ),
)


@given(st.dictionaries(NAMES, SCHEMAS))
def test_every_object_is_closed_and_a_strict_schema_is_strict_already(
    properties: dict[str, Any],
) -> None:
    made = strict_schema(of(**properties))

    assert made is not None
    assert set(made["required"]) == set(properties)
    assert strict_schema(made) == made
