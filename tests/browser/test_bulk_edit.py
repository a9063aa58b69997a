"""Many tools edited at once from their list, by mouse, by keyboard and without JavaScript."""

import re

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from catalog.models import Catalog
from tests.drafts import big_catalog, draft_of


@pytest.fixture
def catalog(transactional_db: None, user: User) -> Catalog:
    return big_catalog(tools=70, groups=3)


@pytest.fixture
def browser_context_args(
    browser_context_args: dict[str, object], request: pytest.FixtureRequest
) -> dict[str, object]:
    scripts = "without_javascript" not in request.node.name
    return {**browser_context_args, "java_script_enabled": scripts}


def ticked(page: Page, said: str) -> None:
    expect(page.locator("#bulk-count")).to_have_text(said)


def test_ticks_outlive_pages_searches_and_reloads_until_they_are_used(
    catalog: Catalog, signed_in_page: Page
) -> None:
    page = signed_in_page
    page.goto(f"/catalogs/{catalog.name}/tools")
    boxes = page.locator("input[name=tool]")
    boxes.nth(0).click()
    boxes.nth(2).click(modifiers=["Shift"])
    ticked(page, "3 ticked")
    page.get_by_role("link", name="Next page").click()
    expect(boxes).to_have_count(20)
    boxes.nth(19).click()
    ticked(page, "4 ticked")
    page.get_by_role("searchbox").fill("0069")
    expect(boxes).to_have_count(1)
    expect(boxes.first).to_be_checked()
    page.reload()
    ticked(page, "4 ticked")
    boxes.first.click()
    ticked(page, "3 ticked")
    page.get_by_role("searchbox").fill("")
    expect(boxes).to_have_count(50)
    expect(page.locator("#tool-list tbody input:checked")).to_have_count(3)
    page.get_by_role("button", name="Edit the ticked").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Edit 3 tools")
    page.get_by_label("Enabled").select_option("disable")
    page.get_by_role("searchbox", name="Search groups").first.fill("department_001")
    page.get_by_role("checkbox", name=re.compile("department_001")).first.check()
    page.get_by_role("button", name="See what changes").click()
    page.get_by_role("button", name="Change 3 tools").click()
    expect(page.get_by_text("3 tools are changed.")).to_be_visible()
    ticked(page, "None ticked")
    page.reload()
    ticked(page, "None ticked")
    assert set(catalog.tools.filter(enabled=False)) == set(catalog.tools.all()[:3])


def test_tools_are_ticked_and_changed_by_keyboard(catalog: Catalog, signed_in_page: Page) -> None:
    page = signed_in_page
    page.goto(f"/catalogs/{catalog.name}/tools")
    page.locator("input[name=tool]").first.focus()
    for key in ("Space", "ArrowDown", "ArrowDown", "Shift+Space"):
        page.keyboard.press(key)
    ticked(page, "3 ticked")
    page.get_by_role("button", name="Edit the ticked").press("Enter")
    page.get_by_label("Owner", exact=True).press_sequentially("ops")
    page.keyboard.press("Enter")
    expect(page.get_by_role("row", name=re.compile("Owner finance ops"))).to_be_visible()
    page.get_by_role("button", name="Change 3 tools").press("Enter")
    expect(page.get_by_text("3 tools are changed.")).to_be_visible()
    assert catalog.tools.filter(owner="ops").count() == 3
    page.get_by_role("button", name="Undo").press("Enter")
    expect(page.get_by_text("3 tools are changed.")).to_have_count(0)
    ticked(page, "None ticked")
    assert not catalog.tools.filter(owner="ops").exists()


def test_without_javascript_a_button_keeps_the_ticks(
    transactional_db: None, signed_in_page: Page
) -> None:
    catalog, page = draft_of(), signed_in_page
    page.goto("/catalogs/back-office/tools?q=settle")
    page.get_by_role("checkbox", name="Tick settle_bill").check()
    page.get_by_role("button", name="Keep the ticks").click()
    page.get_by_role("searchbox").fill("find_payment")
    page.get_by_role("button", name="Filter").click()
    page.get_by_role("checkbox", name="Tick find_payment").check()
    page.get_by_role("button", name="Edit the ticked").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Edit 2 tools")
    page.get_by_label("Side effect").select_option("destructive")
    page.get_by_role("button", name="See what changes").click()
    expect(page.get_by_role("alert")).to_contain_text("may only read")
    page.get_by_role("button", name="Leave out 1 tool").click()
    page.get_by_role("button", name="Change 1 tool").click()
    expect(page.get_by_text("1 tool is changed.")).to_be_visible()
    assert catalog.tools.get(name="settle_bill").side_effect == "destructive"
