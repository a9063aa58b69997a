"""Tools in the formats of their takers."""

import json

import pytest

from catalog.formats import FORMATS, TITLES, encode
from catalog.formats.prompt import type_name
from catalog.samples import SAMPLES, load_sample
from catalog.tokens import count_tokens

TOOL = {
    "name": "find_payment",
    "description": "Find a payment.\nBy its order.",
    "input_schema": {
        "properties": {
            "order": {"type": "string"},
            "kind": {"enum": ["card", "cash"]},
            "days": {"type": ["integer", "null"]},
            "tags": {"type": "array", "items": {"type": "string"}},
            "anything": True,
        },
        "required": ["order"],
    },
}


def test_every_format_has_a_title() -> None:
    assert set(TITLES) == set(FORMATS)


def test_openai() -> None:
    assert json.loads(encode(TOOL, format_name="openai")) == {
        "type": "function",
        "function": {
            "name": "find_payment",
            "description": "Find a payment.\nBy its order.",
            "parameters": TOOL["input_schema"],
        },
    }


def test_anthropic_says_that_the_input_is_an_object() -> None:
    value = json.loads(encode(TOOL, format_name="anthropic"))

    assert list(value) == ["name", "description", "input_schema"]
    assert value["input_schema"]["type"] == "object"


def test_prompt_is_one_line() -> None:
    assert json.loads(encode(TOOL, format_name="prompt")) == (
        '- find_payment(order: string, kind?: "card" | "cash", days?: integer | null, '
        "tags?: string[], anything?: any): Find a payment. By its order."
    )


@pytest.mark.parametrize("schema", [None, True, {}, {"type": "array"}, {"$ref": "#/x"}])
def test_types_that_say_nothing_are_any(schema: object) -> None:
    assert "any" in type_name(schema)


@pytest.mark.parametrize("format_name", FORMATS)
@pytest.mark.parametrize("sample", SAMPLES)
def test_every_sample_tool_encodes_as_compact_utf8(sample: str, format_name: str) -> None:
    for tool in load_sample(sample)["tools"]:
        content = encode(tool, format_name=format_name)
        assert json.loads(content)
        assert b"\\u00" not in content


def test_tokens_are_those_of_o200k() -> None:
    # Known from the vocabulary's own documentation.
    assert count_tokens("tiktoken is great!") == 6
    assert count_tokens("") == 0
