"""Tools as the Model Context Protocol and as Gemini take them."""

import json
from typing import Any

import pytest

from catalog.formats import encode
from catalog.samples import SAMPLES, load_sample

TOOL: dict[str, Any] = {
    "name": "settle_bill",
    "title": "Settle a bill",
    "description": "Settle.",
    "input_schema": {"properties": {"bills": {"type": "array"}, "items": {"type": "string"}}},
    "output_schema": {"type": "object"},
    "side_effect": "write",
    "idempotent": True,
    "open_world": False,
}


def test_mcp_says_every_hint() -> None:
    value = json.loads(encode(TOOL, format_name="mcp"))

    assert value == {
        "name": "settle_bill",
        "title": "Settle a bill",
        "description": "Settle.",
        "inputSchema": {"type": "object", **TOOL["input_schema"]},
        "outputSchema": {"type": "object"},
        "annotations": {
            "readOnlyHint": False,
            "destructiveHint": False,
            "idempotentHint": True,
            "openWorldHint": False,
        },
    }


@pytest.mark.parametrize(
    ("effect", "hints"),
    [("read", (True, False)), ("write", (False, False)), ("destructive", (False, True))],
)
def test_mcp_hints_are_of_the_side_effect(effect: str, hints: tuple[bool, bool]) -> None:
    said = json.loads(encode(TOOL | {"side_effect": effect}, format_name="mcp"))["annotations"]

    assert (said["readOnlyHint"], said["destructiveHint"]) == hints


def test_mcp_leaves_out_what_a_tool_has_not() -> None:
    value = json.loads(encode(TOOL | {"title": "", "output_schema": None}, format_name="mcp"))

    assert list(value) == ["name", "description", "inputSchema", "annotations"]


def test_gemini_takes_json_schema_whose_arrays_have_items() -> None:
    value = json.loads(encode(TOOL, format_name="gemini"))

    assert list(value) == ["name", "description", "parameters_json_schema"]
    assert value["parameters_json_schema"] == {
        "type": "object",
        "properties": {"bills": {"type": "array", "items": {}}, "items": {"type": "string"}},
    }


@pytest.mark.parametrize("format_name", ["openai", "openai-responses"])
def test_openai_wants_items_too(format_name: str) -> None:
    assert b'{"type":"array","items":{}}' in encode(TOOL, format_name=format_name)


@pytest.mark.parametrize("sample", SAMPLES)
def test_gemini_takes_the_parameter_names_of_the_samples(sample: str) -> None:
    for tool in load_sample(sample)["tools"]:
        value = json.loads(encode(tool, format_name="gemini"))
        assert not any("-" in name for name in value["parameters_json_schema"]["properties"])
