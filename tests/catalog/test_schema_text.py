"""Schemas are read as typed: strictly, exactly, and with the place of each fault."""

import pytest

from catalog.schema_text import MAX_CHARACTERS, read_schema, write_schema


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Line 1, column 1"),
        ('{"type" "object"}', "Line 1, column 9"),
        ('{"type": "object",\n "type": "object"}', "Line 2, column 2: The key “type” occurs twice"),
        ('{"a": {"b": 1,\n"b": 1}}', "Line 2, column 1"),
        ('{"title": "\\u0000"}', "Line 1, column 11: Text may hold neither"),
        ('{"title": "\\ud800"}', "Line 1, column 11: Text may hold neither"),
        ('{"\\udc00": 1}', "Line 1, column 2: Text may hold neither"),
        ('{"title": "\x00"}', "Line 1, column 12"),
        ('{"maximum": NaN}', "NaN"),
        ('{"maximum": Infinity}', "Infinity"),
        ('{"maximum": 1e999}', "Line 1, column 13: This number is too large"),
        ('{"maximum": ' + "9" * 5000 + "}", "digits"),
        ('{"a": ' * 101 + "1" + "}" * 101, "Nested more than 100 deep"),
        ("[" * 5000, "Nested more than 100 deep"),
        ("[" * 50_000 + "]" * 50_000, "Nested more than 100 deep"),
        ('{"title": "' + '\\"' * 49_000, "Line 1, column 11: Unterminated string"),
        ('{"title": ' + ('"' + "\\" * 9) * 9_900, "Line 1, column"),
        ('{"title": "' + "x" * MAX_CHARACTERS + '"}', "at most"),
        ("[]", "A schema is a JSON object"),
        ('"object"', "A schema is a JSON object"),
        ('{"$ref": "http://example.org/x"}', "points outside"),
        (
            '{\n "properties": {\n  "x": {"type": "strin"}\n }\n}',
            'Line 3, column 17: At /properties/x/type: JSON Schema knows no "strin" there.',
        ),
        ('{"required":\n["a", "a"]}', "Line 2, column 1: At /required"),
        ('{"properties": {"a/b": {"minimum":\n"x"}}}', "Line 2, column 1"),
    ],
)
def test_faults_are_told_with_their_place(text: str, message: str) -> None:
    reading = read_schema(text)
    assert reading.value is None
    assert message in "\n".join(map(str, reading.faults))


def test_every_duplicate_key_is_told() -> None:
    assert len(read_schema('{"a": 1, "a": 2, "b": {"c": 1, "c": 2}}').faults) == 2


def test_integers_stay_exact_and_text_whole() -> None:
    text = (
        '{"type":"object","properties":{"n":{"maximum":9223372036854775807,'
        '"minimum":-9223372036854775808},"t":{"title":"\\ud83d\\ude00 ñ \\" } ] , :"}}}'
    )
    value = read_schema(text).value
    assert value is not None
    assert value["properties"]["n"] == {
        "maximum": 9223372036854775807,
        "minimum": -9223372036854775808,
    }
    assert value["properties"]["t"]["title"] == '😀 ñ " } ] , :'
    assert read_schema(write_schema(value)).value == value


def test_a_hundred_levels_are_fine() -> None:
    text = '{"not": ' * 99 + "{}" + "}" * 99
    assert read_schema(text).faults == ()


def test_a_long_schema_can_be_saved_again() -> None:
    value = {"enum": [[number] for number in range(9_000)]}
    text = write_schema(value)
    assert "\n" not in text
    assert read_schema(text).value == value


def test_no_schema_is_no_text() -> None:
    assert write_schema(None) == ""
