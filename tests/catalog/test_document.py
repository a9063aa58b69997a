"""The canonical document: its bytes, its schema and the checks before publishing."""

import copy
import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

import catalog.document
from catalog.document import (
    canonical_bytes,
    check,
    parse,
    pattern_problem,
    schema_problems,
    sha256_hex,
)
from catalog.samples import SAMPLES, load_sample

SCHEMA = json.loads(
    Path(catalog.document.__file__).with_name("document.schema.json").read_text("utf-8")
)
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text("ab\u00e9\u4e2d\U0001f600"), inner),
)


@given(json_values)
def test_canonical_bytes_read_back_as_the_same_value(value: Any) -> None:
    assert json.loads(canonical_bytes(value)) == value
    assert canonical_bytes(json.loads(canonical_bytes(value))) == canonical_bytes(value)


def test_canonical_bytes_are_as_documented() -> None:
    value = {"b": [1, 2.5, None], "a": "é\u2028\n", "bound": 2**63 - 1}

    assert canonical_bytes(value) == (
        '{"a":"é\u2028\\n","b":[1,2.5,null],"bound":9223372036854775807}'.encode()
    )


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "\ud800"])
def test_what_json_cannot_carry_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match=r"."):
        canonical_bytes(value)


def test_equal_content_has_an_equal_hash() -> None:
    assert sha256_hex(canonical_bytes({"a": 1, "b": 2})) == sha256_hex(
        canonical_bytes({"b": 2, "a": 1})
    )
    assert parse(b'{"a":1}') == {"a": 1}


@pytest.fixture(params=SAMPLES)
def document(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Return a sample as it would be frozen the first time."""
    return frozen(request.param)


def frozen(name: str) -> dict[str, Any]:
    value = load_sample(name)
    tools = [{**tool, "revision": 1} for tool in value["tools"]]
    return {"format": 1, **value, "tools": tools}


def test_samples_keep_the_published_schema(document: dict[str, Any]) -> None:
    jsonschema_rs.validate(SCHEMA, document)


def test_samples_can_be_published(document: dict[str, Any]) -> None:
    assert check(document) == []


def spoil_default(document: dict[str, Any]) -> None:
    document["default_tools"] = ["settle_bill"]


def spoil_always_on(document: dict[str, Any]) -> None:
    document["always_on"] = ["settle_bill"]


def spoil_name(document: dict[str, Any]) -> None:
    document["groups"][0]["tools"].append("no_such_tool")


def spoil_letter_case(document: dict[str, Any]) -> None:
    document["tools"].append({**document["tools"][0], "name": "FIND_payment"})


def spoil_schema(document: dict[str, Any]) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "objekt"}}}
    document["tools"][0]["input_schema"] = schema


def spoil_input(document: dict[str, Any]) -> None:
    document["tools"][0]["input_schema"] = {"type": "string"}


def spoil_pattern(document: dict[str, Any]) -> None:
    rule: dict[str, list[str]] = {
        "add_tools": [],
        "remove_tools": [],
        "add_groups": [],
        "remove_groups": [],
    }
    document["keyword_rules"].append({"pattern": "(?=look)", **rule})


def spoil_route(document: dict[str, Any]) -> None:
    document["routes"].append(
        {"name": "r", "tools": ["settle_bill"], "groups": [], "side_effects": ["write"]}
    )


def spoil_phase(document: dict[str, Any]) -> None:
    document["always_on"] = []
    document["phases"].append(
        {"name": "p", "description": "", "tools": ["settle_bill"], "groups": [], "next": []}
    )


def spoil_initial_phase(document: dict[str, Any]) -> None:
    document["settings"]["initial_phase"] = "nowhere"


@pytest.mark.parametrize(
    ("spoil", "code", "place"),
    [
        (spoil_default, "fallback_with_side_effect", ("tools", "settle_bill")),
        (spoil_always_on, "fallback_with_side_effect", ("tools", "settle_bill")),
        (spoil_name, "unknown_name", ("groups", "billing")),
        (spoil_letter_case, "colliding_names", ("tools", "FIND_payment")),
        (spoil_schema, "invalid_schema", ("tools", "find_payment")),
        (spoil_input, "input_is_no_object", ("tools", "find_payment")),
        (spoil_pattern, "invalid_pattern", ("keyword_rules", "1")),
        (spoil_route, "route_without_default", ("routes", "r")),
        (spoil_phase, "phase_without_read_tool", ("phases", "p")),
        (spoil_initial_phase, "unknown_name", ("settings", "initial_phase")),
    ],
)
def test_faults_are_found_with_their_place(spoil: Any, code: str, place: tuple[str, str]) -> None:
    document = copy.deepcopy(frozen("back-office"))
    spoil(document)

    problems = check(document)

    assert [(problem.code, problem.place) for problem in problems] == [(code, place)]
    assert problems[0].message


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "https://example.com/schema.json"},
        {"properties": {"a": {"$ref": "file:///etc/passwd"}}},
        {"$schema": "https://example.com/dialect"},
        {"properties": {"a": {"$ref": "#/$defs/none"}}},
        {"properties": {"a": {"pattern": "(a+)+(?=b)"}}},
        {"type": "objekt"},
        "no object",
        None,
    ],
)
def test_schemas_that_cannot_be_used_are_refused(schema: object) -> None:
    assert schema_problems(schema)


def test_a_property_may_be_called_ref() -> None:
    assert schema_problems({"properties": {"$ref": {"type": "string"}}}) == []


def test_patterns_are_re2() -> None:
    assert pattern_problem(r"\b(deploy|release)\b") is None
    assert "invalid perl operator" in (pattern_problem("(?=a)") or "")
