"""What real documents have that is odd, and that no other test here tries."""

import json
from typing import Any

import pytest
from jsonschema_rs import validator_for

from catalog.formats import encode
from catalog.reading import read
from tests.catalog.reading.made import (
    codes,
    mcp_tool,
    only,
    only_faulty,
    openapi,
    operation,
    read_value,
)


def argument(schema: Any, **more: Any) -> Any:
    """Read a tool with one argument, and return that argument's schema."""
    given = {"type": "object", "properties": {"a": schema}, **more}
    return only(read_value([mcp_tool(inputSchema=given)])).tool["input_schema"]["properties"]["a"]


@pytest.mark.parametrize(
    "schema",
    [
        True,
        False,
        {"enum": [None, "", 0, 1.5, True, "no"]},
        {"const": None},
        {"type": ["string", "null"]},
        {"minimum": -(2**63), "maximum": 2**64 - 1},
        {"type": "array"},
        {"anyOf": [{"type": "string"}, {"type": "integer"}]},
        {"properties": {"x[y].z$": {}, "": {}, "$ref-like": {}}},
    ],
)
def test_odd_schemas_stay_as_they_are(schema: Any) -> None:
    assert argument(schema) == schema
    assert type(argument({"enum": [True, 1]})["enum"][0]) is bool


def test_a_reference_that_leads_to_itself_accepts_anything_and_holds_nothing_up() -> None:
    loop = {"a": {"allOf": [{"$ref": "#/$defs/b"}]}, "b": {"$ref": "#/$defs/a"}}
    given = {"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": loop}
    schema = only(read_value([mcp_tool(inputSchema=given)])).tool["input_schema"]

    assert validator_for(schema).is_valid({"a": 1})


@pytest.mark.parametrize("reference", ["https://tools.example/s.json", "file:///etc/passwd", "s"])
def test_a_reference_to_elsewhere_is_refused_wherever_it_stands(reference: str) -> None:
    given = {"type": "object", "properties": {"a": {"items": {"$ref": reference}}}}
    reading = read_value([mcp_tool("bad", inputSchema=given), mcp_tool("good")])

    assert codes(reading.faulty[0]) == {"invalid_schema"}
    assert [found.tool["name"] for found in reading.found] == ["good"]


@pytest.mark.parametrize("word", ["allOf", "anyOf", "oneOf"])
def test_composition_at_the_top_stays_and_goes_out_as_an_object(word: str) -> None:
    given = {word: [{"type": "object", "properties": {"a": {}}, "required": ["a"]}]}
    tool = only(read_value([mcp_tool(inputSchema=given)])).tool

    assert tool["input_schema"] == given
    sent = json.loads(encode({**tool, "revision": 1}, format_name="anthropic"))
    assert sent["input_schema"] == {"type": "object", **given}


def test_parameters_keep_names_with_brackets_dots_and_dollars() -> None:
    names = ["filter[state]", "page.size", "$select", "x-y"]
    given = [{"name": name, "in": "query", "schema": {"type": "string"}} for name in names]

    assert list(operation(parameters=given).tool["input_schema"]["properties"]) == names


def test_invisible_characters_in_values_stay_and_are_told() -> None:
    given = {"type": "object", "properties": {"a\u200b": {"enum": ["b\u202e", "\x07"]}}}
    found = only(read_value([mcp_tool(inputSchema=given)]))

    assert found.tool["input_schema"] == given
    (note,) = [note for note in found.notes if note.code == "invisible_kept"]
    assert (note.params["count"], note.params["characters"]) == (3, "U+200B, U+202E, U+0007")


def test_invisible_characters_in_tags_go_and_markup_stays_text() -> None:
    native = {"name": "x", "description": "D.", "side_effect": "read", "input_schema": {}}
    found = only(read_value([native | {"tags": ["a\u200bb", "<i>c</i>"], "scopes": ["s\u200b"]}]))

    assert found.tool["tags"] == ["ab", "<i>c</i>"]
    assert found.tool["scopes"] == ["s\u200b"]
    assert {"invisible_removed", "invisible_kept"} <= codes(found)


def test_a_tool_that_is_odd_in_every_way_takes_no_neighbour_along() -> None:
    paths = {
        "/a": {"get": {"operationId": "good"}, "post": 3, "put": {"parameters": {"a": 1}}},
        "/b": {"$ref": "https://tools.example/paths.json"},
        "/c": {"get": {"operationId": 3, "requestBody": {"content": {"a/b": {"schema": 3}}}}},
    }
    reading = read_value(openapi(paths))

    assert "good" in {found.tool["name"] for found in reading.found}
    assert all(faulty.place and faulty.faults for faulty in reading.faulty)


def test_yaml_of_openapi_keeps_texts_that_look_like_something_else() -> None:
    text = """
    openapi: 3.1.0
    info: {title: T, version: 1.0}
    paths:
      /a:
        get:
          operationId: on
          description: no
          tags: [off, 2015-02-22]
          parameters:
            - {name: yes, in: query, schema: {enum: [no, 1_000, 0x1F, 1:30]}}
    """
    found = only(read(text))

    assert (found.tool["name"], found.tool["description"]) == ("on", "no")
    assert found.tool["tags"] == ["off", "2015-02-22"]
    assert found.tool["input_schema"]["properties"]["yes"]["enum"][0] == "no"
    assert found.tool["input_schema"]["properties"]["yes"]["enum"][-1] == "1:30"


def test_a_schema_of_an_unknown_dialect_is_refused_and_one_of_an_old_one_is_not() -> None:
    alien = {"$schema": "https://tools.example/dialect", "type": "object"}
    old = {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"}

    assert codes(only_faulty(read_value([mcp_tool(inputSchema=alien)]))) == {"invalid_schema"}
    assert only(read_value([mcp_tool(inputSchema=old)])).tool["input_schema"] == old
