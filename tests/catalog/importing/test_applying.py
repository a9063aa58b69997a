"""An import writes what its preview promised, whole or not at all; what stays keeps its row."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from catalog.cloning import clone_catalog
from catalog.freezing import freeze
from catalog.importing import (
    Choices,
    Kind,
    NothingRead,
    Outcome,
    PreviewStale,
    apply_import,
    preview_import,
    sources_of,
)
from catalog.models import AuditEntry, Catalog, Group, GroupTool, Tool, ToolOrigin
from catalog.reading import read
from catalog.recording import undo
from tests.catalog.reading.made import mcp_tool, read_value

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
pytestmark = pytest.mark.django_db


@pytest.fixture
def catalog() -> Catalog:
    return Catalog.objects.create(name="shop", title="Shop")


def import_now(
    catalog: Catalog, tools: list[dict[str, Any]], source: str = "github", **chosen: Any
) -> Outcome:
    made = preview_import(catalog=catalog, reading=read_value(tools), source=source)
    return apply_import(catalog=catalog, preview=made, now=NOW, choices=Choices(**chosen))


def tool_of(catalog: Catalog, name: str) -> Tool:
    return catalog.tools.get(name=name)


def test_new_tools_are_added_as_the_last_ones_with_what_is_worked_out(catalog: Catalog) -> None:
    Tool.objects.create(catalog=catalog, name="first", position=4)

    outcome = import_now(catalog, [mcp_tool("find"), mcp_tool("send.message", title="Send")])

    assert outcome.added == ("find", "send_message")
    rows = list(catalog.tools.order_by("position", "id"))
    assert [(row.name, row.position) for row in rows] == [
        ("first", 4),
        ("find", 5),
        ("send_message", 6),
    ]
    assert rows[2].aliases == ["send.message"]
    assert rows[1].tokens > 0
    assert "send" in rows[2].search_text
    assert sources_of(catalog) == ["github"]


def test_an_import_is_one_act_on_record(catalog: Catalog) -> None:
    outcome = import_now(catalog, [mcp_tool("find"), mcp_tool("seek")], group="search")

    entries = AuditEntry.objects.filter(operation=outcome.operation)
    assert {(entry.action, entry.kind, entry.subject) for entry in entries} >= {
        ("import", "tools", "find"),
        ("import", "tools", "seek"),
        ("import", "groups", "search"),
    }
    assert {entry.note for entry in entries} == {"github"}


def test_importing_again_changes_nothing_and_records_nothing(catalog: Catalog) -> None:
    tools = [mcp_tool("find", inputSchema={"type": "object", "maxProperties": 1.0})]
    import_now(catalog, tools)
    before = AuditEntry.objects.count()

    outcome = import_now(catalog, tools)

    assert (outcome.unchanged, outcome.operation) == (1, None)
    assert AuditEntry.objects.count() == before


def test_a_sync_keeps_rows_flags_groups_and_what_was_edited_here(catalog: Catalog) -> None:
    import_now(catalog, [mcp_tool("find"), mcp_tool("seek")], group="search")
    row = tool_of(catalog, "find")
    row.description, row.examples, row.owner = "Mine.", ["find it"], "finance"
    row.enabled, row.is_default, row.always_on = False, True, True
    row.save()
    newer = [
        mcp_tool("find", description="Theirs.", inputSchema={"type": "object", "minProperties": 1}),
        mcp_tool("seek"),
    ]

    outcome = import_now(catalog, newer, group="other")

    assert (outcome.changed, outcome.kept) == (("find",), ("find",))
    again = tool_of(catalog, "find")
    assert again.pk == row.pk
    assert again.description == "Mine."
    assert again.input_schema == {"type": "object", "minProperties": 1}
    assert (again.examples, again.owner) == (["find it"], "finance")
    assert (again.enabled, again.is_default, again.always_on) == (False, True, True)
    assert list(again.groups.values_list("name", flat=True)) == ["search"]
    assert not catalog.groups.filter(name="other").exists()


def test_what_was_edited_here_gives_way_only_where_that_is_asked_for(catalog: Catalog) -> None:
    import_now(catalog, [mcp_tool("find"), mcp_tool("seek")])
    catalog.tools.update(description="Mine.", title="Mine")
    newer = [mcp_tool(name, description="Theirs.", title="T") for name in ("find", "seek")]

    import_now(catalog, newer, take={("find", "description")})
    assert tool_of(catalog, "find").description == "Theirs."
    assert tool_of(catalog, "find").title == "Mine"
    assert tool_of(catalog, "seek").description == "Mine."

    import_now(catalog, newer, take_all=True)
    assert {(row.description, row.title) for row in catalog.tools.all()} == {("Theirs.", "T")}


def test_a_tool_that_was_renamed_here_is_synced_under_its_name(catalog: Catalog) -> None:
    import_now(catalog, [mcp_tool("find")])
    catalog.tools.update(name="find_payment")

    outcome = import_now(catalog, [mcp_tool("find", description="Newer.")])

    assert (outcome.added, outcome.changed) == ((), ("find_payment",))
    assert tool_of(catalog, "find_payment").description == "Newer."


def test_a_tool_that_was_deleted_here_comes_back_only_when_asked_for(catalog: Catalog) -> None:
    import_now(catalog, [mcp_tool("find"), mcp_tool("seek")])
    tool_of(catalog, "find").delete()

    outcome = import_now(catalog, [mcp_tool("find"), mcp_tool("seek")])
    assert (outcome.added, outcome.left) == ((), ("find",))
    assert not catalog.tools.filter(name="find").exists()

    outcome = import_now(catalog, [mcp_tool("find"), mcp_tool("seek")], bring_back={"find"})
    assert outcome.brought_back == ("find",)
    again = import_now(catalog, [mcp_tool("find", description="Newer."), mcp_tool("seek")])
    assert again.changed == ("find",)


def test_a_tool_that_is_gone_from_the_source_goes_only_when_asked_for(catalog: Catalog) -> None:
    import_now(catalog, [mcp_tool("find"), mcp_tool("seek"), mcp_tool("good")])

    outcome = import_now(catalog, [mcp_tool("good")], remove={"find"})

    assert (outcome.removed, outcome.left) == (("find",), ("seek",))
    assert set(catalog.tools.values_list("name", flat=True)) == {"seek", "good"}
    # What went on purpose is new if it comes again, and is not taken for a deletion of here.
    assert import_now(catalog, [mcp_tool("find")]).added == ("find",)


def test_nothing_is_removed_where_the_list_is_not_whole(catalog: Catalog) -> None:
    import_now(catalog, [mcp_tool("find"), mcp_tool("good")])

    outcome = import_now(catalog, [mcp_tool("good"), {"inputSchema": {}}], remove_all=True)

    assert (outcome.removed, outcome.left) == ((), ("find",))


def test_a_faulty_or_refused_tool_takes_no_neighbour_along(catalog: Catalog) -> None:
    Tool.objects.create(catalog=catalog, name="seek")
    bad = mcp_tool("bad", inputSchema={"type": "array"})

    outcome = import_now(catalog, [bad, mcp_tool("Seek"), mcp_tool("good")])

    assert (outcome.added, outcome.refused, outcome.faulty) == (("good",), ("Seek",), ("bad",))


def test_tools_that_are_left_out_are_as_they_were(catalog: Catalog) -> None:
    import_now(catalog, [mcp_tool("find")])
    newer = [mcp_tool("find", description="Newer."), mcp_tool("seek")]

    outcome = import_now(catalog, newer, leave={"find", "seek"})

    assert (outcome.left, outcome.operation) == (("find", "seek"), None)
    assert import_now(catalog, newer).changed == ("find",)


def test_new_tools_go_into_a_group_that_may_be_new(catalog: Catalog) -> None:
    group = Group.objects.create(catalog=catalog, name="search")
    first = Tool.objects.create(catalog=catalog, name="first")
    GroupTool.objects.create(group=group, tool=first)

    import_now(catalog, [mcp_tool("find"), mcp_tool("seek")], group="search")
    import_now(catalog, [mcp_tool("mail")], source="mail", group="mail")

    members = {one["name"]: one["tools"] for one in freeze(catalog)["groups"]}
    assert members == {"search": ["first", "find", "seek"], "mail": ["mail"]}


def test_a_group_that_cannot_be_called_so_keeps_everything_as_it_was(catalog: Catalog) -> None:
    with pytest.raises(ValidationError):
        import_now(catalog, [mcp_tool("find")], group="No Name")

    assert not catalog.tools.exists()
    assert not ToolOrigin.objects.exists()
    assert not AuditEntry.objects.filter(action="import").exists()


def test_a_preview_that_the_draft_has_moved_past_is_refused_with_a_new_one(
    catalog: Catalog,
) -> None:
    import_now(catalog, [mcp_tool("find")])
    reading = read_value([mcp_tool("find", description="Theirs."), mcp_tool("seek")])
    made = preview_import(catalog=catalog, reading=reading, source="github")
    catalog.tools.update(description="Mine.")

    with pytest.raises(PreviewStale) as refused:
        apply_import(catalog=catalog, preview=made, now=NOW)

    assert not catalog.tools.filter(name="seek").exists()
    assert refused.value.preview.counts[Kind.KEPT] == 1
    outcome = apply_import(catalog=catalog, preview=refused.value.preview, now=NOW)
    assert (outcome.added, outcome.kept) == (("seek",), ("find",))


def test_a_document_that_cannot_be_read_changes_nothing(catalog: Catalog) -> None:
    made = preview_import(catalog=catalog, reading=read("{"), source="paste")

    with pytest.raises(NothingRead):
        apply_import(catalog=catalog, preview=made, now=timezone.now())


@pytest.mark.parametrize("source", ["", "  ", "x" * 201])
def test_a_source_has_a_name(catalog: Catalog, source: str) -> None:
    with pytest.raises(ValueError, match="name"):
        preview_import(catalog=catalog, reading=read_value([mcp_tool()]), source=source)


def test_two_sources_of_one_catalog_do_not_meet(catalog: Catalog) -> None:
    import_now(catalog, [mcp_tool("find")], source="github")
    outcome = import_now(catalog, [mcp_tool("find"), mcp_tool("mail")], source="gitlab")

    assert (outcome.refused, outcome.added) == (("find",), ("mail",))
    assert import_now(catalog, [mcp_tool("mail")], source="gitlab").removed == ()
    assert tool_of(catalog, "find").origin.source == "github"


def test_hundreds_of_tools_take_few_statements(
    catalog: Catalog, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    tools = [mcp_tool(f"tool_{number}") for number in range(400)]
    with django_assert_max_num_queries(60):
        import_now(catalog, tools, group="all")
    newer = [mcp_tool(f"tool_{number}", description="Newer.") for number in range(400)]
    with django_assert_max_num_queries(60):
        assert len(import_now(catalog, newer).changed) == 400


def test_an_import_is_undone_as_one_and_comes_again_as_if_it_had_never_been(
    catalog: Catalog,
) -> None:
    import_now(catalog, [mcp_tool("find"), mcp_tool("gone")])
    before = freeze(catalog)
    newer = [mcp_tool("find", description="Newer."), mcp_tool("seek")]
    outcome = import_now(catalog, newer, remove={"gone"}, group="search")
    after = freeze(catalog)
    assert outcome.operation is not None

    undone = undo(catalog=catalog, operation=outcome.operation)
    assert freeze(catalog) == before

    again = preview_import(catalog=catalog, reading=read_value(newer), source="github")
    assert {entry.key: entry.kind for entry in again.entries} == {
        "find": Kind.CHANGED,
        "seek": Kind.NEW,
    }
    # And an undoing that is undone brings back what the source had said.
    undo(catalog=catalog, operation=undone.id)
    assert freeze(catalog) == after
    same = preview_import(catalog=catalog, reading=read_value(newer), source="github")
    assert {entry.kind for entry in same.entries} == {Kind.UNCHANGED}


def test_a_tool_whose_first_import_was_undone_is_no_tool_that_was_deleted_here(
    catalog: Catalog,
) -> None:
    outcome = import_now(catalog, [mcp_tool("find")])
    assert outcome.operation is not None
    undo(catalog=catalog, operation=outcome.operation)

    assert import_now(catalog, [mcp_tool("find")]).added == ("find",)
    assert import_now(catalog, [mcp_tool("find", description="Newer.")]).changed == ("find",)


def test_a_clone_is_synced_with_the_sources_of_its_tools(catalog: Catalog) -> None:
    import_now(catalog, [mcp_tool("find"), mcp_tool("seek")])
    catalog.tools.filter(name="seek").update(description="Mine.")
    person = User.objects.create_user("ana")

    clone = clone_catalog(
        document=freeze(catalog), of=catalog, name="copy", title="Copy", by=person, note=""
    )
    newer = [mcp_tool(name, description="Newer.") for name in ("find", "seek")]
    outcome = import_now(clone, newer)

    assert (outcome.changed, outcome.kept) == (("find",), ("seek",))
    assert tool_of(catalog, "find").description == "Find."
