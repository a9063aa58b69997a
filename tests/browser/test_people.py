"""An administrator makes an account, and its person sets the password in another browser."""

from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from catalog.roles import Role
from tests.browser.conftest import Complaints, carry_session
from tests.drafts import empty_catalog
from tests.members import client_of, member


def test_an_account_goes_by_its_link_from_one_to_the_other(
    clean_page: Page,
    complaints: Complaints,
    live_server: LiveServer,
    browser: Browser,
    transactional_db: None,
) -> None:
    page = clean_page
    complaints.expect_status(422)  # nobody is called so yet
    carry_session(page, client_of(member(empty_catalog("desk"), Role.ADMINISTRATOR)), live_server)
    page.goto("/catalogs/desk/members")
    page.get_by_label("Username or e-mail").fill("ida")
    page.get_by_role("button", name="Add").click()
    page.get_by_role("link", name="Make the account “ida”").click()
    expect(page.get_by_label("Username")).to_have_value("ida")
    page.get_by_label("Role").select_option(label="editor")
    page.get_by_role("button", name="Make the account").click()
    link = page.get_by_role("group", name="Link").locator("code").inner_text()

    context = browser.new_context()
    theirs = context.new_page()
    theirs.goto(link)
    for label in ("New password", "New password again"):
        theirs.get_by_label(label, exact=True).fill("seven green herons")
    theirs.get_by_role("button", name="Set it and sign in").click()
    expect(theirs.locator("#messages")).to_contain_text("Your password is set")
    theirs.get_by_role("button", name="Account of ida").click()
    theirs.get_by_role("link", name="Your account").click()
    expect(theirs.get_by_role("row", name="desk editor")).to_be_visible()
    context.close()

    page.get_by_role("link", name="I have copied it").click()
    expect(page.get_by_role("row", name="ida")).to_contain_text("editor")
    expect(page.get_by_role("row", name="ida")).not_to_contain_text("no password yet")
