"""Operations as tools: ids, parameters, bodies, answers."""

from typing import Any

import pytest

from catalog.reading import read
from tests.catalog.reading.made import (
    body,
    codes,
    only,
    only_faulty,
    openapi,
    operation,
    read_value,
)

PATH_ID = {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}


def schema_of(**said: Any) -> Any:
    return operation(**said).tool["input_schema"]


def test_parameters_of_every_place_are_arguments() -> None:
    parameters = [
        {"name": "a", "in": "query", "schema": {"type": "string"}, "description": "The a."},
        {"name": "X-B", "in": "header", "required": True, "schema": {"type": "string"}},
        {"name": "c", "in": "cookie", "schema": {"type": "string"}},
        {"name": "filter[d].$e", "in": "query", "content": {"application/json": {"schema": {}}}},
    ]
    form = body({"type": "object", "properties": {"f": {}}}, "application/x-www-form-urlencoded")

    assert schema_of(parameters=parameters, requestBody=form) == {
        "type": "object",
        "properties": {
            "a": {"type": "string", "description": "The a."},
            "filter[d].$e": {},
            "X-B": {"type": "string"},
            "c": {"type": "string"},
            "f": {},
        },
        "required": ["X-B"],
    }


def test_a_tool_without_arguments_takes_none() -> None:
    assert schema_of() == {"type": "object", "properties": {}, "additionalProperties": False}


def test_one_name_in_path_and_body_is_two_arguments() -> None:
    schema = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}
    document = openapi({"/a/{id}": {"put": {"parameters": [PATH_ID], "requestBody": body(schema)}}})
    found = only(read_value(document))

    assert found.tool["input_schema"]["properties"] == {
        "id": {"type": "integer"},
        "id_body": {"type": "string"},
    }
    assert found.tool["input_schema"]["required"] == ["id", "id_body"]
    assert "argument_renamed" in codes(found)


def test_arguments_that_cannot_be_told_apart_are_a_fault() -> None:
    schema = {"type": "object", "properties": {"id": {}, "id_body": {}}}
    document = openapi({"/a/{id}": {"put": {"parameters": [PATH_ID], "requestBody": body(schema)}}})

    assert codes(only_faulty(read_value(document))) == {"arguments_meet"}


def test_parameters_of_the_path_item_are_each_operations_own() -> None:
    narrower = PATH_ID | {"schema": {"type": "integer", "minimum": 1}}
    item = {"parameters": [PATH_ID], "get": {}, "delete": {"parameters": [narrower]}}
    get, delete = read_value(openapi({"/a/{id}": item})).found

    assert get.tool["input_schema"]["properties"] == {"id": {"type": "integer"}}
    assert delete.tool["input_schema"]["properties"]["id"]["minimum"] == 1


def test_a_parameter_that_only_the_path_names_is_a_text() -> None:
    found = only(read_value(openapi({"/a/{id}": {"get": {}}})))

    assert found.tool["input_schema"]["required"] == ["id"]
    assert "parameter_undeclared" in codes(found)


def test_headers_of_the_transport_are_left_out() -> None:
    header = {"name": "Authorization", "in": "header", "schema": {"type": "string"}}
    found = operation(parameters=[header])

    assert found.tool["input_schema"]["properties"] == {}
    assert "header_left" in codes(found)


@pytest.mark.parametrize(
    "media", ["application/json; charset=utf-8", "application/vnd.api+json", "multipart/form-data"]
)
def test_media_types_are_read_whatever_their_charset(media: str) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}

    assert schema_of(requestBody=body(schema, media))["properties"] == {"a": {"type": "string"}}


def test_json_goes_before_forms_and_the_others_are_told() -> None:
    content = {
        "multipart/form-data": {"schema": {"type": "object", "properties": {"b": {}}}},
        "application/json": {"schema": {"type": "object", "properties": {"a": {}}}},
    }
    found = operation(requestBody={"content": content})

    assert set(found.tool["input_schema"]["properties"]) == {"a"}
    assert "media_types_left" in codes(found)


def test_a_body_that_is_no_plain_object_is_one_argument() -> None:
    listed = {"type": "array", "items": {"type": "string"}}
    composed = {"oneOf": [{"type": "object"}, {"type": "string"}]}

    for schema in (listed, composed):
        made = schema_of(requestBody=body(schema))
        assert made["properties"] == {"body": schema}
        assert made["required"] == ["body"]


def test_all_of_is_one_object_where_its_branches_are_plain() -> None:
    schemas = {
        "Base": {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
        "Child": {"allOf": [{"$ref": "#/components/schemas/Base"}, {"properties": {"b": {}}}]},
    }
    ref = {"$ref": "#/components/schemas/Child"}
    made = schema_of(schemas=schemas, requestBody=body(ref))

    assert made == {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {}},
        "required": ["a"],
    }


def test_all_of_that_doubles_at_every_level_does_not_blow_up() -> None:
    schemas: dict[str, Any] = {
        f"S{n}": {"allOf": [{"$ref": f"#/components/schemas/S{n + 1}"}] * 2} for n in range(40)
    }
    schemas["S40"] = {"type": "object", "properties": {"a": {}}, "required": ["a"]}
    made = schema_of(schemas=schemas, requestBody=body({"$ref": "#/components/schemas/S0"}))

    assert made["properties"] == {"a": {}}
    assert made["required"] == ["a"]


def test_a_property_that_two_branches_describe_is_both() -> None:
    branches = [{"properties": {"a": {"type": "string"}}}, {"properties": {"a": {"minLength": 1}}}]
    made = schema_of(requestBody=body({"allOf": branches}))

    assert made["properties"] == {"a": {"allOf": [{"type": "string"}, {"minLength": 1}]}}


def test_all_of_with_a_choice_stays_whole() -> None:
    schema = {"allOf": [{"type": "object", "properties": {"a": {}}}, {"oneOf": [{}, {}]}]}

    assert schema_of(requestBody=body(schema))["properties"] == {"body": schema}


def test_read_only_properties_are_not_sent() -> None:
    schema = {
        "type": "object",
        "properties": {"id": {"type": "string", "readOnly": True}, "a": {"type": "string"}},
        "required": ["id", "a"],
    }
    found = operation(requestBody=body(schema))

    assert set(found.tool["input_schema"]["properties"]) == {"a"}
    assert found.tool["input_schema"]["required"] == ["a"]
    assert "read_only_dropped" in codes(found)


def test_write_only_properties_do_not_come_back() -> None:
    schema = {
        "type": "object",
        "properties": {"p": {"writeOnly": True}, "a": {}},
        "required": ["p"],
    }
    answer = {"201": {"content": {"application/json": {"schema": schema}}}}

    assert operation(responses=answer).tool["output_schema"] == {
        "type": "object",
        "properties": {"a": {}},
        "required": [],
    }


def test_ids_that_are_missing_are_made_of_method_and_path() -> None:
    paths: dict[str, Any] = {
        "/a/{b}": {"get": {}},
        "/a/b": {"get": {}},
        "/c": {"get": {}, "post": {}},
    }
    found = read_value(openapi(paths)).found
    names = [entry.tool["name"] for entry in found]

    assert names[2:] == ["get_c", "post_c"]
    assert len(set(names)) == 4
    assert all(name.startswith("get_a_b_") for name in names[:2])
    assert all("name_made" in codes(entry) for entry in found)


def test_one_id_on_several_methods_is_several_tools() -> None:
    item = {"get": {"operationId": "thing"}, "put": {"operationId": "thing"}}
    others = {"get": {"operationId": "same"}}
    reading = read_value(openapi({"/a": item, "/b": others, "/c": others}))
    names = [entry.tool["name"] for entry in reading.found]

    assert names[:2] == ["thing_get", "thing_put"]
    assert len(set(names)) == 4
    assert all("name_shared" in codes(entry) for entry in reading.found)
    assert not reading.faulty


@pytest.mark.parametrize(
    ("method", "effect", "idempotent"),
    [
        ("get", "read", True),
        ("post", "write", False),
        ("put", "write", True),
        ("delete", "destructive", True),
    ],
)
def test_effects_are_what_http_says_of_methods(method: str, effect: str, idempotent: bool) -> None:
    tool = only(read_value(openapi({"/a": {method: {}}}))).tool

    assert (tool["side_effect"], tool["idempotent"]) == (effect, idempotent)


def test_a_faulty_operation_takes_no_neighbour_along() -> None:
    bad = {"operationId": "bad", "parameters": [{"$ref": "#/components/parameters/none"}]}
    paths = {"/a": {"get": bad, "put": {"operationId": "good"}}, "/b": 3, "/c": {"get": []}}
    reading = read_value(openapi(paths))

    assert [entry.tool["name"] for entry in reading.found] == ["good"]
    assert {entry.place for entry in reading.faulty} == {"GET /a", "/b", "GET /c"}


def test_yaml_is_read_and_webhooks_are_told() -> None:
    text = """
openapi: 3.1.0
info: {title: T, version: 2015-02-22}
webhooks: {ping: {post: {}}}
paths:
  /answers:
    get:
      operationId: list
      parameters:
        - {name: agreed, in: query, schema: {enum: [no, yes]}}
      responses: {200: {description: ok, content: {application/json: {schema: {type: array}}}}}
"""
    reading = read(text)
    tool = only(reading).tool

    assert tool["input_schema"]["properties"]["agreed"] == {"enum": ["no", "yes"]}
    assert tool["output_schema"] == {"type": "array"}
    assert [note.code for note in reading.notes] == ["webhooks_left"]
