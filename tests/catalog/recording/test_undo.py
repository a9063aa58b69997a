"""An operation is taken back in one step, unless somebody went on since."""

import random
import uuid
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User

from catalog.document import canonical_bytes
from catalog.editing import append, move_part, move_tool_in_group, set_memberships
from catalog.freezing import freeze
from catalog.models import Catalog, ChannelRule, Group, IntentRule, KeywordRule, Phase, Route, Tool
from catalog.models.part import Part
from catalog.recording import CannotUndo, acting, recorded, undo
from tests.drafts import draft_of, empty_catalog

pytestmark = pytest.mark.django_db


def frozen(catalog: Catalog) -> bytes:
    catalog.refresh_from_db()
    return canonical_bytes(freeze(catalog))


def tool(catalog: Catalog, name: str = "find_payment") -> Tool:
    return catalog.tools.get(name=name)


def rich() -> Catalog:
    """Return a draft that has some of everything."""
    catalog = draft_of()
    testing = Phase.objects.create(catalog=catalog, name="testing", initial=True)
    done = Phase.objects.create(catalog=catalog, name="done", position=1)
    testing.next.add(done, testing)
    testing.tools.add(tool(catalog))
    route = Route.objects.create(catalog=catalog, name="order_status", budget_calls=5)
    route.tools.add(tool(catalog))
    route.groups.add(*catalog.groups.all()[:2])
    rule = KeywordRule.objects.create(catalog=catalog, pattern="pay", position=9)
    rule.add_tools.add(tool(catalog))
    rule.remove_groups.add(*catalog.groups.all()[:2])
    return catalog


# -- Random edits, each by the doors that pages use or by the ORM -------------------------------

Chance = random.Random


def any_of(chance: Chance, rows: "list[Part]") -> Part | None:
    return chance.choice(rows) if rows else None


def write_a_tool(catalog: Catalog, chance: Chance) -> None:
    row = chance.choice(list(catalog.tools.all()))
    row.description = f"Words {chance.random()}"
    row.is_default = chance.random() < 0.5
    row.input_schema = {"type": "object", "properties": {"a": {"enum": [1, True, None]}}}
    row.save()


def rename(catalog: Catalog, chance: Chance) -> None:
    kind = chance.choice([catalog.tools, catalog.groups, catalog.phases, catalog.routes])
    row = any_of(chance, list(kind.all()))
    if row:
        row.name = f"n{chance.randrange(10**9)}"  # type: ignore[attr-defined]
        row.save()


def exchange_names(catalog: Catalog, chance: Chance) -> None:
    one, other = chance.sample(list(catalog.tools.all()), 2)
    names = one.name, other.name
    for row, name in ((one, "between"), (other, names[0]), (one, names[1])):
        row.name = name
        row.save()


def add(catalog: Catalog, chance: Chance) -> None:
    name = f"new{chance.randrange(10**9)}"
    tools, groups = list(catalog.tools.all()[:3]), list(catalog.groups.all()[:3])
    kind = chance.randrange(5)
    if kind == 0:
        append(Tool(catalog=catalog, name=name))
    elif kind == 1:
        append(made := Group(catalog=catalog, name=name))
        set_memberships(catalog=catalog, added=[(made.pk, one.pk) for one in tools])
    elif kind == 2:
        append(rule := IntentRule(catalog=catalog, phrases=[name]))
        rule.groups.set(groups)
    elif kind == 3:
        append(channel := ChannelRule(catalog=catalog, kind="queue", value=name))
        channel.groups.set(groups)
    else:
        append(phase := Phase(catalog=catalog, name=name))
        phase.next.set(catalog.phases.all())
        phase.tools.set(tools)


def delete(catalog: Catalog, chance: Chance) -> None:
    for rows in chance.sample(
        [catalog.tools, catalog.groups, catalog.phases, catalog.routes, catalog.keywordrules], 2
    ):
        if row := any_of(chance, list(rows.all())):
            row.delete()


def delete_many(catalog: Catalog, chance: Chance) -> None:
    pks = chance.sample(list(catalog.tools.values_list("pk", flat=True)), 3)
    catalog.tools.filter(pk__in=pks).delete()


def replace_one_of_a_name(catalog: Catalog, chance: Chance) -> None:
    row = chance.choice(list(catalog.groups.all()))
    name = row.name
    row.delete()
    append(Group(catalog=catalog, name=name, description="Use to be another."))


def move(catalog: Catalog, chance: Chance) -> None:
    rows = chance.choice([catalog.groups, catalog.phases, catalog.keywordrules])
    if row := any_of(chance, list(rows.all())):
        move_part(part=row, steps=chance.choice([-2, -1, 1, 3]))


def move_in_group(catalog: Catalog, chance: Chance) -> None:
    group = chance.choice(list(catalog.groups.all()))
    if tools := list(group.tools.all()):
        move_tool_in_group(group=group, tool=chance.choice(tools), steps=chance.choice([-1, 2]))


def tick(catalog: Catalog, chance: Chance) -> None:
    groups = list(catalog.groups.values_list("pk", flat=True))
    tools = list(catalog.tools.values_list("pk", flat=True))
    cells = [(chance.choice(groups), chance.choice(tools)) for _ in range(6)]
    set_memberships(catalog=catalog, added=cells[:3], removed=cells[3:])


def begin_elsewhere(catalog: Catalog, chance: Chance) -> None:
    if row := any_of(chance, list(catalog.phases.all())):
        catalog.phases.update(initial=False)
        catalog.phases.filter(pk=row.pk).update(initial=True)


def set_up(catalog: Catalog, chance: Chance) -> None:
    catalog.max_tools = chance.randrange(1, 50)
    catalog.threshold = chance.random()
    catalog.save()


EDITS: list[Callable[[Catalog, Chance], None]] = [
    write_a_tool,
    rename,
    exchange_names,
    add,
    delete,
    delete_many,
    replace_one_of_a_name,
    move,
    move_in_group,
    tick,
    begin_elsewhere,
    set_up,
]


@pytest.mark.parametrize("seed", range(12))
def test_edits_undone_in_reverse_give_the_first_document(seed: int) -> None:
    chance, catalog = random.Random(seed), rich()
    documents, operations = [frozen(catalog)], []
    for _ in range(8):
        with recorded(catalog=catalog) as operation:
            for edit in chance.choices(EDITS, k=chance.choice([1, 1, 3])):
                edit(catalog, chance)
        operations.append(operation)
        documents.append(frozen(catalog))

    undone = []
    for number, operation in reversed(list(enumerate(operations))):
        if operation.entries:
            undone.append(undo(catalog=catalog, operation=operation.id))
        assert frozen(catalog) == documents[number]

    for operation in reversed(undone):
        undo(catalog=catalog, operation=operation.id)
    assert frozen(catalog) == documents[-1]


def test_a_deleted_tool_comes_back_as_the_same_row_where_it_was() -> None:
    catalog = rich()
    before, row = frozen(catalog), tool(catalog)
    with recorded(catalog=catalog) as operation:
        row.delete()

    undo(catalog=catalog, operation=operation.id)

    assert frozen(catalog) == before
    assert tool(catalog).search_text


def test_what_others_changed_of_the_same_part_stays() -> None:
    catalog = rich()
    with recorded(catalog=catalog) as operation:
        Tool.objects.filter(pk=tool(catalog).pk).update(owner="ops")
    Tool.objects.filter(pk=tool(catalog).pk).update(category="money", name="look_up")

    undo(catalog=catalog, operation=operation.id)

    row = tool(catalog, "look_up")
    assert (row.owner, row.category) == ("finance", "money")


def test_what_was_changed_again_is_not_undone() -> None:
    catalog = rich()
    with recorded(catalog=catalog) as operation:
        Tool.objects.filter(pk=tool(catalog).pk).update(owner="ops")
    with acting(by=User.objects.create_user("eva"), via="page"):
        Tool.objects.filter(pk=tool(catalog).pk).update(owner="sales")

    with pytest.raises(CannotUndo, match="“find_payment” changed since, by eva"):
        undo(catalog=catalog, operation=operation.id)

    assert tool(catalog).owner == "sales"


def test_what_is_used_by_now_is_not_taken_away() -> None:
    catalog = rich()
    with recorded(catalog=catalog) as operation:
        made = Tool.objects.create(catalog=catalog, name="new")
    catalog.groups.get(name="billing").tools.add(made)

    with pytest.raises(CannotUndo, match="“new” is used by “billing” since"):
        undo(catalog=catalog, operation=operation.id)

    assert catalog.tools.filter(name="new").exists()


def test_a_name_that_is_taken_by_now_does_not_come_back() -> None:
    catalog = rich()
    with recorded(catalog=catalog) as operation:
        tool(catalog).delete()
    Tool.objects.create(catalog=catalog, name="find_payment")

    with pytest.raises(CannotUndo, match="taken"):
        undo(catalog=catalog, operation=operation.id)


def test_a_reference_to_what_is_gone_does_not_come_back() -> None:
    catalog = rich()
    billing = catalog.groups.get(name="billing")
    with recorded(catalog=catalog) as operation:
        billing.tools.remove(tool(catalog))
    tool(catalog).delete()

    with pytest.raises(CannotUndo, match="“find_payment”, which would be referred to again"):
        undo(catalog=catalog, operation=operation.id)


def test_an_operation_of_another_catalog_is_not_known() -> None:
    catalog, other = rich(), empty_catalog()
    with recorded(catalog=catalog) as operation:
        tool(catalog).delete()

    for unknown in (operation.id, uuid.uuid4()):
        with pytest.raises(CannotUndo, match="nothing that can be undone"):
            undo(catalog=other, operation=unknown)


def test_the_filling_of_a_draft_cannot_be_undone() -> None:
    catalog = draft_of()
    [entry] = catalog.audit_entries.all()

    with pytest.raises(CannotUndo, match="nothing that can be undone"):
        undo(catalog=catalog, operation=entry.operation)

    assert entry.after["tools"] == 34
