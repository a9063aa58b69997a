"""Changes of a draft are whole, ordered, and stay inside their catalog."""

import pytest

from catalog.editing import (
    EditRefused,
    append,
    move_part,
    move_tool_in_group,
    set_flag,
    set_memberships,
)
from catalog.models import Catalog, Group, GroupTool, Tool
from tests.drafts import draft_of, empty_catalog

pytestmark = pytest.mark.django_db


def names(group: Group) -> list[str]:
    places = group.memberships.select_related("tool").order_by("position", "id")
    return [place.tool.name for place in places]


@pytest.fixture
def catalog() -> Catalog:
    return draft_of()


def test_a_tool_joins_a_group_at_its_end(catalog: Catalog) -> None:
    billing, stock = catalog.groups.get(name="billing"), catalog.tools.get(name="check_stock")
    before = names(billing)
    set_memberships(catalog=catalog, added=[(billing.pk, stock.pk)])
    assert names(billing) == [*before, "check_stock"]


def test_ticking_twice_and_clearing_twice_change_nothing_more(catalog: Catalog) -> None:
    billing, payment = catalog.groups.get(name="billing"), catalog.tools.get(name="find_payment")
    cell = [(billing.pk, payment.pk)]
    before = names(billing)
    set_memberships(catalog=catalog, added=cell)
    assert names(billing) == before
    set_memberships(catalog=catalog, removed=cell)
    set_memberships(catalog=catalog, removed=cell)
    assert names(billing) == before[1:]


def test_many_cells_take_as_many_queries_as_one(
    catalog: Catalog, django_assert_num_queries: object
) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    groups, tools = list(catalog.groups.all()), list(catalog.tools.all())
    counts = []
    for some in (1, len(tools)):
        cells = [(group.pk, tool.pk) for group in groups for tool in tools[-some:]]
        GroupTool.objects.filter(group__catalog=catalog).delete()
        with CaptureQueriesContext(connection) as captured:
            set_memberships(catalog=catalog, added=cells)
        counts.append(len(captured))
    assert counts[0] == counts[1]
    assert GroupTool.objects.filter(group__catalog=catalog).count() == len(groups) * len(tools)


@pytest.mark.parametrize("stranger", ["group", "tool"])
def test_nothing_of_another_catalog_is_touched(catalog: Catalog, stranger: str) -> None:
    other = draft_of("refunds")
    group = (other if stranger == "group" else catalog).groups.all()[0]
    tool = (other if stranger == "tool" else catalog).tools.all()[20 if stranger == "group" else 0]
    before = set(GroupTool.objects.values_list("group_id", "tool_id"))
    with pytest.raises(EditRefused):
        set_memberships(catalog=catalog, added=[(group.pk, tool.pk)])
    assert set(GroupTool.objects.values_list("group_id", "tool_id")) == before


def test_a_refused_change_changes_none_of_its_cells(catalog: Catalog) -> None:
    billing, stock = catalog.groups.get(name="billing"), catalog.tools.get(name="check_stock")
    before = names(billing)
    with pytest.raises(EditRefused):
        set_memberships(catalog=catalog, added=[(billing.pk, stock.pk), (billing.pk, 10**9)])
    assert names(billing) == before


def test_moving_a_tool_swaps_it_with_its_neighbour_and_stops_at_the_ends(catalog: Catalog) -> None:
    billing, payment = catalog.groups.get(name="billing"), catalog.tools.get(name="find_payment")
    first, second, *others = names(billing)
    move_tool_in_group(group=billing, tool=payment, steps=1)
    assert names(billing) == [second, first, *others]
    move_tool_in_group(group=billing, tool=payment, steps=-5)
    assert names(billing) == [first, second, *others]
    move_tool_in_group(group=billing, tool=payment, steps=99)
    assert names(billing) == [second, *others, first]


def test_moving_mends_places_that_are_the_same(catalog: Catalog) -> None:
    billing = catalog.groups.get(name="billing")
    billing.memberships.update(position=0)
    before = names(billing)
    move_tool_in_group(group=billing, tool=catalog.tools.get(name=before[1]), steps=-1)
    assert names(billing) == [before[1], before[0], *before[2:]]


def test_a_tool_that_the_group_does_not_hold_cannot_be_moved_in_it(catalog: Catalog) -> None:
    with pytest.raises(EditRefused):
        move_tool_in_group(
            group=catalog.groups.get(name="billing"),
            tool=catalog.tools.get(name="check_stock"),
            steps=1,
        )


def test_moving_a_group_changes_the_order_of_the_catalog(catalog: Catalog) -> None:
    move_part(part=catalog.groups.get(name="invoices"), steps=-1)
    assert [group.name for group in catalog.groups.all()][:3] == ["invoices", "billing", "stock"]


def test_new_parts_come_last() -> None:
    catalog = empty_catalog()
    for name in ("one", "two"):
        append(Tool(catalog=catalog, name=name))
        append(Group(catalog=catalog, name=name))
    assert [tool.position for tool in catalog.tools.all()] == [0, 1]
    assert [group.position for group in catalog.groups.all()] == [0, 1]


@pytest.mark.parametrize("flag", ["is_default", "always_on"])
def test_a_tool_that_changes_something_is_never_served_unasked(catalog: Catalog, flag: str) -> None:
    settle = catalog.tools.get(name="settle_bill")
    with pytest.raises(EditRefused, match="settle_bill"):
        set_flag(tool=settle, flag=flag, on=True)  # type: ignore[arg-type]
    settle.refresh_from_db()
    assert not getattr(settle, flag)
    set_flag(tool=settle, flag=flag, on=False)  # type: ignore[arg-type]
    set_flag(tool=settle, flag="enabled", on=False)
    settle.refresh_from_db()
    assert not settle.enabled
