"""The search of every page, by keyboard alone and without JavaScript."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from catalog.models import Catalog
from catalog.roles import Role
from tests.browser.conftest import carry_session
from tests.members import client_of, member
from tests.samples import published


@pytest.fixture
def refunds(transactional_db: None, settings: Any) -> Catalog:
    """Return a published catalog of four tools."""
    settings.ENCODER = "none"
    return published("refunds")


def test_it_is_opened_chosen_from_and_left_by_keyboard(
    clean_page: Page, live_server: LiveServer, refunds: Catalog
) -> None:
    page = clean_page
    carry_session(page, client_of(member(refunds, Role.VIEWER)), live_server)
    page.goto("/catalogs/refunds/groups")
    opener = page.get_by_role("link", name="Search", exact=True)
    opener.focus()
    page.keyboard.press("Control+k")
    box = page.get_by_role("combobox", name="Search everything")
    expect(box).to_be_focused()
    expect(page.get_by_role("option", name="Tools")).to_be_visible()

    page.keyboard.type("refund")
    first = page.get_by_role("option").first
    expect(first).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("option", name="issue_refund")).to_be_visible()
    expect(box).to_have_attribute("aria-activedescendant", first.get_attribute("id") or "")
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("option").last).to_have_attribute("aria-selected", "true")
    expect(box).to_be_focused()

    page.keyboard.press("Escape")
    expect(box).to_be_hidden()
    expect(opener).to_be_focused()

    page.keyboard.press("Control+k")
    page.keyboard.type("issue")
    expect(page.get_by_role("option", name="issue_refund")).to_have_attribute(
        "aria-selected", "true"
    )
    page.keyboard.press("Enter")
    expect(page).to_have_url("/catalogs/refunds/tools/issue_refund")


def test_without_javascript_it_is_a_page(
    browser: Browser, live_server: LiveServer, refunds: Catalog
) -> None:
    context = browser.new_context(java_script_enabled=False, base_url=live_server.url)
    page = context.new_page()
    carry_session(page, client_of(member(refunds, Role.VIEWER)), live_server)
    page.goto("/catalogs/refunds/groups")
    page.get_by_role("link", name="Search", exact=True).click()
    page.get_by_role("searchbox", name="Search everything").fill("issue")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("link", name="issue_refund").click()
    expect(page).to_have_url(f"{live_server.url}/catalogs/refunds/tools/issue_refund")
    context.close()
