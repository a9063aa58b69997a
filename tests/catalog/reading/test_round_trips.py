"""A tool that goes out and is read again is what it was, as far as the format carries it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.document import canonical_bytes, schema_problems
from catalog.formats import FORMATS, encode
from catalog.formats.carried import ALTERED, CARRIED
from catalog.formats.keywords import with_items
from catalog.reading import read
from catalog.reading.settling import ASSUMED
from catalog.samples import SAMPLES, load_sample
from tests.catalog.reading.made import only

DOCS = Path(__file__).parents[3] / "docs" / "formats.md"

WORDS = st.text("abcé査 <&\n\"'", min_size=1, max_size=30).filter(str.strip)
KEYS = st.text("ab_.$[]-é ", min_size=1, max_size=6)
LEAVES = st.sampled_from(
    [
        True,
        {"type": "string", "minLength": 1},
        {"type": ["integer", "null"], "maximum": 2**63 - 1},
        {"enum": [None, "", 3, "a"]},
        {"const": "a"},
        {"$ref": "#/$defs/again"},
        {"type": "array"},
    ]
)
SCHEMAS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        inner.map(lambda item: {"type": "array", "items": item}),
        st.dictionaries(KEYS, inner, max_size=3).map(
            lambda named: {"type": "object", "properties": named}
        ),
        st.lists(inner, min_size=1, max_size=2).map(lambda choices: {"anyOf": choices}),
    ),
    max_leaves=6,
)
INPUTS = st.dictionaries(KEYS, SCHEMAS, max_size=4).map(
    lambda named: {
        "properties": named,
        "required": sorted(named)[:1],
        "$defs": {"again": {"type": "object", "properties": {"more": {"$ref": "#/$defs/again"}}}},
    }
)


@st.composite
def tools(draw: st.DrawFn) -> dict[str, Any]:
    return {
        **ASSUMED,
        "name": draw(st.from_regex(r"[A-Za-z_][A-Za-z0-9_-]{0,63}", fullmatch=True)),
        "title": draw(st.just("") | WORDS),
        "description": draw(WORDS),
        "tags": draw(st.lists(WORDS, max_size=2)),
        "input_schema": draw(INPUTS),
        "output_schema": draw(st.none() | INPUTS),
        "side_effect": draw(st.sampled_from(["read", "write", "destructive"])),
        "idempotent": draw(st.booleans()),
        "open_world": draw(st.booleans()),
        "timeout_ms": draw(st.integers(1, 3_600_000)),
        "aliases": draw(st.lists(WORDS, max_size=2)),
        "revision": 3,
    }


def altered(tool: dict[str, Any], format_name: str) -> dict[str, Any]:
    """Return a tool with what ``ALTERED`` says of a format done to it."""
    said = " ".join(ALTERED[format_name])
    schema = tool["input_schema"]
    if "type: object" in said:
        schema = {"type": "object", **schema}
    if "items: {}" in said:
        schema = with_items(schema)
    return tool | {"input_schema": schema}


@pytest.mark.parametrize("format_name", [name for name in FORMATS if name != "prompt"])
@given(tool=tools())
def test_what_a_format_carries_comes_back(format_name: str, tool: dict[str, Any]) -> None:
    if tool["name"].lower() == "request_group":
        return
    assert schema_problems(tool["input_schema"]) == []
    sent = b"[" + encode(tool, format_name=format_name) + b"]"
    for asked in (None, format_name):
        found = only(read(sent, format_name=asked))
        expected = altered(tool, format_name)
        for field in CARRIED[format_name]:
            assert found.tool[field] == expected[field], field
        assert not [note for note in found.notes if not note.code.startswith("effects_")]


@pytest.mark.parametrize("format_name", FORMATS)
@pytest.mark.parametrize("sample", SAMPLES)
def test_samples_come_back(sample: str, format_name: str) -> None:
    tools_of_sample = json.loads(canonical_bytes(load_sample(sample)["tools"]))
    sent = [FORMATS[format_name](tool) for tool in tools_of_sample]
    text = "\n".join(map(str, sent)) if format_name == "prompt" else json.dumps(sent)
    reading = read(text)

    assert reading.format_name == format_name
    assert len(reading.found) == len(tools_of_sample)
    for found, tool in zip(reading.found, tools_of_sample, strict=True):
        expected = altered(tool, format_name)
        for field in CARRIED[format_name]:
            if format_name == "prompt" and field == "input_schema":
                assert list(found.tool[field]["properties"]) == list(tool[field]["properties"])
                assert set(found.tool[field].get("required", [])) == set(
                    tool[field].get("required", [])
                )
            else:
                assert found.tool[field] == expected[field], field


def test_what_is_not_carried_is_not_said() -> None:
    tool = load_sample(SAMPLES[0])["tools"][0]
    for format_name, fields in CARRIED.items():
        text = encode(tool, format_name=format_name).decode()
        found = only(read(json.loads(text) if format_name == "prompt" else f"[{text}]"))
        assert found.said <= set(fields) | {"aliases"}


def test_the_docs_print_the_tables() -> None:
    text = DOCS.read_text("utf-8")
    rows = dict(re.findall(r"^\| `([a-z-]+)` \| (.+) \|$", text, re.MULTILINE))

    assert rows == {
        name: f"{_fields(name)} | {'; '.join(ALTERED[name]) or 'nothing'}" for name in FORMATS
    }


def _fields(name: str) -> str:
    everything = len(CARRIED["native"])
    fields = CARRIED[name]
    return "every field" if len(fields) == everything else ", ".join(f"`{one}`" for one in fields)
