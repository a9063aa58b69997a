"""The page of suggested groups: what it shows, what its buttons do, and what is made."""

import re
from typing import Any

import pytest
from django.test import Client

from catalog.models import Catalog
from tests.dashboard.plans import NAMES, PAGE, groups_of, sent, shop_of
from tests.drafts import draft_of, empty_catalog

HTMX = {"HX-Request": "true", "HX-Target": "plan"}


@pytest.fixture
def shop(db: None, settings: Any) -> Catalog:
    settings.ENCODER = "none"
    return shop_of(*NAMES)


def plan(client: Client, **pressed: Any) -> Any:
    return client.post(PAGE, {**sent(client.get(PAGE).text), **pressed}, headers=HTMX)


def test_groups_are_shown_and_nothing_is_written(signed_in: Client, shop: Catalog) -> None:
    text = signed_in.get(PAGE).text
    assert groups_of(text) == {
        "order": "create_order list_order get_order cancel_order",
        "invoice": "issue_invoice find_invoice send_invoice",
    }
    assert "Tools in no group: 7. Suggested groups: 2." in text
    assert "Use to issue, find or send invoices." in text
    assert "their words alone made these groups" in text
    assert not shop.groups.exists()


def test_tools_that_changed_are_grouped_anew(signed_in: Client, shop: Catalog) -> None:
    assert groups_of(signed_in.get(PAGE).text).keys() == {"order", "invoice"}
    shop.tools.filter(name__endswith="_order").update(tags=["Sales"])
    shop.groups.create(name="invoice")
    names = groups_of(signed_in.get(PAGE).text).keys()
    assert "sales" in names
    assert "invoice" not in names


def test_what_is_shown_is_made(signed_in: Client, shop: Catalog) -> None:
    answer = signed_in.post(PAGE, {**sent(signed_in.get(PAGE).text), "do": "make"})
    assert answer["Location"] == "/catalogs/shop/start"
    assert {group.name: group.tools.count() for group in shop.groups.all()} == {
        "order": 4,
        "invoice": 3,
    }
    assert set(shop.tools.filter(is_default=True).values_list("name", flat=True)) == {
        "list_order",
        "find_invoice",
    }
    assert "Every tool is in a group." in signed_in.get(PAGE).text


def test_what_was_made_is_undone_in_one_step(signed_in: Client, shop: Catalog) -> None:
    text = signed_in.post(PAGE, {**sent(signed_in.get(PAGE).text), "do": "make"}, follow=True).text
    assert shop.groups.count() == 2
    undo = re.search(r'action="(/catalogs/shop/audit/undo/[^"]+)"', text)
    assert undo, "no button takes it back"
    signed_in.post(undo[1])
    assert not shop.groups.exists()
    assert not shop.tools.filter(is_default=True).exists()
    assert groups_of(signed_in.get(PAGE).text).keys() == {"order", "invoice"}


@pytest.mark.parametrize(
    ("pressed", "said", "groups"),
    [
        (
            {"do": "move", "tool": ["get_order"], "to": "1"},
            "1 tool is now in invoice.",
            {"order": 3, "invoice": 4},
        ),
        (
            {"do": "move", "tool": ["get_order", "find_invoice"], "to": "new"},
            "2 tools are now in group_1.",
            {"order": 3, "invoice": 2, "group_1": 2},
        ),
        ({"do": "move", "tool": ["get_order"], "to": "9"}, "Choose the group", None),
        ({"do": "move", "to": "0"}, "Tick the tools to be moved", None),
        ({"do": "merge", "group": ["1", "0"]}, "2 groups are one now: order.", {"order": 7}),
        ({"do": "merge", "group": ["1"]}, "Tick the groups to be merged", None),
        (
            {"do": "leave", "group": ["1"], "tool": ["get_order"]},
            "4 tools stay in no group.",
            {"order": 3},
        ),
        ({"do": "leave"}, "Tick the tools or groups to be left out", None),
        (
            {"do": "back", "left": "get_order send_invoice"},
            "What was left out is in a group of its own now.",
            {"order": 4, "invoice": 3, "group_1": 2},
        ),
    ],
)
def test_a_button_changes_the_plan_and_not_the_draft(
    signed_in: Client,
    shop: Catalog,
    pressed: dict[str, Any],
    said: str,
    groups: dict[str, int] | None,
) -> None:
    answer = plan(signed_in, **pressed)
    assert answer.status_code == 200
    assert said in answer.text
    assert "<!doctype" not in answer.text
    found = {name: len(tools.split()) for name, tools in groups_of(answer.text).items()}
    assert found == (groups or {"order": 4, "invoice": 3})
    assert not shop.groups.exists()


def test_what_was_typed_survives_every_button(signed_in: Client, shop: Catalog) -> None:
    typed = {"name-0": "purchases", "about-0": "Use to\n buy."}
    answer = plan(signed_in, **typed, do="merge", group=["0", "1"])
    assert groups_of(answer.text).keys() == {"purchases"}
    assert ">Use to buy.</textarea>" in answer.text


def test_enter_in_a_field_makes_nothing(signed_in: Client, shop: Catalog) -> None:
    text = signed_in.get(PAGE).text
    assert re.findall(r'name="do" value="(\w+)"', text)[0] == "keep"
    fine = plan(signed_in, **{"name-0": "sales"}, do="keep")
    assert "The names fit. Nothing is made yet." in fine.text
    wrong = plan(signed_in, **{"name-0": "Sales!"}, do="keep")
    assert wrong.text.count("is-invalid") == 1
    assert not shop.groups.exists()


@pytest.mark.parametrize("name", ["", "Order 1", "invoice", "taken"])
def test_a_name_that_cannot_be_is_marked_and_nothing_is_made(
    signed_in: Client, shop: Catalog, name: str
) -> None:
    shop.groups.create(name="taken")
    answer = plan(signed_in, **{"name-0": name}, do="make")
    assert answer.status_code == 422
    assert answer.text.count("is-invalid") == 1
    assert "No group was made yet" in answer.text
    assert shop.groups.count() == 1


def test_a_draft_that_was_changed_meanwhile_is_shown_first(
    signed_in: Client, shop: Catalog
) -> None:
    form = sent(signed_in.get(PAGE).text)
    shop.tools.get(name="get_order").delete()
    other = shop.groups.create(name="invoice")
    other.memberships.create(tool=shop.tools.get(name="find_invoice"))
    answer = signed_in.post(PAGE, {**form, "name-1": "bills", "do": "make"}, headers=HTMX)
    assert answer.status_code == 409
    assert groups_of(answer.text) == {
        "order": "create_order list_order cancel_order",
        "bills": "issue_invoice send_invoice",
    }
    assert shop.groups.count() == 1
    again = signed_in.post(PAGE, {**sent(answer.text), "do": "make"}, headers=HTMX)
    assert again["HX-Redirect"] == "/catalogs/shop/start"
    assert shop.groups.count() == 3


def test_what_was_left_out_may_be_grouped_later(signed_in: Client, shop: Catalog) -> None:
    answer = plan(signed_in, do="leave", group=["1"])
    made = signed_in.post(PAGE, {**sent(answer.text), "do": "make"})
    assert made["Location"] == "/catalogs/shop/start"
    assert groups_of(signed_in.get(PAGE).text).keys() == {"invoice"}


def test_a_catalog_with_defaults_keeps_its_own(signed_in: Client, shop: Catalog) -> None:
    shop.tools.filter(name="get_order").update(is_default=True)
    text = signed_in.get(PAGE).text
    assert 'name="default"' in text
    assert "default" not in sent(text)


def test_always_on_tools_are_in_no_group(signed_in: Client, shop: Catalog) -> None:
    shop.tools.create(name="ask_user", position=99)
    form = sent(signed_in.get(PAGE).text)
    assert form["always"] == ["ask_user"]
    signed_in.post(PAGE, {**form, "do": "make"})
    assert shop.tools.get(name="ask_user").always_on


@pytest.mark.parametrize(
    ("names", "count"), [(["weather"], 1), (["get_weather", "send_mail", "x1"], 1)]
)
def test_a_handful_of_tools_without_descriptions_makes_a_group(
    signed_in: Client, settings: Any, names: list[str], count: int
) -> None:
    settings.ENCODER = "none"
    catalog = shop_of(*names, side_effect="destructive")
    text = signed_in.get(PAGE).text
    assert len(groups_of(text)) == count
    assert "No default tool is suggested" in text
    signed_in.post(PAGE, {**sent(text), "do": "make"})
    assert catalog.groups.count() == count


def test_an_empty_catalog_needs_tools_first(signed_in: Client, db: None) -> None:
    empty_catalog("shop")
    text = signed_in.get(PAGE).text
    assert "Groups are suggested for the tools of a catalog: add them first." in text


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"do": "move", "count": "x"},
        {"do": "no", "count": "0"},
        {"count": "99999"},
        {"count": "1" * 5000},
    ],
)
def test_nonsense_is_no_plan(signed_in: Client, shop: Catalog, form: dict[str, str]) -> None:
    assert signed_in.post(PAGE, form).status_code == 400


def test_groups_that_there_are_lend_no_name(signed_in: Client, settings: Any) -> None:
    settings.ENCODER = "none"
    catalog = draft_of("refunds")
    catalog.tools.create(name="list_orders", position=50)
    catalog.tools.create(name="find_orders", position=51)
    text = signed_in.get("/catalogs/refunds/start/groups").text
    (name,) = groups_of(text)
    assert name not in {"orders", "refunds"}
    assert name.startswith("order")
