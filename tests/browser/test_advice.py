"""Advice on when not to route: its numbers are on the pages, and its next step leads somewhere."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from catalog.models import Catalog
from tests.browser.conftest import carry_session
from tests.samples import published


@pytest.fixture
def refunds(transactional_db: None, user: User) -> Catalog:
    return published("refunds", strategy="auto")


@pytest.mark.parametrize("path", ["/", "/playground"])
def test_the_next_step_is_one_click_away(refunds: Catalog, signed_in_page: Page, path: str) -> None:
    signed_in_page.goto(f"{path}?catalog=refunds")
    advice = signed_in_page.get_by_role("region", name="When not to route")

    expect(advice).to_contain_text("Too few tools to need a router")
    advice.get_by_role("link", name="Set the strategy “all”").click()

    expect(signed_in_page.get_by_role("heading", name="Settings", level=1)).to_be_visible()
    expect(signed_in_page.get_by_label("Strategy")).to_be_visible()


@pytest.mark.parametrize("width", [375, 1280])
def test_it_fits_the_screen_without_javascript(
    refunds: Catalog, browser: Browser, live_server: LiveServer, signed_in: Client, width: int
) -> None:
    context = browser.new_context(
        java_script_enabled=False, viewport={"width": width, "height": 800}
    )
    page = context.new_page()
    carry_session(page, signed_in, live_server)
    page.goto(f"{live_server.url}/playground?catalog=refunds")

    box = page.locator("#advice").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    context.close()
