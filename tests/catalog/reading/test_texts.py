"""JSON and YAML as they come: nothing is overwritten unseen, and nothing crashes the reader."""

import json
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from catalog.reading import read
from catalog.reading.parsing import parse
from catalog.reading.results import Faulted
from catalog.reading.yaml_text import parse_yaml
from tests.catalog.reading.made import codes, mcp_tool, only


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: no", {"a": "no"}),
        ("no: 1", {"no": 1}),
        ("a: 2015-02-22", {"a": "2015-02-22"}),
        ("200: x", {"200": "x"}),
        ("a: 12:30:00", {"a": "12:30:00"}),
        ("a: 0o17", {"a": 15}),
        ("a: 010", {"a": 10}),
        ("a: 0xff", {"a": 255}),
        ("a: 1_000", {"a": "1_000"}),
        ("a: 1.5e3", {"a": 1500.0}),
        ("a: ~\nb:\nc: null", {"a": None, "b": None, "c": None}),
        ("a: 'true'\nb: true", {"a": "true", "b": True}),
        ("a: 9223372036854775807", {"a": 2**63 - 1}),
        ("a: &x {b: 1}\nc: *x", {"a": {"b": 1}, "c": {"b": 1}}),
        (
            "a: &x {b: 1, d: 2}\nc:\n  <<: *x\n  b: 3",
            {"a": {"b": 1, "d": 2}, "c": {"b": 3, "d": 2}},
        ),
        ("a: !!python/object/apply:os.system [x]", {"a": ["x"]}),
    ],
)
def test_yaml_is_read_by_the_core_schema_of_1_2(text: str, value: Any) -> None:
    assert parse(text) == value


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text("ab no1-:#\n\"'é") | st.floats(-9, 9),
    lambda inner: st.lists(inner) | st.dictionaries(st.text("abno1 "), inner),
)


@given(JSON)
def test_yaml_and_json_of_a_value_are_the_value(value: Any) -> None:
    assert parse_yaml(json.dumps(value)) == value
    assert parse_yaml(yaml.safe_dump(value, allow_unicode=True)) == value


def test_aliases_cannot_blow_up() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]

    with pytest.raises(Faulted, match="aliases"):
        parse("\n".join(lines))


def test_an_alias_of_itself_is_refused() -> None:
    assert read("a: &a [*a]").faults[0].code == "no_json"


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "- " * 5000, "[" * 900 + "\n"])
def test_what_is_nested_too_deep_is_told(text: str) -> None:
    reading = read(text)

    assert reading.faults
    assert reading.faults[0].message


def test_a_schema_nested_too_deep_takes_no_neighbour_along() -> None:
    deep: dict[str, Any] = {"type": "object"}
    for _ in range(120):
        deep = {"type": "object", "properties": {"a": deep}}
    reading = read(json.dumps([mcp_tool("deep", inputSchema=deep), mcp_tool("good")]))

    assert codes(reading.faulty[0]) == {"too_deep"}
    assert [found.tool["name"] for found in reading.found] == ["good"]


@pytest.mark.parametrize(
    ("schema", "code"),
    [
        ('{"type":"object","minimum":NaN}', "no_number"),
        ('{"type":"object","maxProperties":1e999}', "no_number"),
        ('{"type":"object","maximum":' + "9" * 5000 + "}", "no_number"),
        ('{"type":"object","title":"\\ud800"}', "no_text"),
        ('{"type":"object","title":"\\u0000"}', "no_text"),
        ('{"type":"object","type":"string"}', "key_twice"),
        ('{"properties":{"a":{},"a":{}}}', "key_twice"),
    ],
)
def test_what_nothing_can_store_takes_no_neighbour_along(schema: str, code: str) -> None:
    good = json.dumps(mcp_tool("good"))
    reading = read(f'[{{"name":"bad","inputSchema":{schema}}},{good}]')

    assert codes(reading.faulty[0]) == {code}
    assert [found.tool["name"] for found in reading.found] == ["good"]


def test_a_key_twice_in_yaml_is_told_too() -> None:
    reading = read("- name: a\n  name: b\n  inputSchema: {}\n- name: c\n  inputSchema: {}\n")

    assert codes(reading.faulty[0]) == {"key_twice"}
    assert [found.tool["name"] for found in reading.found] == ["c"]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"\xff\xfe{", "no_utf8"),
        ("", "no_tools"),
        ("{", "no_json"),
        ('{"a": }', "no_json"),
        ("7", "unknown_format"),
        ("[]", "no_tools"),
        ('{"tools": []}', "no_tools"),
        ('{"swagger": "2.0"}', "old_openapi"),
        ('{"openapi": "3.1.0"}', "no_tools"),
    ],
)
def test_what_is_no_list_of_tools_is_told(content: bytes | str, code: str) -> None:
    assert [fault.code for fault in read(content).faults] == [code]


def test_a_byte_order_mark_is_no_fault() -> None:
    assert only(read(b"\xef\xbb\xbf" + json.dumps([mcp_tool()]).encode())).tool["name"] == "find"


@given(st.text() | st.binary())
def test_nothing_crashes_the_reader(content: str | bytes) -> None:
    reading = read(content)

    assert reading.entries or reading.faults


def test_an_unknown_format_is_the_callers_fault() -> None:
    with pytest.raises(ValueError, match="soap"):
        read("[]", format_name="soap")
