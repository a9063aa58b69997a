"""Schemas of OpenAPI 3.0 and 3.1 as JSON Schema; references stay references."""

import json
from typing import Any

import pytest

from tests.catalog.reading.made import (
    body,
    codes,
    only,
    only_faulty,
    openapi,
    operation,
    read_value,
)


def property_of(schema: Any, version: str = "3.0.3", schemas: Any = None) -> Any:
    whole = body({"type": "object", "properties": {"a": schema}})
    found = operation(version, schemas, requestBody=whole)
    return found.tool["input_schema"]["properties"]["a"]


def ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


def test_recursive_references_stay_references() -> None:
    tree = {"type": "object", "properties": {"children": {"type": "array", "items": ref("Tree")}}}
    schema = operation(schemas={"Tree": tree}, requestBody=body(ref("Tree"))).tool["input_schema"]

    items = {"$ref": "#/$defs/Tree"}
    assert schema["properties"]["children"]["items"] == items
    assert schema["$defs"]["Tree"]["properties"]["children"]["items"] == items


def test_shared_references_do_not_blow_up() -> None:
    schemas = {
        f"S{n}": {"type": "object", "properties": {"a": ref(f"S{n + 1}"), "b": ref(f"S{n + 1}")}}
        for n in range(40)
    } | {"S40": {"type": "string"}}
    tool = operation(schemas=schemas, requestBody=body(ref("S0"))).tool

    assert len(json.dumps(tool)) < 10_000
    assert len(tool["input_schema"]["$defs"]) == 40


def test_schemas_of_one_last_name_keep_apart() -> None:
    schemas = {"A": {"properties": {"x": {"type": "string"}}}, "B": {"properties": {"x": {}}}}
    first = {"$ref": "#/components/schemas/A/properties/x"}
    second = {"$ref": "#/components/schemas/B/properties/x"}
    made = operation(
        schemas=schemas,
        requestBody=body({"type": "object", "properties": {"a": first, "b": second}}),
    ).tool["input_schema"]

    assert made["$defs"] == {"x": {"type": "string"}, "x_2": {}}
    assert made["properties"] == {"a": {"$ref": "#/$defs/x"}, "b": {"$ref": "#/$defs/x_2"}}


@pytest.mark.parametrize(
    ("reference", "code"),
    [
        ("https://example.com/a.json", "reference_outside"),
        ("file:///etc/passwd", "reference_outside"),
        ("other.yaml#/A", "reference_outside"),
        ("#/components/schemas/None", "reference_dangling"),
        ("#", "reference_dangling"),
        ("#/components/schemas/Loop", "reference_loops"),
    ],
)
@pytest.mark.parametrize("wrapped", [False, True])
def test_references_that_lead_nowhere_or_outside_are_refused(
    reference: str, code: str, wrapped: bool
) -> None:
    schema: Any = {"$ref": reference}
    if wrapped:
        schema = {"type": "object", "properties": {"a": schema}}
    document = openapi(
        {"/a": {"post": {"requestBody": body(schema)}, "get": {"operationId": "good"}}},
        components={"schemas": {"Loop": ref("Loop")}},
    )
    reading = read_value(document)

    assert [entry.tool["name"] for entry in reading.found] == ["good"]
    assert [codes(entry) for entry in reading.faulty] == [{code}]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"type": "string", "nullable": True}, {"type": ["string", "null"]}),
        (
            {"type": "string", "enum": ["a"], "nullable": True},
            {"type": ["string", "null"], "enum": ["a", None]},
        ),
        ({"type": "string", "nullable": False}, {"type": "string"}),
        ({"minimum": 1, "exclusiveMinimum": True}, {"exclusiveMinimum": 1}),
        ({"maximum": 1, "exclusiveMaximum": False}, {"maximum": 1}),
        ({"type": "string", "example": "x"}, {"type": "string", "examples": ["x"]}),
        (
            {"allOf": [{"type": "string"}], "nullable": True, "description": "D."},
            {"description": "D.", "anyOf": [{"allOf": [{"type": "string"}]}, {"type": "null"}]},
        ),
        ({"type": "array"}, {"type": "array"}),
        ({"enum": [None, "", 3]}, {"enum": [None, "", 3]}),
        (
            {"type": "integer", "format": "int64", "maximum": 2**63 - 1, "minimum": -(2**63)},
            {"type": "integer", "format": "int64", "maximum": 2**63 - 1, "minimum": -(2**63)},
        ),
    ],
)
def test_the_dialect_of_3_0_is_translated(old: Any, new: Any) -> None:
    assert property_of(old) == new


@pytest.mark.parametrize(
    "schema",
    [
        {"type": ["string", "null"]},
        {"const": 3},
        {"exclusiveMinimum": 1},
        True,
        {"type": "array", "prefixItems": [{"type": "string"}], "items": False},
    ],
)
def test_the_schemas_of_3_1_are_json_schema(schema: Any) -> None:
    assert property_of(schema, "3.1.0") == schema


def test_beside_a_reference_3_1_keeps_all_and_3_0_what_describes() -> None:
    beside = ref("A") | {"description": "The a.", "minLength": 2}
    schemas = {"A": {"type": "string"}}
    pointed = {"$ref": "#/$defs/A", "description": "The a."}

    assert property_of(beside, "3.0.3", schemas) == pointed
    assert property_of(beside, "3.1.0", schemas) == pointed | {"minLength": 2}


def test_what_json_schema_has_not_is_left_out_and_told() -> None:
    schema = {"type": "string", "xml": {"name": "a"}, "x-order": 3, "externalDocs": {"url": "u"}}
    found = operation(requestBody=body({"type": "object", "properties": {"a": schema}}))

    assert found.tool["input_schema"]["properties"]["a"] == {"type": "string"}
    told = {note.params["keyword"] for note in found.notes if note.code == "keyword_dropped"}
    assert told == {"xml", "x-order", "externalDocs"}


def test_properties_called_like_keywords_are_properties() -> None:
    named = {"nullable": {"type": "string"}, "xml": {"type": "string"}, "$ref": {"type": "string"}}
    found = operation(requestBody=body({"type": "object", "properties": named}))

    assert found.tool["input_schema"]["properties"] == named


def test_a_faulty_answer_costs_the_output_schema_only() -> None:
    answer = {"200": {"content": {"application/json": {"schema": {"$ref": "http://x"}}}}}
    found = operation(responses=answer)

    assert found.tool["output_schema"] is None
    assert "output_left" in codes(found)


def test_an_invalid_schema_is_a_fault() -> None:
    document = openapi({"/a": {"post": {"requestBody": body({"type": "strng"})}}})

    assert codes(only_faulty(read_value(document))) == {"invalid_schema"}


def test_a_required_name_that_all_of_says_elsewhere_is_not_sent_either() -> None:
    schemas = {"Base": {"type": "object", "properties": {"id": {"readOnly": True}}}}
    composed = {"allOf": [ref("Base"), {"required": ["id", "b"], "properties": {"b": {}}}]}
    document = openapi(
        {"/a": {"post": {"requestBody": body({"type": "array", "items": composed})}}},
        components={"schemas": schemas},
    )
    schema = only(read_value(document)).tool["input_schema"]

    assert schema["properties"]["body"]["items"]["allOf"][1]["required"] == ["b"]
