"""One canonical name a tool; what meets is an error and never an overwrite."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.reading.names import canonical_name
from tests.catalog.reading.made import codes, mcp_tool, only, only_faulty, read_value


@pytest.mark.parametrize(
    ("original", "canonical"),
    [
        ("find_payment", "find_payment"),
        ("send.message", "send_message"),
        ("repo:issues/list", "repo_issues_list"),
        ("Get the weather", "Get_the_weather"),
        ("café", "cafe"),
        ("2fa-check", "_2fa-check"),
        ("-x", "_-x"),
        ("查找", "tool_f3bf0a0c"),
    ],
)
def test_names_are_cleaned(original: str, canonical: str) -> None:
    made = canonical_name(original)

    assert re.sub("[0-9a-f]{8}$", "", made) == re.sub("[0-9a-f]{8}$", "", canonical)
    assert canonical_name(made) == made


def test_a_long_name_ends_in_a_hash_of_its_own() -> None:
    first, second = canonical_name("a" * 65), canonical_name("a" * 66)

    assert len(first) == len(second) == 64
    assert first != second
    assert canonical_name("a" * 64) == "a" * 64


@given(st.text(min_size=1))
def test_every_name_becomes_one_that_every_provider_takes(original: str) -> None:
    made = canonical_name(original)

    assert re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]{0,63}", made)
    assert canonical_name(made) == made


def test_letters_that_are_lost_leave_a_hash() -> None:
    assert canonical_name("создать") != canonical_name("удалить")
    assert canonical_name("поиск_search").startswith("search_")


def test_the_original_is_kept_as_an_alias() -> None:
    found = only(read_value([mcp_tool("send.message")]))

    assert found.tool["name"] == "send_message"
    assert found.tool["aliases"] == ["send.message"]
    assert "name_cleaned" in codes(found)


def test_of_two_names_that_meet_the_one_written_so_goes_in() -> None:
    reading = read_value([mcp_tool("send.message"), mcp_tool("send_message")])

    assert [found.tool["name"] for found in reading.found] == ["send_message"]
    assert reading.found[0].place == "[1]"
    assert [codes(faulty) for faulty in reading.faulty] == [{"name_taken"}]
    assert reading.faulty[0].name == "send.message"


def test_of_two_cleaned_names_that_meet_neither_goes_in() -> None:
    reading = read_value([mcp_tool("a.b"), mcp_tool("c"), mcp_tool("a/b")])

    assert [found.tool["name"] for found in reading.found] == ["c"]
    assert [faulty.name for faulty in reading.faulty] == ["a.b", "a/b"]
    assert "a/b" in reading.faulty[0].faults[0].message


def test_a_name_that_occurs_twice_is_told() -> None:
    reading = read_value([mcp_tool("a.b"), mcp_tool("a.b"), mcp_tool("d"), mcp_tool("d")])

    assert [found.place for found in reading.found] == ["[0]", "[2]"]
    assert [codes(faulty) for faulty in reading.faulty] == [{"repeated_name"}] * 2


def test_names_that_differ_in_case_only_are_told() -> None:
    reading = read_value([mcp_tool("getUser"), mcp_tool("GetUser")])

    assert [found.tool["name"] for found in reading.found] == ["getUser"]
    assert codes(reading.faulty[0]) == {"case_only"}


@pytest.mark.parametrize("name", ["request_group", "Request_Group", "request.group"])
def test_the_reserved_name_is_refused(name: str) -> None:
    assert codes(only_faulty(read_value([mcp_tool(name)]))) == {"reserved_name"}


@pytest.mark.parametrize("name", [None, "", "  ", 3])
def test_a_tool_without_a_name_takes_no_neighbour_along(name: object) -> None:
    reading = read_value([mcp_tool() | {"name": name}, mcp_tool("good")])

    assert codes(reading.faulty[0]) == {"no_name"}
    assert [found.tool["name"] for found in reading.found] == ["good"]
