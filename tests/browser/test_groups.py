"""The matrix and a group's page, by mouse and by keyboard."""

import re

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from playwright.sync_api import Locator, Page, Route, expect

from catalog.models import Catalog, Group, GroupTool
from tests.browser.conftest import Complaints
from tests.drafts import big_catalog, draft_of

GROUPS = "/catalogs/back-office/groups"


@pytest.fixture
def catalog(transactional_db: None, user: User) -> Catalog:
    return draft_of()


@pytest.fixture
def matrix(catalog: Catalog, signed_in_page: Page) -> Page:
    signed_in_page.goto(GROUPS)
    return signed_in_page


def box(page: Page, tool: str, group: str) -> Locator:
    return page.get_by_role("checkbox", name=f"{tool} {group}", exact=True)


def members(group: str = "billing") -> set[str]:
    return set(GroupTool.objects.filter(group__name=group).values_list("tool__name", flat=True))


def saved(page: Page, text: str) -> None:
    expect(page.locator("#matrix-status")).to_have_text(text)


def test_a_tick_is_saved_at_once_and_the_figures_follow(matrix: Page) -> None:
    head = matrix.get_by_role("columnheader", name="billing")
    expect(head).to_contain_text("7 tools")
    box(matrix, "check_stock", "billing").check()
    saved(matrix, "check_stock is in billing.")
    expect(head).to_contain_text("8 tools")
    assert "check_stock" in members()
    matrix.reload()
    expect(box(matrix, "check_stock", "billing")).to_be_checked()
    box(matrix, "check_stock", "billing").uncheck()
    saved(matrix, "check_stock is out of billing.")
    assert "check_stock" not in members()


def test_a_click_beside_the_box_ticks_it_too(matrix: Page) -> None:
    cell = matrix.locator("td", has=box(matrix, "check_stock", "billing"))
    cell.click(position={"x": 3, "y": 3})
    saved(matrix, "check_stock is in billing.")


def test_the_last_group_of_a_tool_is_missed_beside_its_name(matrix: Page) -> None:
    row = matrix.get_by_role("row", name=re.compile("^find_payment"))
    expect(row).not_to_contain_text("in no group")
    box(matrix, "find_payment", "billing").uncheck()
    expect(row).to_contain_text("in no group")


def test_arrows_move_space_ticks_and_tab_leaves(matrix: Page) -> None:
    first = box(matrix, "find_payment", "billing")
    first.focus()
    matrix.keyboard.press("ArrowRight")
    expect(box(matrix, "find_payment", "invoices")).to_be_focused()
    matrix.keyboard.press("ArrowDown")
    expect(box(matrix, "get_bank_statement", "invoices")).to_be_focused()
    matrix.keyboard.press("Space")
    saved(matrix, "get_bank_statement is in invoices.")
    expect(box(matrix, "get_bank_statement", "invoices")).to_be_focused()
    for key, tool, group in (
        ("Home", "get_bank_statement", "billing"),
        ("End", "get_bank_statement", "commissions"),
        ("Control+End", "ask_user", "commissions"),
        ("Control+Home", "find_payment", "billing"),
        ("ArrowUp", "find_payment", "billing"),
        ("PageDown", "cancel_invoice", "billing"),
    ):
        matrix.keyboard.press(key)
        expect(box(matrix, tool, group)).to_be_focused()
    assert matrix.locator(".matrix input[tabindex='0']").count() == 1
    matrix.keyboard.press("Tab")
    assert not matrix.locator(".matrix input:focus").count()


def test_enter_ticks_and_sends_no_form(matrix: Page) -> None:
    box(matrix, "check_stock", "billing").focus()
    matrix.keyboard.press("Enter")
    saved(matrix, "check_stock is in billing.")
    expect(matrix).to_have_url(GROUPS)


def test_shift_click_ticks_everything_in_between_in_one_request(matrix: Page) -> None:
    posts: list[str] = []
    matrix.on("request", lambda request: posts.append(request.method))
    box(matrix, "find_invoice", "billing").click()
    saved(matrix, "find_invoice is in billing.")
    box(matrix, "cancel_invoice", "billing").click(modifiers=["Shift"])
    saved(matrix, "4 ticks saved.")
    between = {"find_invoice", "get_invoice_taxes", "issue_invoice", "cancel_invoice"}
    for tool in between:
        expect(box(matrix, tool, "billing")).to_be_checked()
    assert between <= members()
    assert posts.count("POST") == 2


def test_shift_space_ticks_everything_in_between(matrix: Page) -> None:
    box(matrix, "find_payment", "stock").focus()
    matrix.keyboard.press("Space")
    saved(matrix, "find_payment is in stock.")
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "Shift+Space"):
        matrix.keyboard.press(key)
    saved(matrix, "6 ticks saved.")
    assert {"find_payment", "get_bank_statement"} <= members("stock") & members("logistics")


def test_quick_ticks_are_all_saved_in_their_order(matrix: Page) -> None:
    box(matrix, "check_stock", "billing").focus()
    for _ in range(5):
        matrix.keyboard.press("Space")
        matrix.keyboard.press("ArrowDown")
    head = matrix.get_by_role("columnheader", name="billing")
    expect(head).to_contain_text("12 tools")
    assert len(members()) == 12
    expect(head.locator(".text-warning")).to_have_attribute("title", re.compile("More than 10"))


def test_a_refused_tick_is_put_back_with_the_reason_beside_it(
    matrix: Page, complaints: Complaints
) -> None:
    complaints.expect_status(422)
    Group.objects.get(name="stock").delete()
    refused = box(matrix, "find_payment", "stock")
    refused.click()
    expect(matrix.get_by_role("alert")).to_contain_text("no longer in the catalog")
    expect(refused).not_to_be_checked()
    expect(refused).to_have_accessible_description(re.compile("no longer in the catalog"))
    box(matrix, "check_stock", "billing").check()
    expect(matrix.get_by_role("alert")).to_have_count(0)


def test_a_refused_range_puts_each_box_back_as_it_was(matrix: Page, complaints: Complaints) -> None:
    complaints.expect_status(422)
    box(matrix, "refund_overpayment", "invoices").click()
    saved(matrix, "refund_overpayment is in invoices.")
    Catalog.objects.get().tools.get(name="get_invoice_taxes").delete()
    box(matrix, "issue_invoice", "billing").click(modifiers=["Shift"])
    expect(matrix.get_by_role("alert")).to_contain_text("no longer")
    expect(box(matrix, "find_invoice", "billing")).not_to_be_checked()
    expect(box(matrix, "find_invoice", "invoices")).to_be_checked()


def test_a_tick_that_reaches_no_server_is_put_back(matrix: Page, complaints: Complaints) -> None:
    complaints.expect_console("htmx")
    complaints.expect_console("ERR_")
    matrix.route("**/cells", lambda route: route.abort("connectionrefused"))
    box(matrix, "check_stock", "billing").click()
    expect(matrix.locator("#messages")).to_contain_text("cannot be reached")
    expect(box(matrix, "check_stock", "billing")).not_to_be_checked()
    complaints.seen.clear()


def test_a_tick_of_one_who_is_signed_out_leads_to_the_sign_in_and_back(matrix: Page) -> None:
    matrix.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    box(matrix, "check_stock", "billing").click()
    expect(matrix.get_by_role("heading", name="Sign in")).to_be_visible()
    matrix.get_by_label("Username").fill("ana")
    matrix.get_by_label("Password").fill("a long password")
    matrix.get_by_role("button", name="Sign in").click()
    expect(matrix).to_have_url(GROUPS)
    expect(box(matrix, "check_stock", "billing")).not_to_be_checked()


def test_searches_filter_on_the_server_and_ticks_survive_them(matrix: Page) -> None:
    box(matrix, "check_stock", "billing").check()
    matrix.get_by_role("searchbox", name="Search tools").fill("carrier")
    expect(box(matrix, "check_stock", "billing")).to_have_count(0)
    matrix.get_by_role("searchbox", name="Filter groups").fill("bill")
    expect(matrix.get_by_role("columnheader", name="stock")).to_have_count(0)
    box(matrix, "open_carrier_ticket", "billing").check()
    saved(matrix, "open_carrier_ticket is in billing.")
    expect(matrix).to_have_url(re.compile(r"q=carrier.*group_q=bill"))
    matrix.get_by_role("searchbox", name="Search tools").fill("")
    matrix.get_by_role("searchbox", name="Filter groups").fill("")
    expect(box(matrix, "check_stock", "billing")).to_be_checked()
    expect(box(matrix, "open_carrier_ticket", "billing")).to_be_checked()
    matrix.get_by_label("In no group").check()
    expect(matrix.get_by_role("row")).to_have_count(2)
    expect(matrix.get_by_role("row", name=re.compile("ask_user"))).to_be_visible()


def test_a_search_waits_for_the_ticks_that_are_not_saved_yet(matrix: Page) -> None:
    order: list[str] = []

    def slowly(route: Route) -> None:
        matrix.wait_for_timeout(700)
        route.continue_()

    matrix.route("**/cells", slowly)
    # A file of the page may still be on its way.
    matrix.on(
        "requestfinished",
        lambda request: order.append(request.method) if "/groups" in request.url else None,
    )
    box(matrix, "check_stock", "billing").click()
    matrix.get_by_role("searchbox", name="Search tools").fill("check_stock")
    expect(matrix.get_by_role("row")).to_have_count(2)
    expect(box(matrix, "check_stock", "billing")).to_be_checked()
    assert order[:2] == ["POST", "GET"]


def test_pages_of_rows_and_of_columns_swap_the_table_alone(
    transactional_db: None, signed_in_page: Page
) -> None:
    page = signed_in_page
    catalog = big_catalog(tools=60, groups=30, memberships=1)
    page.goto(f"/catalogs/{catalog.name}/groups")
    page.evaluate("document.body.dataset.same = 'yes'")
    first = page.get_by_role("checkbox").nth(5)
    name = first.get_attribute("value")
    first.click()
    expect(page.locator("#matrix-status")).to_contain_text(re.compile("is (in|out)"))
    state = first.is_checked()
    page.get_by_role("link", name="Next page").click()
    expect(page.locator("#matrix")).to_contain_text("51 to 60 of 60")
    page.get_by_role("link", name="Groups, page 2").click()
    expect(page.locator("#matrix")).to_contain_text("Groups 21 to 30 of 30")
    expect(page).to_have_url(re.compile(r"page=2.*columns=2|columns=2.*page=2"))
    page.get_by_role("link", name="Previous page").click()
    expect(page.locator("#matrix")).to_contain_text("1 to 50 of 60")
    page.get_by_role("link", name="Groups, page 1").click()
    again = page.locator(f"input[name='cell'][value='{name}']")
    expect(again).to_be_checked(checked=state)
    assert page.evaluate("document.body.dataset.same") == "yes"
    again.focus()
    page.keyboard.press("ArrowDown")
    expect(again).not_to_be_focused()


def test_tools_are_put_in_order_by_keyboard_and_keep_the_focus(
    catalog: Catalog, signed_in_page: Page
) -> None:
    page = signed_in_page
    page.goto(f"{GROUPS}/billing")
    down = page.get_by_role("button", name="Move find_payment down")
    down.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".place").nth(1)).to_contain_text("find_payment")
    expect(down).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".place").nth(2)).to_contain_text("find_payment")
    page.get_by_role("button", name="Move find_payment up").click()
    expect(page.locator(".place").nth(1)).to_contain_text("find_payment")
    expect(page.get_by_role("status").filter(has_text="is moved")).to_be_visible()


def test_switches_of_a_group_refuse_a_tool_that_writes(
    catalog: Catalog, signed_in_page: Page, complaints: Complaints
) -> None:
    complaints.expect_status(422)
    page = signed_in_page
    page.goto(f"{GROUPS}/billing")
    page.get_by_role("switch", name="Always on: get_bank_statement").click()
    expect(page.get_by_role("switch", name="Always on: get_bank_statement")).to_be_checked()
    refused = page.get_by_role("switch", name="Default tool: settle_bill")
    refused.focus()
    page.keyboard.press("Space")
    expect(page.get_by_role("alert")).to_contain_text("may only read")
    expect(refused).not_to_be_checked()
    expect(refused).to_be_focused()
    assert catalog.tools.get(name="get_bank_statement").always_on


def test_a_tool_is_taken_out_of_its_group(catalog: Catalog, signed_in_page: Page) -> None:
    page = signed_in_page
    page.goto(f"{GROUPS}/billing")
    page.get_by_role("button", name="Take settle_bill out of the group").click()
    expect(page.locator("#group-tools")).to_contain_text("6 tools")
    assert "settle_bill" not in members()


def test_the_hint_on_the_description_follows_the_typing(
    catalog: Catalog, signed_in_page: Page
) -> None:
    page = signed_in_page
    page.goto(f"{GROUPS}/billing")
    expect(page.locator("#description-hint")).to_contain_text("Says when to use it")
    page.get_by_label("When to use it").fill("Tools of billing")
    expect(page.locator("#description-hint")).to_contain_text("what the group holds")


def test_a_group_is_added_renamed_and_deleted_by_keyboard(
    catalog: Catalog, signed_in_page: Page, complaints: Complaints
) -> None:
    complaints.expect_status(422)
    page = signed_in_page
    page.goto(GROUPS)
    page.get_by_role("link", name="Add group").focus()
    page.keyboard.press("Enter")
    page.get_by_label("Name").fill("stock")
    page.get_by_label("Name").press("Enter")
    expect(page.get_by_text("Another group has this name.")).to_be_visible()
    page.get_by_label("Name").fill("returns")
    page.get_by_label("Name").press("Enter")
    expect(page.get_by_role("columnheader", name="returns")).to_be_visible()
    page.get_by_role("link", name="returns").click()
    page.get_by_label("Name").fill("goods_back")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("goods_back")
    page.get_by_role("link", name="Delete").click()
    page.get_by_role("button", name="Delete").click()
    expect(page).to_have_url(GROUPS)
    expect(page.get_by_role("columnheader", name="goods_back")).to_have_count(0)


@pytest.fixture
def browser_context_args(
    browser_context_args: dict[str, object], request: pytest.FixtureRequest
) -> dict[str, object]:
    marked = request.node.get_closest_marker("parametrize")
    scripts = not (marked and "without_javascript" in marked.args[0])
    return {**browser_context_args, "java_script_enabled": scripts}


@pytest.mark.parametrize("without_javascript", [True])
def test_without_javascript_the_form_saves_what_it_shows(
    matrix: Page, without_javascript: bool
) -> None:
    matrix.get_by_role("searchbox", name="Search tools").fill("check_stock")
    matrix.get_by_role("button", name="Filter").click()
    box(matrix, "check_stock", "billing").check()
    box(matrix, "check_stock", "stock").uncheck()
    matrix.get_by_role("button", name="Save").click()
    expect(matrix.get_by_text("2 changes saved.")).to_be_visible()
    expect(box(matrix, "check_stock", "billing")).to_be_checked()
    assert "check_stock" in members()
    assert "check_stock" not in members("stock")
    assert "find_payment" in members()
