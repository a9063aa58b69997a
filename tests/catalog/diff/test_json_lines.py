"""The difference of two values as lines of JSON."""

import json

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from catalog.diff import json_lines

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=20,
)


def shown(before: object, after: object, *, context: int = 3) -> list[str]:
    return [line.sign + line.text for line in json_lines(before, after, context=context)]


def test_what_went_and_came_stands_between_what_stayed() -> None:
    assert shown({"a": 1, "b": [1, 2]}, {"a": 1, "b": [1, 3]}, context=1) == [
        "…",
        "     1,",
        "-    2",
        "+    3",
        "   ]",
        "…",
    ]


def test_one_that_came_or_went_is_shown_whole() -> None:
    assert shown(None, {"é": "“x”"}) == ["+{", '+  "é": "“x”"', "+}"]
    assert shown({"a": 1}, None) == ["-{", '-  "a": 1', "-}"]
    assert shown(None, None) == []


def test_two_long_texts_are_not_compared_for_minutes() -> None:
    lines = json_lines(list(range(3000)), [str(number) for number in range(3000)])
    assert sum(line.sign == "-" for line in lines) == 3000
    assert sum(line.sign == "+" for line in lines) == 3000


def test_what_is_equal_needs_no_line() -> None:
    assert shown({}, {}) == ["…"]


@settings(deadline=None, max_examples=50)
@given(VALUES, VALUES)
def test_both_values_can_be_read_from_it(before: object, after: object) -> None:
    assume(json.dumps(before, sort_keys=True) != json.dumps(after, sort_keys=True))
    lines = json_lines(before, after, context=10_000)
    for value, sign in ((before, "-"), (after, "+")):
        text = "\n".join(line.text for line in lines if line.sign in (" ", sign))
        assert (json.loads(text) if text else None) == value
