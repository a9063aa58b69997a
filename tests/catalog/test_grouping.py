"""Many groups made at once, as one act on record."""

import pytest

from catalog.editing import EditRefused
from catalog.grouping import DraftMoved, NewGroup, make_groups
from catalog.models import AuditEntry, Catalog, Group
from tests.drafts import draft_of, empty_catalog

pytestmark = pytest.mark.django_db
NAMES = ("read_order", "list_orders", "issue_refund", "ask_user")


@pytest.fixture
def catalog() -> Catalog:
    catalog = empty_catalog()
    for place, name in enumerate(NAMES):
        effect = "write" if name == "issue_refund" else "read"
        catalog.tools.create(name=name, position=place, side_effect=effect)
    return catalog


def made(catalog: Catalog) -> list[tuple[str, str, list[str]]]:
    return [
        (group.name, group.description, [place.tool.name for place in group.memberships.all()])
        for group in catalog.groups.order_by("position")
    ]


ORDERS = NewGroup("orders", "Use to look orders up.", ("list_orders", "read_order"))
REFUNDS = NewGroup("refunds", "Use to refund.", ("issue_refund",))


def test_groups_are_made_in_order_and_as_one_act(catalog: Catalog) -> None:
    operation = make_groups(
        catalog=catalog,
        groups=[ORDERS, REFUNDS],
        defaults=["read_order"],
        always_on=["ask_user"],
    )
    assert made(catalog) == [
        ("orders", "Use to look orders up.", ["list_orders", "read_order"]),
        ("refunds", "Use to refund.", ["issue_refund"]),
    ]
    assert catalog.groups.search("look orders").get().name == "orders"
    assert set(catalog.tools.filter(is_default=True).values_list("name", flat=True)) == {
        "read_order"
    }
    assert catalog.tools.get(always_on=True).name == "ask_user"
    entries = AuditEntry.objects.filter(catalog=catalog, operation=operation.id)
    assert {"orders", "refunds", "read_order", "ask_user"} <= {one.subject for one in entries}


def test_they_come_after_the_groups_that_there_are() -> None:
    catalog = draft_of("refunds")
    catalog.tools.create(name="ping")
    make_groups(catalog=catalog, groups=[NewGroup("pings", "", ("ping",))])
    assert [name for name, _, _ in made(catalog)] == ["orders", "refunds", "pings"]


@pytest.mark.parametrize(
    ("groups", "tools", "names"),
    [
        ([ORDERS, REFUNDS], {"list_orders"}, set()),
        ([NewGroup("taken", "", ("read_order",))], set(), {"taken"}),
        ([NewGroup("new", "", ("no_such_tool",))], {"no_such_tool"}, set()),
    ],
)
def test_a_draft_that_has_moved_is_left_as_it_is(
    catalog: Catalog, groups: list[NewGroup], tools: set[str], names: set[str]
) -> None:
    other = catalog.groups.create(name="taken")
    other.memberships.create(tool=catalog.tools.get(name="list_orders"))
    with pytest.raises(DraftMoved) as moved:
        make_groups(catalog=catalog, groups=groups, defaults=["read_order"])
    assert set(moved.value.tools) == tools
    assert set(moved.value.names) == names
    assert Group.objects.count() == 1
    assert not catalog.tools.filter(is_default=True).exists()


def test_what_changes_something_is_not_served_unasked(catalog: Catalog) -> None:
    with pytest.raises(EditRefused, match="issue_refund"):
        make_groups(catalog=catalog, groups=[ORDERS], always_on=["issue_refund"])
    assert not Group.objects.exists()
