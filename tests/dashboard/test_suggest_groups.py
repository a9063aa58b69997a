"""The page of suggested groups: what it shows, what its buttons do, and what is made."""

import re
from collections.abc import Iterable
from html import unescape
from typing import Any

import pytest
from django.test import Client

from catalog.models import Catalog, Tool
from routing import draft_groups
from routing.encoding import EncoderFailed
from routing.models import Vector
from tests.drafts import draft_of, empty_catalog

PAGE = "/catalogs/shop/start/groups"
VERBS = {"order": "create list get cancel", "invoice": "issue find send"}
HTMX = {"HX-Request": "true", "HX-Target": "plan"}


@pytest.fixture
def shop(db: None, settings: Any) -> Catalog:
    settings.ENCODER = "none"
    return shop_of(*(f"{verb}_{thing}" for thing, verbs in VERBS.items() for verb in verbs.split()))


def shop_of(*names: str, **fields: Any) -> Catalog:
    catalog = empty_catalog("shop")
    Tool.objects.bulk_create(
        Tool(catalog=catalog, name=name, position=place, **fields)
        for place, name in enumerate(names)
    )
    return catalog


def sent(html: str) -> dict[str, Any]:
    """Return what the plan's form of a page would send, no button pressed."""
    found: dict[str, Any] = {}
    for tag in re.findall(r"<input[^>]*>", html):
        attrs = dict(re.findall(r'(\w+(?:-\w+)?)="([^"]*)"', tag))
        if "name" in attrs and (attrs.get("type") != "checkbox" or "checked" in tag.split()[-1]):
            found.setdefault(attrs["name"], []).append(unescape(attrs.get("value", "")))
    for name, text in re.findall(r'<textarea[^>]*name="([^"]*)"[^>]*>([^<]*)', html):
        found[name] = unescape(text)
    return found


def plan(client: Client, **pressed: Any) -> Any:
    return client.post(PAGE, {**sent(client.get(PAGE).text), **pressed}, headers=HTMX)


def groups_of(text: str) -> dict[str, str]:
    """Return the tools of each group that a plan shows, by its name."""
    form = sent(text)
    return {
        form[f"name-{number}"][0]: form[f"tools-{number}"][0]
        for number in range(int(form["count"][0]))
    }


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


class TestManyTools:
    """A page shows so many groups, and a request makes so many vectors."""

    @pytest.fixture
    def shop(self, db: None, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Catalog:
        settings.ENCODER = "none"
        monkeypatch.setattr("dashboard.views.suggest_groups.SHOWN", 2)
        things = ["order", "invoice", "shipment", "return"]
        return shop_of(*(f"{verb}_{one}" for one in things for verb in ("get", "send", "list")))

    def test_the_next_groups_follow_those_that_are_made(
        self, signed_in: Client, shop: Catalog
    ) -> None:
        text = signed_in.get(PAGE).text
        assert groups_of(text).keys() == {"order", "invoice"}
        assert "2 more groups are suggested once these are made." in text
        answer = signed_in.post(PAGE, {**sent(text), "do": "make"})
        assert answer["Location"] == PAGE
        assert groups_of(signed_in.get(PAGE).text).keys() == {"shipment", "return"}

    def test_all_may_be_made_at_once(self, signed_in: Client, shop: Catalog) -> None:
        answer = signed_in.post(PAGE, {"do": "all"})
        assert answer["Location"] == "/catalogs/shop/start"
        assert shop.groups.count() == 4


class Counting:
    """An encoder that counts what it reads, or fails."""

    name = "usem3"
    fails = False

    def __init__(self) -> None:
        self.read = 0

    def encode(self, texts: Iterable[str]) -> list[list[float]]:
        if self.fails:
            raise EncoderFailed("it is away")
        found = list(texts)
        self.read += len(found)
        return [[1.0, float("order" in text)] for text in found]


class TestReading:
    """Vectors are made a few at a time, and kept."""

    @pytest.fixture
    def encoder(self, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Counting:
        settings.ENCODER = "usem3"
        counting = Counting()
        monkeypatch.setattr("routing.encoding.load_encoder", lambda name: counting)
        for module in (draft_groups, "dashboard.views.suggest_groups"):
            monkeypatch.setattr(f"{getattr(module, '__name__', module)}.AT_ONCE", 3)
        monkeypatch.setattr("dashboard.views.suggest_groups.BY_HAND", 5)
        return counting

    def test_progress_is_shown_until_all_is_read(
        self, signed_in: Client, shop: Catalog, encoder: Counting
    ) -> None:
        assert "0 of 7 tools are read" in signed_in.get(PAGE).text
        assert encoder.read == 0
        step = signed_in.post(PAGE, {"do": "encode"}, headers={"HX-Request": "true"})
        assert "3 of 7 tools are read" in step.text
        assert "<!doctype" not in step.text
        last = signed_in.post(PAGE, {"do": "encode"}, headers={"HX-Request": "true"})
        assert last["HX-Refresh"] == "true"
        text = signed_in.get(PAGE).text
        assert "words alone" not in text
        assert groups_of(text).keys() == {"order", "invoice"}
        assert encoder.read == Vector.objects.count() == 7

    def test_without_scripts_a_button_reads_on(
        self, signed_in: Client, shop: Catalog, encoder: Counting
    ) -> None:
        answer = signed_in.post(PAGE, {"do": "encode"})
        assert answer["Location"] == PAGE
        assert encoder.read == 5

    def test_an_encoder_that_fails_leaves_it_to_the_words(
        self, signed_in: Client, shop: Catalog, encoder: Counting
    ) -> None:
        encoder.fails = True
        step = signed_in.post(PAGE, {"do": "encode"})
        text = signed_in.get(step["Location"]).text
        assert "their words alone made these groups" in text
        assert groups_of(text).keys() == {"order", "invoice"}


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
    "form", [{}, {"do": "move", "count": "x"}, {"do": "no", "count": "0"}, {"count": "99999"}]
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
