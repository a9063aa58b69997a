"""Every change of a draft is in the audit log, whichever way it was written."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User

from catalog.editing import set_flag
from catalog.models import (
    AuditEntry,
    Catalog,
    ChannelRule,
    Group,
    GroupTool,
    KeywordRule,
    Phase,
    Route,
    Tool,
)
from catalog.models.part import Part
from catalog.models.written import WrittenQuerySet
from catalog.recording import acting, recorded
from catalog.recording.sections import OWNER_OF, SECTION_OF
from tests.drafts import draft_of, empty_catalog

pytestmark = pytest.mark.django_db


def latest(catalog: Catalog) -> list[tuple[str, str]]:
    """Return kind and subject of all entries but that of filling the draft."""
    rows = catalog.audit_entries.exclude(action="fill").order_by("id")
    return list(rows.values_list("kind", "subject"))


def tool(catalog: Catalog, name: str) -> Tool:
    return catalog.tools.get(name=name)


def bulk_renamed(catalog: Catalog) -> object:
    rows = list(catalog.tools.all()[:2])
    for row in rows:
        row.owner = "ops"
    return Tool.objects.bulk_update(rows, ["owner"])


def entry_of(catalog: Catalog) -> AuditEntry:
    return catalog.audit_entries.latest("id")


def delete_and_fail(catalog: Catalog) -> None:
    with recorded(catalog=catalog):
        catalog.tools.all().delete()
        raise ZeroDivisionError


# A write, and the kinds of parts whose entries it makes.
WRITES: dict[str, tuple[Callable[[Catalog], object], list[str]]] = {
    "save": (lambda c: Tool.objects.create(catalog=c, name="x"), ["tools"]),
    "save of fields": (
        lambda c: set_flag(tool=tool(c, "find_payment"), flag="enabled", on=False),
        ["tools"],
    ),
    "update": (
        lambda c: c.tools.filter(name__in=["find_payment", "get_bank_statement"]).update(
            owner="ops"
        ),
        ["tools", "tools"],
    ),
    "bulk_create": (
        lambda c: Tool.objects.bulk_create([Tool(catalog=c, name="x"), Tool(catalog=c, name="y")]),
        ["tools", "tools"],
    ),
    "bulk_update": (bulk_renamed, ["tools", "tools"]),
    "get_or_create": (
        lambda c: Group.objects.get_or_create(catalog=c, name="new"),
        ["groups"],
    ),
    "update_or_create": (
        lambda c: Group.objects.update_or_create(
            catalog=c, name="billing", defaults={"description": "Use to test."}
        ),
        ["groups"],
    ),
    "a place of a group": (
        lambda c: GroupTool.objects.filter(group__catalog=c, group__name="billing").delete(),
        ["groups"],
    ),
    "a group's tools by its manager": (
        lambda c: c.groups.get(name="billing").tools.clear(),
        ["groups"],
    ),
    "a plain many-to-many": (
        lambda c: Phase.objects.create(catalog=c, name="p").tools.set(c.tools.all()[:3]),
        ["phases", "phases"],
    ),
    "its rows in bulk": (
        lambda c: Route.tools.through.objects.bulk_create(
            [
                Route.tools.through(
                    route=Route.objects.create(catalog=c, name="r"),
                    tool=tool(c, "find_payment"),
                )
            ]
        ),
        ["routes", "routes"],
    ),
    "the other side of one": (
        lambda c: tool(c, "find_payment").added_by.add(
            KeywordRule.objects.create(catalog=c, pattern="x")
        ),
        ["keyword_rules", "keyword_rules"],
    ),
    "a setting": (lambda c: Catalog.objects.filter(pk=c.pk).update(max_tools=9), ["settings"]),
}


@pytest.mark.parametrize(("write", "kinds"), WRITES.values(), ids=WRITES)
def test_a_write_is_recorded(write: Callable[[Catalog], object], kinds: list[str]) -> None:
    catalog = draft_of()

    write(catalog)

    assert [kind for kind, _subject in latest(catalog)] == kinds


def test_every_kind_of_part_has_a_manager_that_tells() -> None:
    models = [*SECTION_OF, *OWNER_OF]

    assert set(Part.__subclasses__()) < set(models)
    for model in models:
        assert isinstance(model._default_manager.all(), WrittenQuerySet), model


def test_a_block_is_one_operation_of_what_really_changed() -> None:
    catalog = draft_of()
    eva = User.objects.create_user("eva")

    with acting(by=eva, via="page"), recorded(catalog=catalog, action="bulk_edit") as operation:
        row = tool(catalog, "find_payment")
        row.owner = "x"
        row.save()
        row.owner = "ops"
        row.save()
        tool(catalog, "get_bank_statement").save()
        Tool.objects.create(catalog=catalog, name="passing").delete()

    [entry] = operation.entries
    assert entry.pk
    assert (entry.action, entry.by, entry.via) == ("bulk_edit", eva, "page")
    assert (entry.subject, entry.after) == ("find_payment", {"owner": "ops"})
    assert entry.operation == operation.id


def test_blocks_within_blocks_are_one() -> None:
    catalog = draft_of()

    with recorded(catalog=catalog) as outer:
        catalog.tools.filter(name="find_payment").update(owner="a")
        with recorded(catalog=catalog, action="other") as inner:
            catalog.tools.filter(name="get_bank_statement").update(owner="b")

    assert inner is outer
    assert {entry.subject for entry in outer.entries} == {"find_payment", "get_bank_statement"}


def test_a_block_that_fails_leaves_nothing() -> None:
    catalog = draft_of()
    count = AuditEntry.objects.count()

    with pytest.raises(ZeroDivisionError):
        delete_and_fail(catalog)

    assert catalog.tools.count() == 34
    assert AuditEntry.objects.count() == count


def test_an_inner_block_that_fails_leaves_what_the_outer_did() -> None:
    catalog = draft_of()

    with recorded(catalog=catalog) as operation:
        catalog.tools.filter(name="find_payment").update(owner="a")
        with pytest.raises(ZeroDivisionError):
            delete_and_fail(catalog)

    assert [entry.subject for entry in operation.entries] == ["find_payment"]


def test_a_rename_is_one_entry_that_names_both() -> None:
    catalog = draft_of()
    row = tool(catalog, "find_payment")

    row.name = "look_up_payment"
    row.save()

    entry = entry_of(catalog)
    assert (entry.subject, entry.row) == ("look_up_payment", row.pk)
    assert (entry.before, entry.after) == (
        {"name": "find_payment"},
        {"name": "look_up_payment"},
    )


def test_a_deletion_names_what_loses_it() -> None:
    catalog = draft_of()
    phase = Phase.objects.create(catalog=catalog, name="testing")
    phase.tools.add(row := tool(catalog, "find_payment"))
    groups = set(row.groups.values_list("name", flat=True))

    with recorded(catalog=catalog) as operation:
        row.delete()

    told = {(entry.kind, entry.subject) for entry in operation.entries}
    assert told == {("tools", "find_payment"), ("phases", "testing")} | {
        ("groups", name) for name in groups
    }
    [of_phase] = [entry for entry in operation.entries if entry.kind == "phases"]
    assert (of_phase.before, of_phase.after) == (
        {"tools": [[phase.pk and of_phase.before["tools"][0][0], "find_payment"]]},
        {"tools": []},
    )


def test_an_order_is_one_entry_of_what_moved() -> None:
    catalog = draft_of()
    first, second = catalog.groups.all()[:2]

    with recorded(catalog=catalog) as operation:
        first.position, second.position = second.position, first.position
        Group.objects.bulk_update([first, second], ["position"])

    [entry] = operation.entries
    assert (entry.kind, entry.subject, entry.row) == ("groups", "", None)
    assert [row[1] for row in entry.before["order"]] == [first.name, second.name]
    assert [row[1] for row in entry.after["order"]] == [second.name, first.name]


def test_parts_are_not_made_where_they_might_be_there() -> None:
    catalog = empty_catalog()

    with pytest.raises(ValueError, match="made or changed"):
        Tool.objects.bulk_create([Tool(catalog=catalog, name="x")], ignore_conflicts=True)


def test_each_catalog_has_its_own_operation() -> None:
    one, other = empty_catalog("one"), empty_catalog("other")
    ChannelRule.objects.create(catalog=one, kind="queue", value="a")
    ChannelRule.objects.create(catalog=other, kind="queue", value="b")

    with recorded(catalog=one) as operation:
        ChannelRule.objects.filter(kind="queue").delete()

    assert [entry.subject for entry in operation.entries] == ["queue a"]
    assert entry_of(other).before is not None
    assert entry_of(other).operation != operation.id


def test_a_thousand_tools_take_few_queries(
    django_assert_max_num_queries: Callable[..., object],
) -> None:
    catalog = empty_catalog()

    with django_assert_max_num_queries(150), recorded(catalog=catalog) as operation:  # type: ignore[attr-defined]
        Tool.objects.bulk_create(
            Tool(catalog=catalog, name=f"tool_{number}") for number in range(1_000)
        )

    assert len(operation.entries) == 1_000
