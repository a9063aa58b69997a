"""The list of tools and a tool's form, by mouse and by keyboard."""

import re

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from catalog.models import Catalog
from tests.browser.conftest import Complaints
from tests.drafts import big_catalog, draft_of

TOOLS = "/catalogs/back-office/tools"


@pytest.fixture
def catalog(transactional_db: None, user: User) -> Catalog:
    return draft_of()


@pytest.fixture
def tools(catalog: Catalog, signed_in_page: Page) -> Page:
    signed_in_page.goto(TOOLS)
    return signed_in_page


@pytest.fixture
def form(catalog: Catalog, signed_in_page: Page) -> Page:
    signed_in_page.goto(f"{TOOLS}/find_payment")
    return signed_in_page


def rows(page: Page, count: int) -> None:
    expect(page.locator("#tool-list tbody tr")).to_have_count(count)


def test_search_and_filters_narrow_the_list_without_a_reload(tools: Page) -> None:
    tools.evaluate("document.body.dataset.same = 'yes'")
    rows(tools, 34)
    tools.get_by_role("searchbox").fill("carrier ticket")
    rows(tools, 2)
    expect(tools.get_by_role("searchbox")).to_be_focused()
    tools.get_by_role("combobox", name="Side effect").select_option("read")
    rows(tools, 1)
    expect(tools).to_have_url(re.compile("q=carrier.*effect=read"))
    tools.get_by_role("combobox", name="Group").select_option("In no group")
    expect(tools.get_by_text("No tool fits")).to_be_visible()
    tools.get_by_role("link", name="Show every tool").click()
    rows(tools, 34)
    tools.get_by_role("combobox", name="Tag").select_option("payments")
    expect(tools.locator("#tool-list tbody tr").first).to_contain_text("find_payment")


def test_going_back_brings_the_list_that_was_there(tools: Page) -> None:
    tools.get_by_role("searchbox").fill("carrier ticket")
    rows(tools, 2)
    tools.get_by_role("link", name="get_carrier_ticket", exact=True).click()
    expect(tools.get_by_role("heading", level=1)).to_have_text("get_carrier_ticket")
    tools.go_back()
    rows(tools, 2)


def test_a_tool_is_switched_off_with_one_click_or_key(tools: Page, catalog: Catalog) -> None:
    switch = tools.get_by_role("switch", name="Enabled: settle_bill")
    switch.click()
    expect(switch).not_to_be_checked()
    assert not catalog.tools.get(name="settle_bill").enabled
    switch.focus()
    tools.keyboard.press("Space")
    expect(switch).to_be_checked()
    expect(switch).to_be_focused()
    assert catalog.tools.get(name="settle_bill").enabled


def test_pages_of_a_long_list_keep_the_filter(transactional_db: None, signed_in_page: Page) -> None:
    catalog = big_catalog(tools=120, groups=3)
    signed_in_page.goto(f"/catalogs/{catalog.name}/tools?sort=name")
    signed_in_page.get_by_role("link", name="3", exact=True).click()
    rows(signed_in_page, 20)
    expect(signed_in_page).to_have_url(re.compile("sort=name.*page=3"))


def test_the_schema_is_checked_while_it_is_typed(form: Page) -> None:
    tokens = form.locator("#tool-tokens")
    expect(tokens).to_have_text("180 tokens")
    schema = form.get_by_label("Input schema")
    schema.fill('{\n  "type": "object",\n  "properties": []\n}')
    faults = form.locator("#id_input_schema_error")
    expect(faults).to_contain_text("Line 3, column 17: At /properties")
    expect(tokens).to_contain_text("no sound input schema")
    expect(schema).to_be_focused()
    schema.fill('{"type": "object", "properties": {"code": {"type": "string"}}}')
    expect(faults).to_be_empty()
    expect(tokens).to_have_text("70 tokens")
    form.get_by_label("Output schema").fill("{")
    expect(form.locator("#id_output_schema_error")).to_contain_text("Line 1, column 2")


def test_the_previews_follow_the_typing(form: Page) -> None:
    form.get_by_label("Description").fill("Said anew.")
    expect(form.locator("#preview-openai")).to_contain_text('"description": "Said anew."')
    form.get_by_text("Prompt", exact=True).click()
    expect(form.locator("#preview-prompt")).to_contain_text("- find_payment(order_code: string")
    expect(form.locator("#preview-prompt")).to_contain_text("Said anew.")
    expect(form.locator("#preview-openai")).to_be_hidden()


def test_a_failed_save_loses_nothing_that_was_typed(form: Page, complaints: Complaints) -> None:
    complaints.expect_status(422)
    form.get_by_label("Title").fill("Kept")
    form.get_by_label("Input schema").fill('{"type": ')
    form.get_by_role("button", name="Save").click()
    expect(form.get_by_role("alert")).to_contain_text("Nothing was saved")
    expect(form.get_by_label("Title")).to_have_value("Kept")
    expect(form.get_by_label("Input schema")).to_have_value('{"type": ')
    expect(form.locator("#id_input_schema_error")).to_contain_text("Line 1, column 10")


def test_a_tool_is_added_and_deleted_by_keyboard(tools: Page, catalog: Catalog) -> None:
    tools.get_by_role("link", name="Add tool").focus()
    tools.keyboard.press("Enter")
    tools.get_by_label("Name").fill("new")
    tools.get_by_label("Name").press("Enter")
    expect(tools.get_by_role("heading", level=1)).to_have_text("new")
    assert catalog.tools.filter(name="new").exists()
    tools.get_by_role("link", name="Delete").focus()
    tools.keyboard.press("Enter")
    tools.get_by_role("button", name="Delete").focus()
    tools.keyboard.press("Enter")
    expect(tools).to_have_url(TOOLS)
    assert not catalog.tools.filter(name="new").exists()


def test_a_group_is_reached_from_its_tool(form: Page) -> None:
    form.get_by_role("main").get_by_role("link", name="billing").click()
    expect(form).to_have_url("/catalogs/back-office/groups/billing")
