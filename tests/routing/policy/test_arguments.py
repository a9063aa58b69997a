"""Arguments: what is wrong with them, what is dropped, and how they are known again."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from routing.policy.arguments import (
    Schema,
    canonical_json,
    canonical_sha256,
    check_arguments,
    unsafe_places,
)
from routing.policy.faults import LONGEST, MOST_FAULTS

ADDRESS = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "zip": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
ORDER = Schema(
    {
        "type": "object",
        "$defs": {"address": ADDRESS},
        "properties": {
            "to": {"$ref": "#/$defs/address"},
            "lines": {
                "type": "array",
                "items": {"type": "object", "properties": {"price": {"type": "number"}}},
            },
            "due": {"type": "string", "format": "date"},
            "note": {"type": ["string", "null"]},
            "state": {"enum": ["open", "paid"]},
            "by": {"anyOf": [{"type": "integer"}, ADDRESS]},
        },
        "required": ["to"],
        "additionalProperties": False,
    },
    formats=True,
)


def faults(arguments: dict[str, Any]) -> dict[str, str]:
    return {fault.path: fault.message for fault in check_arguments(ORDER, arguments).faults}


def test_every_fault_has_its_place_and_says_how_to_mend_it() -> None:
    assert faults(
        {
            "to": {"city": 7, "street": "x"},
            "lines": [{"price": 1}, {"price": "2"}],
            "due": "tomorrow",
            "state": "lost",
            "odd name": 1,
            "by": "me",
        }
    ) == {
        "to.city": 'is not of type "string"',
        "to.street": "is not among the properties that are known here",
        "lines[1].price": 'is not of type "number"',
        "due": 'is not a "date"',
        "state": 'is not one of "open" or "paid"',
        '["odd name"]': "is not among the properties that are known here",
        "by": 'fits none of the shapes that are allowed: by is not of type "integer"; or '
        'by is not of type "object"',
    }
    assert faults({}) == {"to": "is required and missing"}


def test_messages_never_quote_what_was_sent() -> None:
    secret = "4111 1111 1111 1111"
    told = faults(
        {"to": {"city": "x"}, "due": secret, "state": secret, "by": secret, "lines": secret}
    )

    assert len(told) == 4
    assert secret not in str(told)


def test_faults_and_messages_are_bounded() -> None:
    many = check_arguments(ORDER, {"to": {"city": "x"}, "lines": ["x"] * 10_000})
    assert len(many.faults) == MOST_FAULTS
    wide = Schema({"enum": ["x" * 50 + str(n) for n in range(100)]}, formats=False)
    assert all(len(fault.message) <= LONGEST for fault in wide.faults(1))


def test_nulls_of_optional_properties_are_dropped_where_they_do_not_stand() -> None:
    checked = check_arguments(
        ORDER,
        {
            "to": {"city": "x", "zip": None},
            "lines": [{"price": None}, {"price": 1}],
            "due": None,
            "note": None,
            "by": {"city": "y", "zip": None},
        },
    )

    assert checked.faults == ()
    assert checked.value == {
        "to": {"city": "x"},
        "lines": [{}, {"price": 1}],
        "note": None,  # this one has a meaning
        "by": {"city": "y"},
    }


def test_what_was_sent_is_not_changed() -> None:
    sent: dict[str, Any] = {"to": {"city": "x", "zip": None}}
    check_arguments(ORDER, sent)

    assert sent == {"to": {"city": "x", "zip": None}}


def test_a_required_null_is_missing() -> None:
    assert faults({"to": None}) == {"to": "is required and missing"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ({"a": 1}, {"a": 1.0}),
        ({"a": [1e2]}, {"a": [100]}),
        ({"a": 0}, {"a": -0.0}),
    ],
)
def test_equal_arguments_have_equal_hashes(one: object, other: object) -> None:
    assert canonical_sha256(one) == canonical_sha256(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a": 1}, {"a": "1"}),
        ({"a": 1}, {"a": True}),
        ({"a": 2**63}, {"a": 2**63 + 1}),
        ({"a": "é"}, {"a": "e\u0301"}),
        ({"a": None}, {}),
        ({"a": [1, 2]}, {"a": [2, 1]}),
    ],
)
def test_other_arguments_have_other_hashes(one: object, other: object) -> None:
    assert canonical_sha256(one) != canonical_sha256(other)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=10,
)


@given(JSON)
def test_any_json_has_a_hash_and_keeps_it_when_it_is_read_again(value: object) -> None:
    import json

    if not list(unsafe_places(value, at="x")):
        assert canonical_sha256(json.loads(canonical_json(value))) == canonical_sha256(value)


@given(st.dictionaries(st.text(max_size=5), JSON))
def test_checking_never_fails_and_checking_twice_changes_nothing(arguments: dict[str, Any]) -> None:
    if any(unsafe_places(arguments, at="x")):
        return
    once = check_arguments(ORDER, arguments)
    twice = check_arguments(ORDER, once.value)

    assert once == twice


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ({"a": ["\0"]}, "x.a[0]"),
        ({"a": {"b": "\ud800"}}, "x.a.b"),
        ({"a\0": 1}, "x"),
        ({"a": float("inf")}, "x.a"),
        ({"a": float("nan")}, "x.a"),
    ],
)
def test_what_no_database_holds_is_found(value: object, path: str) -> None:
    assert [fault.path for fault in unsafe_places(value, at="x")] == [path]
