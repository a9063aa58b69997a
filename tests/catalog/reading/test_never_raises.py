"""Whatever stands where something else should: entries or faults come of it, and no exception."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.document import schema_problems
from catalog.reading import read
from tests.catalog.reading.made import body, mcp_tool, openapi

REF = {"$ref": "#/components/schemas/A"}
OPERATION = {
    "operationId": "do",
    "summary": "Do",
    "tags": ["a"],
    "parameters": [{"name": "a", "in": "query", "schema": {"type": "string", "nullable": True}}],
    "requestBody": body(
        {"allOf": [REF, {"properties": {"b": {"enum": ["x"]}}, "required": ["b"]}]}
    ),
    "responses": {"200": {"description": "ok", "content": {"application/json": {"schema": REF}}}},
}
SOURCES: list[Any] = [
    openapi(
        {"/a/{id}": {"post": OPERATION, "parameters": [{"$ref": "#/components/parameters/P"}]}},
        components={
            "schemas": {"A": {"type": "object", "properties": {"a": REF, "c": {"readOnly": True}}}},
            "parameters": {"P": {"name": "id", "in": "path", "required": True, "schema": REF}},
        },
    ),
    {"tools": [mcp_tool("a", title="A", outputSchema={"type": "object"}), mcp_tool("b")]},
    [{"type": "function", "function": {"name": "a", "parameters": {"type": "object"}}}],
    {"function_declarations": [{"name": "a", "parameters": {"type": "OBJECT", "properties": {}}}]},
    [{"name": "a", "side_effect": "read", "tags": ["t"], "timeout_ms": 5, "input_schema": {}}],
]
WRITTEN = [json.dumps(source) for source in SOURCES]
VALUES: list[Any] = [
    None,
    True,
    0,
    -1.5,
    "",
    "$ref",
    "object",
    10**30,
    [],
    [None],
    [[]],
    ["object"],
]
OBJECTS: list[Any] = [{}, {"$ref": 3}, {"$ref": "#/x"}, REF, {"type": []}, {"": {}}]
ODD = st.sampled_from([json.dumps(value) for value in (*VALUES, *OBJECTS)])


def places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    return [at, *(place for key, item in inner for place in places(item, (*at, key)))]


@st.composite
def mutants(draw: st.DrawFn) -> Any:
    value = json.loads(draw(st.sampled_from(WRITTEN)))
    for _ in range(draw(st.integers(1, 3))):
        known = (
            [place for place in places(value) if place] if isinstance(value, dict | list) else []
        )
        if not known:
            break
        *steps, last = draw(st.sampled_from(known))
        holder = value
        for step in steps:
            holder = holder[step]
        holder[last] = json.loads(draw(ODD))
    return value


@given(mutants())
@settings(max_examples=400)
def test_a_document_with_odd_places_is_read_or_told(document: Any) -> None:
    reading = read(json.dumps(document))

    assert reading.entries or reading.faults
    for entry in reading.faulty:
        assert all(fault.message for fault in entry.faults)
    for found in reading.found:
        assert all(note.message for note in found.notes)
        assert schema_problems(found.tool["input_schema"]) == []
        assert all(isinstance(found.tool[key], str) for key in ("name", "title", "description"))
    assert all(remark.message for remark in (*reading.notes, *reading.faults))
