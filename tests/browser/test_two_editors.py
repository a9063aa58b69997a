"""Two people on the same tool and on the same groups, each in a browser of their own."""

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from catalog.models import Catalog, Membership
from catalog.roles import Role
from tests.browser.conftest import Complaints, carry_session
from tests.drafts import draft_of
from tests.members import client_of

BASE = "/catalogs/back-office"


@pytest.fixture
def catalog(transactional_db: None, user: User) -> Catalog:
    return draft_of()


@pytest.fixture
def other_page(catalog: Catalog, browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    """Yield the page of another editor, which fails the test by any complaint of its browser."""
    ben = User.objects.create_user("ben")
    Membership.objects.create(user=ben, catalog=catalog, role=Role.EDITOR)
    page = browser.new_context(base_url=live_server.url).new_page()
    complaints = Complaints(origin=live_server.url)
    complaints.listen_to(page)
    carry_session(page, client_of(ben), live_server)
    yield page
    page.context.close()
    assert not complaints.seen, "\n".join(complaints.seen)


def test_the_second_to_save_a_tool_sees_what_the_first_changed_and_loses_nothing(
    signed_in_page: Page, other_page: Page, catalog: Catalog, complaints: Complaints
) -> None:
    complaints.expect_status(409)
    ana, ben = signed_in_page, other_page
    for page in (ana, ben):
        page.goto(f"{BASE}/tools/find_payment")
    ben.get_by_label("Title").fill("Ben's title")
    ben.get_by_label("Category").fill("Ben's category")
    ben.get_by_role("button", name="Save").click()
    expect(ben.get_by_text("“find_payment” is saved.")).to_be_visible()
    ana.get_by_label("Title").fill("Ana's title")
    ana.get_by_label("Owner").fill("ana")
    ana.get_by_label("Owner").press("Enter")
    told = ana.locator("#overtaken")
    expect(told).to_contain_text("ben saved this meanwhile")
    expect(told.get_by_text("Ben's title")).to_be_visible()
    expect(told).to_contain_text("saving puts yours in its place")
    expect(told).to_contain_text("Ben's category")
    expect(ana.get_by_label("Category")).to_have_value("Ben's category")
    ana.get_by_role("button", name="Save").press("Enter")
    expect(ana.get_by_text("“find_payment” is saved.")).to_be_visible()
    tool = catalog.tools.get(name="find_payment")
    assert (tool.title, tool.owner, tool.category) == ("Ana's title", "ana", "Ben's category")


def test_ticks_of_one_appear_at_the_other_beside_their_own(
    signed_in_page: Page, other_page: Page, catalog: Catalog
) -> None:
    ana, ben = signed_in_page, other_page
    for page in (ana, ben):
        page.goto(f"{BASE}/groups")
    ben.get_by_role("checkbox", name="check_stock billing").check()
    expect(ben.locator("#matrix-status")).to_contain_text("check_stock is in billing.")
    own = ana.get_by_role("checkbox", name="find_invoice stock")
    own.focus()
    ana.keyboard.press("Space")
    expect(ana.locator("#matrix-status")).to_contain_text("find_invoice is in stock.")
    ana.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(ana.locator("#matrix-status")).to_have_text("Somebody else changed 1 tick.")
    expect(ana.get_by_role("checkbox", name="check_stock billing")).to_be_checked()
    expect(ana.get_by_role("columnheader", name="billing")).to_contain_text("8 tools")
    expect(own).to_be_checked()
    expect(own).to_be_focused()
    pairs = set(catalog.tools.values_list("name", "groups__name"))
    assert {("check_stock", "billing"), ("find_invoice", "stock")} <= pairs


def test_what_one_remarks_on_a_tool_the_other_settles(
    signed_in_page: Page, other_page: Page, catalog: Catalog
) -> None:
    ana, ben = signed_in_page, other_page
    ben.goto(f"{BASE}/tools/find_payment")
    ben.get_by_role("textbox", name="Comment").focus()
    ben.keyboard.type("Does it read twice?")
    ben.get_by_role("button", name="Comment", exact=True).press("Enter")
    expect(ben.locator(".remark")).to_contain_text("Does it read twice?")
    ana.goto(f"{BASE}/versions")
    ana.get_by_role("link", name="Comments 1 open").click()
    expect(ana.get_by_role("link", name="find_payment")).to_be_visible()
    ana.get_by_role("button", name="Settle").click()
    expect(ana.get_by_text("Nothing is open.")).to_be_visible()
    ana.get_by_role("link", name="Settled 1").click()
    expect(ana.get_by_text("settled by ana")).to_be_visible()
