"""Each field is merged by who changed it since the source last spoke."""

from typing import Any

import pytest

from catalog.importing.merging import FieldChange, merge, said_by, same
from catalog.reading import Found
from tests.catalog.importing.made import tool_here
from tests.catalog.reading.made import mcp_tool, only, read_value

OLD, NEW, MINE = "Find.", "Find a payment.", "Find what was paid."


def read_mcp(**more: Any) -> Found:
    return only(read_value([mcp_tool(**more)]))


def merged(here: dict[str, Any], before: dict[str, Any] | None, **there: Any) -> list[FieldChange]:
    return list(merge(here=here, found=read_mcp(**there), before=before, format_name="mcp"))


@pytest.mark.parametrize(
    ("before", "here", "there", "change"),
    [
        (OLD, OLD, OLD, None),
        (OLD, OLD, NEW, FieldChange("description", OLD, NEW, taken=True)),
        (OLD, MINE, OLD, FieldChange("description", MINE, OLD, taken=False)),
        (OLD, MINE, NEW, FieldChange("description", MINE, NEW, taken=False, both=True)),
        (OLD, NEW, NEW, None),
        (None, MINE, NEW, FieldChange("description", MINE, NEW, taken=False)),
        (None, "", NEW, FieldChange("description", "", NEW, taken=True)),
        (None, NEW, NEW, None),
    ],
)
def test_who_alone_changed_a_field_wins(
    before: str | None, here: str, there: str, change: FieldChange | None
) -> None:
    said = None if before is None else said_by(read_mcp(description=before))

    assert merged(tool_here(description=here), said, description=there) == (
        [] if change is None else [change]
    )


def test_what_the_source_does_not_speak_of_stays() -> None:
    local: dict[str, Any] = {
        "category": "billing",
        "enabled": False,
        "examples": ["find it"],
        "needs_approval": True,
        "owner": "finance",
        "scopes": ["pay"],
        "timeout_ms": 5,
    }

    assert merged(tool_here(**local), said_by(read_mcp())) == []
    assert merged(tool_here(**local), None) == []


def test_an_effect_that_was_assumed_is_told_by_the_source_or_by_a_person() -> None:
    silent = said_by(read_mcp(annotations=None))
    assumed = tool_here(side_effect="destructive")

    (told,) = merged(assumed, silent)
    assert (told.field, told.there, told.taken) == ("side_effect", "read", True)
    (kept,) = merged(tool_here(side_effect="write"), silent)
    assert (kept.field, kept.taken, kept.both) == ("side_effect", False, True)


def test_what_the_source_no_longer_says_is_as_if_it_never_had() -> None:
    before = said_by(read_mcp(title="Finder"))

    assert merged(tool_here(title="Finder"), before) == [
        FieldChange("title", "Finder", "", taken=True)
    ]
    assert merged(tool_here(title="My finder"), before) == [
        FieldChange("title", "My finder", "", taken=False, both=True)
    ]


def test_what_a_format_cannot_say_is_not_taken_back() -> None:
    before = said_by(read_mcp(title="Finder"))
    openai = only(read_value([{"type": "function", "name": "find", "description": OLD}]))
    here = tool_here(title="Finder", input_schema=openai.tool["input_schema"])

    assert merge(here=here, found=openai, before=before, format_name="openai-responses") == ()


def test_aliases_of_both_sides_are_joined() -> None:
    before = said_by(read_mcp(name="send.it"))
    here = tool_here("send_it", aliases=["send.it", "post_it"])

    assert merged(here, before, name="send.it") == []
    assert merged(tool_here("send_it", aliases=["post_it"]), None, name="send.it") == [
        FieldChange("aliases", ["post_it"], ["post_it", "send.it"], taken=True)
    ]
    # Taken away here, it does not come back; nor does one that the source has withdrawn stay.
    assert merged(tool_here("send_it", aliases=[]), before, name="send.it") == []
    withdrawn = merged(here, before | {"aliases": ["send.it", "post_it"]}, name="send.it")
    assert [change.there for change in withdrawn] == [["send.it"]]


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ({"maximum": 1}, {"maximum": 1.0}, True),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"default": True}, {"default": 1}, False),
        ([[False]], [[0]], False),
        ({"maximum": 2**63}, {"maximum": 2**63 - 1}, False),
    ],
)
def test_values_are_compared_as_json(one: Any, other: Any, equal: bool) -> None:
    assert same(one, other) is equal
