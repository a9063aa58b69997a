"""One group: its words, its tools in order, its switches, its end."""

import pytest
from django.test import Client

from catalog.models import Catalog, GroupTool, Tool
from tests.drafts import draft_of, empty_catalog

HTMX = {"HX-Request": "true"}
PAGE = "/catalogs/back-office/groups/billing"


@pytest.fixture
def catalog(db: None) -> Catalog:
    return draft_of()


def order(catalog: Catalog, group: str = "billing") -> list[str]:
    places = GroupTool.objects.filter(group__catalog=catalog, group__name=group)
    return list(places.order_by("position").values_list("tool__name", flat=True))


def test_the_page_shows_the_tools_in_order(signed_in: Client, catalog: Catalog) -> None:
    page = signed_in.get(PAGE)
    assert [tool.name for tool in page.context["tools"]] == order(catalog)
    assert "Says when to use it." in page.content.decode()


def test_saving_keeps_the_words(signed_in: Client, catalog: Catalog) -> None:
    form = {
        "name": "billing",
        "description": "  Use to settle\r\n bills. ",
        "examples": "one\r\n\r\n two \none",
    }
    assert signed_in.post(PAGE, form)["Location"] == PAGE
    group = catalog.groups.get(name="billing")
    assert group.description == "Use to settle bills."
    assert group.examples == ["one", "two"]


def test_a_rename_keeps_tools_rules_and_routes(signed_in: Client, catalog: Catalog) -> None:
    group, tools = catalog.groups.get(name="billing"), order(catalog)
    rules = group.channel_rules.count()
    answer = signed_in.post(PAGE, {"name": "payments", "description": "Use to pay."})
    assert answer["Location"] == "/catalogs/back-office/groups/payments"
    group.refresh_from_db()
    assert order(catalog, "payments") == tools
    assert group.channel_rules.count() == rules > 0


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("stock", "Another group has this name"),
        ("Billing!", "Use 1 to 63"),
        ("", "required"),
        ("b\0d", "Null characters"),
    ],
)
def test_a_refused_name_is_told_beside_the_field_and_loses_nothing(
    signed_in: Client, catalog: Catalog, name: str, reason: str
) -> None:
    form = {"name": name, "description": "Tools of the ERP.", "examples": "a\nb"}
    answer = signed_in.post(PAGE, form)
    text = answer.content.decode()
    assert answer.status_code == 422
    assert reason in " ".join(answer.context["form"].errors["name"])
    assert "Tools of the ERP." in text
    assert "a\nb" in text
    assert "what the group holds" in text
    assert answer.context["group"].name == "billing"


def test_the_hint_follows_what_is_typed(signed_in: Client, catalog: Catalog) -> None:
    address = "/catalogs/back-office/groups/-/hint"
    assert b"what the group holds" in signed_in.get(address, {"description": "Tools."}).content
    assert b"Says when to use it" in signed_in.get(address, {"description": "Use to pay"}).content


def test_adding_a_group_leads_to_its_column(signed_in: Client, catalog: Catalog) -> None:
    form = {"name": "new", "description": "Use to try.", "examples": ""}
    answer = signed_in.post("/catalogs/back-office/groups/-/new", form, follow=True)
    assert answer.request["QUERY_STRING"] == "group_q=new"
    assert [group.name for group in catalog.groups.all()][-1] == "new"
    assert signed_in.get("/catalogs/back-office/groups/new").status_code == 200
    assert signed_in.post("/catalogs/back-office/groups/-/new", form).status_code == 422


def test_tools_move_by_htmx_and_by_plain_post(signed_in: Client, catalog: Catalog) -> None:
    first, second, *others = order(catalog)
    address = f"{PAGE}/tools/{first}/move"
    answer = signed_in.post(address, {"to": "down"}, headers=HTMX)
    assert answer.content.decode().strip().startswith('<div class="card" id="group-tools"')
    assert order(catalog) == [second, first, *others]
    assert signed_in.post(address, {"to": "up"})["Location"] == PAGE
    assert order(catalog) == [first, second, *others]


def test_moving_a_tool_that_left_the_group_is_refused(signed_in: Client, catalog: Catalog) -> None:
    answer = signed_in.post(f"{PAGE}/tools/check_stock/move", {"to": "up"}, headers=HTMX)
    assert answer.status_code == 422
    assert "no longer in" in answer.content.decode()
    answer = signed_in.post(f"{PAGE}/tools/check_stock/move", {"to": "up"}, follow=True)
    assert "no longer in" in answer.content.decode()


def test_a_tool_is_taken_out(signed_in: Client, catalog: Catalog) -> None:
    answer = signed_in.post(f"{PAGE}/tools/find_payment/remove", headers=HTMX)
    assert "6 tools" in answer.content.decode()
    assert "find_payment" not in order(catalog)
    assert catalog.tools.filter(name="find_payment").exists()


def test_more_than_ten_tools_are_warned_of(signed_in: Client, catalog: Catalog) -> None:
    group = catalog.groups.get(name="billing")
    assert "are many for one group" not in signed_in.get(PAGE).content.decode()
    for tool in catalog.tools.exclude(memberships__group=group)[:4]:
        group.memberships.create(tool=tool, position=50)
    assert "11 tools are many for one group" in signed_in.get(PAGE).content.decode()


def test_tokens_of_a_group_leave_out_what_is_off(signed_in: Client, catalog: Catalog) -> None:
    tool = catalog.tools.get(name="find_payment")
    before = vars(catalog.groups.with_figures().get(name="billing"))
    Tool.objects.filter(pk=tool.pk).update(enabled=False)
    after = vars(catalog.groups.with_figures().get(name="billing"))
    assert after["tokens"] == before["tokens"] - tool.tokens
    assert (after["tool_count"], after["off_count"]) == (before["tool_count"], 1)


def test_groups_move_in_the_catalog(signed_in: Client, catalog: Catalog) -> None:
    assert signed_in.post(f"{PAGE}/move", {"to": "down"})["Location"] == PAGE
    assert [group.name for group in catalog.groups.all()][:2] == ["invoices", "billing"]


def test_deleting_says_what_refers_to_the_group(signed_in: Client, catalog: Catalog) -> None:
    group = catalog.groups.get(name="billing")
    rule = str(group.channel_rules.all()[0])
    page = signed_in.get(f"{PAGE}/delete").content.decode()
    assert rule in page
    assert catalog.groups.filter(name="billing").exists()
    answer = signed_in.post(f"{PAGE}/delete", follow=True)
    assert "“billing” is deleted." in answer.content.decode()
    assert not catalog.groups.filter(name="billing").exists()
    assert catalog.tools.filter(name="find_payment").exists()


def test_a_group_of_another_catalog_is_not_found(signed_in: Client, catalog: Catalog) -> None:
    empty_catalog()
    base = "/catalogs/empty/groups/billing"
    assert signed_in.get(base).status_code == 404
    assert signed_in.get(f"{base}/delete").status_code == 404
    for path in ("", "/delete", "/move", "/tools/find_payment/move", "/tools/find_payment/remove"):
        assert signed_in.post(base + path).status_code == 404, path
    assert catalog.groups.filter(name="billing").exists()
    draft_of("refunds")
    stranger = f"{PAGE}/tools/read_order"
    assert signed_in.post(f"{stranger}/move").status_code == 404
    assert signed_in.post(f"{stranger}/remove").status_code == 404


def test_what_changes_something_is_only_ever_posted(signed_in: Client, catalog: Catalog) -> None:
    for path in ("/move", "/tools/find_payment/move", "/tools/find_payment/remove"):
        assert signed_in.get(PAGE + path).status_code == 405, path
