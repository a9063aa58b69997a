"""The matrix of tools against groups: searched and paged on the server, saved a tick at a time."""

import pytest
from django.test import Client

from catalog.models import Catalog, GroupTool
from tests.drafts import draft_of, empty_catalog

HTMX = {"HX-Request": "true"}
ODD_QUERIES = [
    "q=%00",
    "q=%ED%A0%80",
    "page=-3",
    "page=x",
    "columns=zz",
    "group=%00",
    "tag=%00",
    "sort=zz",
    "enabled=zz",
    "effect=%00",
]


@pytest.fixture
def catalog(db: None) -> Catalog:
    return draft_of()


def cell(catalog: Catalog, group: str, tool: str) -> str:
    return f"{catalog.groups.get(name=group).pk}-{catalog.tools.get(name=tool).pk}"


def tick(client: Client, catalog: Catalog, group: str, tool: str, on: str = "1") -> str:
    group_id, tool_id = cell(catalog, group, tool).split("-")
    answer = client.post(
        f"/catalogs/{catalog.name}/groups/-/cells",
        {"group": group_id, "tool": tool_id, "on": on},
        headers=HTMX,
    )
    assert answer.status_code == 200
    return answer.content.decode()


def is_in(catalog: Catalog, group: str, tool: str) -> bool:
    return GroupTool.objects.filter(
        group__catalog=catalog, group__name=group, tool__name=tool
    ).exists()


def test_the_page_shows_every_tool_against_every_group(signed_in: Client, catalog: Catalog) -> None:
    page = signed_in.get("/catalogs/back-office/groups").content.decode()
    assert page.count('name="cell"') == 34 * 5
    assert page.count('name="was"') == 33  # ask_user alone is in no group
    assert page.count("in no group") == 1


def test_a_tick_is_saved_and_answered_with_the_new_figures(
    signed_in: Client, catalog: Catalog
) -> None:
    answer = tick(signed_in, catalog, "billing", "check_stock")
    assert is_in(catalog, "billing", "check_stock")
    assert "check_stock is in billing." in answer
    assert "8 tools" in answer
    assert answer.count('hx-swap-oob="true"') == 2
    answer = tick(signed_in, catalog, "billing", "check_stock", "0")
    assert not is_in(catalog, "billing", "check_stock")
    assert "7 tools" in answer


def test_a_rectangle_is_one_request(signed_in: Client, catalog: Catalog) -> None:
    groups = list(catalog.groups.values_list("pk", flat=True))[:2]
    tools = list(catalog.tools.values_list("pk", flat=True))[:9]
    answer = signed_in.post(
        "/catalogs/back-office/groups/-/cells",
        {"group": groups, "tool": tools, "on": "1"},
        headers=HTMX,
    )
    assert "18 ticks saved." in answer.content.decode()
    assert GroupTool.objects.filter(group__in=groups, tool__in=tools).count() == 18


def test_a_tool_that_is_gone_is_refused_with_the_reason(
    signed_in: Client, catalog: Catalog
) -> None:
    group = catalog.groups.get(name="billing").pk
    answer = signed_in.post(
        "/catalogs/back-office/groups/-/cells",
        {"group": group, "tool": 10**9, "on": "1"},
        headers=HTMX,
    )
    assert answer.status_code == 422
    assert "no longer in the catalog" in answer.content.decode()


def test_a_cell_of_another_catalog_is_refused_like_one_that_is_gone(
    signed_in: Client, catalog: Catalog
) -> None:
    other = draft_of("refunds")
    group, tool = other.groups.all()[0], other.tools.all()[0]
    GroupTool.objects.filter(group=group).delete()
    answer = signed_in.post(
        "/catalogs/back-office/groups/-/cells", {"group": group.pk, "tool": tool.pk, "on": "1"}
    )
    assert answer.status_code == 422
    assert not group.memberships.exists()


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"group": "1", "tool": "1"},
        {"group": "x", "tool": "1", "on": "1"},
        {"group": "1", "tool": "9" * 30, "on": "1"},
        {"group": "1", "tool": "9" * 9000, "on": "1"},
        {"group": "-1", "tool": "²", "on": "1"},
        {"group": "1", "tool": "1", "on": "yes"},
        {"group": [str(n) for n in range(100)], "tool": [str(n) for n in range(100)], "on": "1"},
    ],
)
def test_what_is_no_cell_is_a_bad_request(
    signed_in: Client, catalog: Catalog, form: dict[str, object]
) -> None:
    assert signed_in.post("/catalogs/back-office/groups/-/cells", form).status_code == 400


def test_the_search_filters_rows_and_columns_on_the_server(
    signed_in: Client, catalog: Catalog
) -> None:
    page = signed_in.get("/catalogs/back-office/groups?q=invoice+TAXES+withholding&group_q=INVOI")
    matrix = page.context["matrix"]
    assert [line.tool.name for line in matrix.lines] == ["get_invoice_taxes"]
    assert [group.name for group in matrix.columns] == ["invoices"]
    assert b'value="invoice TAXES withholding"' in page.content


def test_tools_in_no_group_can_be_looked_at_alone(signed_in: Client, catalog: Catalog) -> None:
    matrix = signed_in.get("/catalogs/back-office/groups?loose=1").context["matrix"]
    assert [line.tool.name for line in matrix.lines] == ["ask_user"]


def test_htmx_gets_the_matrix_alone(signed_in: Client, catalog: Catalog) -> None:
    headers = {**HTMX, "HX-Target": "matrix"}
    answer = signed_in.get("/catalogs/back-office/groups?q=stock", headers=headers)
    text = answer.content.decode()
    assert text.strip().startswith('<div id="matrix">')
    assert "<html" not in text
    assert "HX-Request" in answer["Vary"]


def test_saving_without_javascript_changes_what_was_changed_and_nothing_else(
    signed_in: Client, catalog: Catalog
) -> None:
    before = set(GroupTool.objects.values_list("group__name", "tool__name"))
    was = [cell(catalog, "billing", "find_payment"), cell(catalog, "billing", "settle_bill")]
    now = [cell(catalog, "billing", "find_payment"), cell(catalog, "stock", "find_payment")]
    address = "/catalogs/back-office/groups?q=find&page=1"
    answer = signed_in.post(address, {"was": was, "cell": now}, follow=True)
    assert answer.redirect_chain == [(address, 302)]
    assert "2 changes saved." in answer.content.decode()
    after = set(GroupTool.objects.values_list("group__name", "tool__name"))
    assert after - before == {("stock", "find_payment")}
    assert before - after == {("billing", "settle_bill")}


def test_what_another_ticked_meanwhile_survives_the_saving_of_an_old_page(
    signed_in: Client, catalog: Catalog
) -> None:
    matrix = signed_in.get("/catalogs/back-office/groups").context["matrix"]
    was = [f"{g}-{line.tool.pk}" for line in matrix.lines for g, on in line.cells if on]
    tick(signed_in, catalog, "billing", "check_stock")
    sent = {"was": was, "cell": [*was, cell(catalog, "billing", "find_invoice")]}
    answer = signed_in.post("/catalogs/back-office/groups", sent, follow=True)
    assert "1 change saved." in answer.content.decode()
    assert "Somebody else changed 1 other tick meanwhile" in answer.content.decode()
    assert is_in(catalog, "billing", "check_stock")
    assert is_in(catalog, "billing", "find_invoice")
    assert is_in(catalog, "billing", "find_payment")


def test_a_damaged_form_is_a_bad_request(signed_in: Client, catalog: Catalog) -> None:
    for value in ("1", "1-", "-1", "a-b", "1-2-3"):
        answer = signed_in.post("/catalogs/back-office/groups", {"cell": value})
        assert answer.status_code == 400, value


@pytest.mark.parametrize("address", ["groups", "tools"])
def test_odd_addresses_are_pages(signed_in: Client, catalog: Catalog, address: str) -> None:
    for query in (
        "q=%00",
        "q=%ED%A0%80",
        "page=-3",
        "page=x",
        f"page={'9' * 30}",
        "columns=zz",
        f"q={'a+' * 5000}",
        "group=%00",
        "tag=%00",
        "sort=zz",
        "enabled=zz",
        "effect=%00",
    ):
        assert signed_in.get(f"/catalogs/back-office/{address}?{query}").status_code == 200, query


def test_an_empty_catalog_says_what_to_do_next(signed_in: Client) -> None:
    catalog = empty_catalog()
    page = signed_in.get("/catalogs/empty/groups").content.decode()
    assert "/catalogs/empty/groups/-/new" in page
    catalog.groups.create(name="billing")
    page = signed_in.get("/catalogs/empty/groups").content.decode()
    assert "/catalogs/empty/tools/-/new" in page
    page = signed_in.get("/catalogs/empty/groups?q=zz").content.decode()
    assert "Nothing fits this search" in page


def test_a_catalog_that_is_not_in_use_is_not_found(signed_in: Client, catalog: Catalog) -> None:
    Catalog.objects.update(archived=True)
    for path in (
        "groups",
        "tools",
        "groups/billing",
        "tools/find_payment",
        "tools/-/new",
        "groups/-/new",
        "groups/-/hint",
        "groups/billing/delete",
    ):
        assert signed_in.get(f"/catalogs/back-office/{path}").status_code == 404, path
    for path in ("groups", "groups/-/cells", "tools/-/check", "tools/find_payment/flags/enabled"):
        assert signed_in.post(f"/catalogs/back-office/{path}").status_code == 404, path


def test_nobody_gets_here_without_signing_in(client: Client, catalog: Catalog) -> None:
    answer = client.get("/catalogs/back-office/groups")
    assert answer.status_code == 302
    assert answer["Location"].startswith("/sign-in")
