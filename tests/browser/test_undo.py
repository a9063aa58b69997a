"""An edit is taken back from its message and from the audit log, by keyboard and by mouse."""

from playwright.sync_api import Page, expect

from tests.drafts import draft_of


def test_an_edit_is_taken_back_and_brought_back(signed_in_page: Page) -> None:
    catalog = draft_of()
    page = signed_in_page
    page.goto("/catalogs/back-office/tools/find_payment/delete")
    page.get_by_role("button", name="Delete").press("Enter")
    expect(page.get_by_text("“find_payment” is deleted.")).to_be_visible()
    page.get_by_role("button", name="Undo").press("Enter")
    expect(page.get_by_text("It is undone.")).to_be_visible()
    assert catalog.tools.filter(name="find_payment").exists()

    page.get_by_role("link", name="Audit").click()
    acts = page.locator(".audit-act")
    expect(acts.nth(0)).to_contain_text("undid")
    expect(acts.nth(1).get_by_text("undone")).to_be_visible()
    acts.nth(0).get_by_role("button", name="Undo").click()
    expect(page.get_by_text("It is undone.")).to_be_visible()
    assert not catalog.tools.filter(name="find_payment").exists()

    page.get_by_label("What was done").select_option(label="undid")
    page.get_by_role("button", name="Filter").click()
    expect(acts).to_have_count(2)
