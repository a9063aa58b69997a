"""Pages as somebody sees them who may read and not change."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from catalog.models import Catalog, Membership
from catalog.roles import Role
from tests.browser.conftest import Complaints, carry_session
from tests.browser.test_every_page import DESKTOP, PHONE, faults_of
from tests.members import client_of, member
from tests.samples import published

PATHS = {
    path: f"/catalogs/refunds/{path}"
    for path in (
        "groups",
        "groups/orders",
        "tools",
        "tools/read_order",
        "settings",
        "health",
        "versions",
    )
} | {path: path for path in ("/", "/playground", "/keys", "/catalogs/")}


@pytest.fixture
def refunds(transactional_db: None, settings: Any) -> Catalog:
    settings.ENCODER = "none"
    return published("refunds")


def test_no_page_of_a_viewer_has_a_fault(
    clean_page: Page, complaints: Complaints, live_server: LiveServer, refunds: Catalog
) -> None:
    carry_session(clean_page, client_of(member(refunds, Role.VIEWER)), live_server)
    faults = faults_of(clean_page, complaints, PATHS, sizes=(PHONE, DESKTOP))
    assert not faults, "\n".join(faults)


def test_a_viewer_reads_the_matrix_and_cannot_tick(
    clean_page: Page, live_server: LiveServer, refunds: Catalog
) -> None:
    carry_session(clean_page, client_of(member(refunds, Role.VIEWER)), live_server)
    clean_page.goto(PATHS["groups"])
    box = clean_page.get_by_role("checkbox", name="read_order orders")
    expect(box).to_be_checked()
    expect(box).to_be_disabled()
    clean_page.get_by_label("Search tools by name").fill("search_refund_policy")
    expect(clean_page.get_by_role("row")).to_have_count(2)
    expect(clean_page.get_by_role("checkbox", name="search_refund_policy orders")).to_be_disabled()


def test_a_role_that_was_lowered_meanwhile_is_told_of(
    clean_page: Page, complaints: Complaints, live_server: LiveServer, refunds: Catalog
) -> None:
    eva = member(refunds, Role.EDITOR)
    carry_session(clean_page, client_of(eva), live_server)
    clean_page.goto(PATHS["tools"])
    Membership.objects.filter(user=eva).update(role=Role.VIEWER)
    complaints.expect_status(403)
    complaints.expect_console("Response Status Error Code 403")
    switch = clean_page.get_by_role("switch", name="Enabled: read_order")
    switch.click()
    said = "This needs the role “editor” in refunds, and yours is “viewer”."
    expect(clean_page.locator("#messages")).to_contain_text(said)
    expect(switch).to_have_attribute("aria-checked", "true")
    assert refunds.tools.get(name="read_order").enabled
