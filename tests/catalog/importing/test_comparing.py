"""What becomes of each tool: nothing is renamed, overwritten or brought back unasked."""

import json

import pytest

from catalog.importing.preview import Kind
from catalog.reading import read
from tests.catalog.importing.made import (
    here,
    kinds,
    only_entry,
    preview,
    spoken,
)
from tests.catalog.reading.made import codes, mcp_tool, openapi, read_value


def remark_codes(entry: object) -> set[str]:
    return {remark.code for remark in getattr(entry, "remarks")}  # noqa: B009


def test_each_tool_is_of_one_kind() -> None:
    tools = [here(1, "same"), here(2, "old"), here(3, "mine", description="M"), here(4, "gone")]
    origins = [spoken(1, "same"), spoken(2, "old"), spoken(3, "mine"), spoken(4, "gone")]
    origins.append(spoken(None, "deleted"))
    document = [
        *(mcp_tool(name) for name in ("same", "mine", "deleted", "fresh")),
        mcp_tool("old", description="Newer."),
        mcp_tool("bad", inputSchema={"type": "array"}),
    ]

    made = preview(document, tools, origins)

    assert kinds(made) == {
        "same": "unchanged",
        "mine": "kept",
        "deleted": "deleted",
        "fresh": "new",
        "old": "changed",
        "bad": "faulty",
        "gone": "gone",
    }
    assert made.counts[Kind.NEW] == 1
    assert made.counts[Kind.REFUSED] == 0
    assert made.whole


def test_a_tool_that_was_renamed_here_stays_the_sources_tool() -> None:
    entry = only_entry(
        [mcp_tool("find", description="Newer.")],
        [here(7, "find_payment")],
        [spoken(7, "find_payment", key="find")],
    )

    assert (entry.kind, entry.key, entry.name, entry.tool) == (
        Kind.CHANGED,
        "find",
        "find_payment",
        7,
    )
    assert [change.field for change in entry.fields] == ["description"]


def test_a_source_that_spells_a_name_in_other_letters_means_the_same_tool() -> None:
    entry = only_entry([mcp_tool("getUser")], [here(1, "getuser")], [spoken(1, "getuser")])

    assert (entry.kind, entry.name, entry.tool) == (Kind.UNCHANGED, "getuser", 1)


def test_a_tool_of_no_source_is_met_by_its_name_and_keeps_what_was_written_here() -> None:
    entry = only_entry(
        [mcp_tool(title="Finder", description="Theirs.")],
        [here(source=None, description="Mine.")],
        [],
    )

    assert entry.kind is Kind.CHANGED
    assert [change.field for change in entry.taken] == ["title"]
    assert [change.field for change in entry.kept] == ["description"]


@pytest.mark.parametrize(
    ("name", "tool", "code"),
    [
        ("find", here(source="gitlab"), "name_of_source"),
        ("Find", here(source=None), "case_here"),
        ("Find", here(source="gitlab"), "case_here"),
        ("seek", here(source=None, aliases=["Seek"]), "alias_here"),
    ],
)
def test_a_name_that_is_another_tools_is_refused(name: str, tool: object, code: str) -> None:
    entry = only_entry([mcp_tool(name)], [tool], [])  # type: ignore[list-item]

    assert entry.kind is Kind.REFUSED
    assert remark_codes(entry) == {code}
    assert entry.remarks[0].message


def test_a_name_that_another_tool_of_the_source_was_given_here_is_refused() -> None:
    made = preview(
        [mcp_tool("find"), mcp_tool("seek")],
        [here(1, "seek")],
        [spoken(1, "seek", key="find")],
    )

    assert kinds(made) == {"find": "unchanged", "seek": "refused"}
    assert remark_codes(made.entries[1]) == {"name_here"}


def test_an_alias_that_means_another_tool_is_left_out_and_told() -> None:
    tools = [here(1, "mail", source=None, aliases=["send.message"])]
    entry = only_entry([mcp_tool("send.message")], tools, [])

    assert (entry.kind, entry.name) == (Kind.NEW, "send_message")
    assert "alias_left" in remark_codes(entry)
    assert entry.found is not None
    assert entry.found.tool["aliases"] == []


def test_a_tool_that_was_deleted_here_comes_back_only_if_its_name_is_free() -> None:
    gone = spoken(None, "find")

    assert not only_entry([mcp_tool()], [], [gone]).blocked
    entry = only_entry([mcp_tool()], [here(5, "seek", source=None, aliases=["find"])], [gone])
    assert (entry.kind, entry.blocked) == (Kind.DELETED, True)
    assert remark_codes(entry) == {"alias_here"}


def test_a_tool_whose_deletion_was_undone_is_the_sources_again() -> None:
    entry = only_entry(
        [mcp_tool(description="Newer.")], [here(9, source=None)], [spoken(None, "find")]
    )

    assert (entry.kind, entry.tool) == (Kind.CHANGED, 9)


def test_a_faulty_tool_is_not_gone() -> None:
    made = preview(
        [mcp_tool("find", inputSchema=3), mcp_tool("good")],
        [here(1), here(2, "good")],
        [spoken(1), spoken(2, "good")],
    )

    assert kinds(made) == {"find": "faulty", "good": "unchanged"}
    assert made.whole


def test_nothing_is_known_to_be_gone_where_the_list_goes_on_or_a_tool_has_no_name() -> None:
    tools, origins = [here(1), here(2, "good")], [spoken(1), spoken(2, "good")]
    page = read(json.dumps({"tools": [mcp_tool("good")], "nextCursor": "2"}))
    nameless = read_value([mcp_tool("good"), {"inputSchema": {}}])

    assert not preview(page, tools, origins).whole
    assert not preview(nameless, tools, origins).whole
    assert preview([mcp_tool("good")], tools, origins).whole


def test_a_faulty_operation_is_none_that_is_gone_though_several_have_its_id() -> None:
    tools, origins = [here(1, "do_get")], [spoken(1, "do_get")]
    bad = {"operationId": "do", "parameters": [3]}
    good = {"operationId": "do"}
    made = preview(read_value(openapi({"/a": {"get": bad, "put": good}})), tools, origins)

    assert Kind.GONE not in {entry.kind for entry in made.entries}


def test_what_is_noted_of_a_tool_that_is_here_is_told_only_if_it_is_news() -> None:
    silent = mcp_tool(annotations=None, description="")
    entry = only_entry([silent], [here(source=None)], [])

    assert "effects_unknown" in codes(read_value([silent]).found[0])
    assert remark_codes(entry) == set()


def test_a_preview_is_known_by_what_it_would_do() -> None:
    document, origins = [mcp_tool(description="Newer.")], [spoken(1)]
    first = preview(document, [here()], origins)

    assert first.fingerprint == preview(document, [here(owner="me")], origins).fingerprint
    assert first.fingerprint != preview(document, [here(description="M")], origins).fingerprint
    assert first.fingerprint != preview(document, [here(name="seek")], origins).fingerprint


def test_a_document_that_cannot_be_read_says_nothing_of_the_draft() -> None:
    made = preview(read("{"), [here()], [spoken()])

    assert made.entries == ()
    assert not made.whole
    assert made.faults
