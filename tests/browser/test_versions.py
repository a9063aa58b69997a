"""Publishing as people do it: one after the other, two at once, and back again."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from catalog.models import Catalog
from routing.models import LabelMove
from tests.browser.conftest import Complaints
from tests.samples import published

PAGE = "/catalogs/refunds/versions"


@pytest.fixture
def catalog(transactional_db: None, user: User, settings: Any) -> Catalog:
    settings.ENCODER = "none"
    return published("refunds")


@pytest.fixture
def versions(catalog: Catalog, signed_in_page: Page) -> Page:
    describe(catalog, "Return one order.")
    signed_in_page.goto(PAGE)
    return signed_in_page


@pytest.fixture
def eva(browser: Browser, live_server: LiveServer, catalog: Catalog) -> Iterator[Page]:
    """Yield a page in another browser, in which eva is signed in."""
    client = Client()
    client.force_login(User.objects.create_superuser("eva"))
    context = browser.new_context(base_url=live_server.url)
    name = django_settings.SESSION_COOKIE_NAME
    value = client.cookies[name].value
    context.add_cookies([{"name": name, "value": value, "url": live_server.url}])
    page = context.new_page()
    complaints = Complaints(origin=live_server.url)
    complaints.listen_to(page)
    yield page
    context.close()
    assert not complaints.seen, "\n".join(complaints.seen)


def describe(catalog: Catalog, text: str) -> None:
    catalog.tools.filter(name="read_order").update(description=text)


def live() -> int:
    move = LabelMove.objects.current().get()
    return move.release.version.number


def publish(page: Page, note: str) -> None:
    page.get_by_label("What changed, and why").fill(note)
    page.get_by_role("button", name="Publish the draft").click()


def test_a_draft_is_read_and_published(versions: Page) -> None:
    draft = versions.get_by_role("region", name="The draft against version 1, which is live")
    expect(draft.get_by_role("heading", name="Tool read_order")).to_be_visible()
    expect(draft.get_by_text("The description changed.")).to_be_visible()
    expect(draft.locator("ins")).to_contain_text("Return one order.")
    publish(versions, "Said shorter")

    expect(versions.get_by_role("status")).to_contain_text("Version 2 is live (release 2).")
    expect(versions.get_by_text("Nothing to publish: the draft is what is live.")).to_be_visible()
    expect(versions.get_by_role("button", name="Publish the draft")).to_be_disabled()
    row = versions.get_by_role("row", name="refunds@2")
    expect(row).to_contain_text("live")
    expect(row).to_contain_text("Said shorter")
    assert live() == 2


def test_of_two_at_once_the_second_is_told_and_loses_nothing(
    versions: Page, eva: Page, complaints: Complaints, catalog: Catalog
) -> None:
    complaints.expect_status(409)
    eva.goto(PAGE)
    publish(eva, "Eva was quicker")
    expect(eva.get_by_role("status")).to_contain_text("Version 2 is live")
    describe(catalog, "Return one order, and its lines.")

    publish(versions, "My own words")
    told = versions.get_by_role("alert")
    expect(told).to_contain_text("eva put version 2 live on")
    expect(told).to_contain_text("Eva was quicker")
    expect(versions.get_by_label("What changed, and why")).to_have_value("My own words")
    expect(versions.locator("ins")).to_contain_text("and its lines.")
    assert live() == 2

    versions.get_by_role("button", name="Publish the draft").click()
    expect(versions.get_by_role("status")).to_contain_text("Version 3 is live")
    expect(versions.get_by_role("row", name="refunds@3")).to_contain_text("My own words")
    assert live() == 3


def test_a_draft_that_changed_under_the_reader_is_shown_first(
    versions: Page, complaints: Complaints, catalog: Catalog
) -> None:
    complaints.expect_status(409)
    describe(catalog, "Nobody has read this.")
    publish(versions, "My own words")
    expect(versions.get_by_role("alert")).to_contain_text("The draft was changed after you opened")
    expect(versions.locator("ins")).to_contain_text("Nobody has read this.")
    expect(versions.get_by_label("What changed, and why")).to_have_value("My own words")
    assert live() == 1


def test_a_problem_leads_to_its_tool(versions: Page, catalog: Catalog) -> None:
    catalog.tools.filter(name="issue_refund").update(always_on=True)
    versions.reload()
    expect(versions.get_by_text("1 problem stops a publish")).to_be_visible()
    expect(versions.get_by_role("button", name="Publish the draft")).to_be_disabled()
    versions.get_by_role("link", name="Tool issue_refund").click()
    expect(versions).to_have_url("/catalogs/refunds/tools/issue_refund")


def test_rolling_back_asks_first(versions: Page) -> None:
    publish(versions, "A mistake")
    versions.get_by_role("link", name="Roll back to version 1").click()
    expect(versions.get_by_text("from version 2 to 1")).to_be_visible()
    expect(versions.locator("del")).to_contain_text("Return one order.")
    assert live() == 2

    versions.get_by_label("Why").fill("Agents lost the lines")
    versions.get_by_role("button", name="Put version 1 live").click()
    expect(versions.get_by_role("status")).to_contain_text("Version 1 is live again.")
    expect(versions.get_by_role("row", name="refunds@1")).to_contain_text("live")
    expect(versions.get_by_role("row", name="from version 2 to 1")).to_contain_text(
        "Agents lost the lines"
    )
    assert live() == 1


def test_a_draft_goes_to_staging_first_and_live_from_there(versions: Page) -> None:
    versions.get_by_label("Where it goes").select_option("staging")
    publish(versions, "Try it")
    expect(versions.get_by_role("status")).to_contain_text("What is live stays live.")
    assert live() == 1
    labels = versions.get_by_role("region", name="Labels")
    expect(labels.get_by_role("listitem").filter(has_text="refunds@staging")).to_contain_text(
        "version 2"
    )

    versions.get_by_role("link", name="Put version 2 live").click()
    expect(versions.get_by_text("from version 1 to 2")).to_be_visible()
    versions.get_by_label("Why").fill("It passed")
    versions.get_by_role("button", name="Put version 2 live").click()
    expect(versions.get_by_role("status")).to_contain_text("“live” is at version 2 now.")
    assert live() == 2

    versions.get_by_role("link", name="refunds@staging").click()
    versions.get_by_role("button", name="Take the label away").click()
    expect(versions.get_by_role("status")).to_contain_text("“staging” is taken away.")
    expect(versions.get_by_role("link", name="refunds@staging")).to_have_count(0)


def test_a_version_is_restored_into_the_draft_and_that_is_undone(
    versions: Page, catalog: Catalog
) -> None:
    versions.get_by_role("link", name="refunds@1", exact=True).click()
    versions.get_by_role("link", name="Restore into the draft").click()
    expect(versions.get_by_text("The draft has changes that no version has.")).to_be_visible()
    expect(versions.locator("del")).to_contain_text("Return one order.")
    versions.get_by_role("button", name="Restore into the draft").click()
    expect(versions.get_by_text("Nothing to publish: the draft is what is live.")).to_be_visible()

    versions.get_by_role("button", name="Undo").click()
    expect(versions.locator("ins")).to_contain_text("Return one order.")
    assert catalog.tools.get(name="read_order").description == "Return one order."


def test_a_catalog_is_deleted_by_who_types_its_name(
    versions: Page, complaints: Complaints, catalog: Catalog
) -> None:
    complaints.expect_status(422)
    versions.goto("/catalogs/refunds/settings")
    versions.get_by_role("link", name="Delete it").click()
    name = versions.get_by_label("Type the name of the catalog")
    name.fill("refund")
    versions.get_by_role("button", name="Delete for good").click()
    expect(versions.get_by_text("This is not its name: nothing was deleted.")).to_be_visible()
    name.fill("refunds")
    name.press("Enter")
    expect(versions.get_by_role("status")).to_contain_text("“refunds” is deleted.")
    assert not Catalog.objects.filter(pk=catalog.pk).exists()


def test_any_two_versions_are_compared_and_one_is_taken_home(versions: Page) -> None:
    publish(versions, "Said shorter")
    versions.get_by_role("link", name="refunds@2").click()
    expect(versions.get_by_text("What it changed against version 1")).to_be_visible()
    with versions.expect_download() as download:
        versions.get_by_role("link", name="Download JSON").click()
    assert download.value.suggested_filename == "refunds@2.json"

    versions.goto(f"{PAGE}/1")
    versions.get_by_label("Compare with").select_option("2")
    versions.get_by_role("button", name="Compare").click()
    expect(versions).to_have_url(f"{PAGE}/1?against=2")
    expect(versions.locator("del")).to_contain_text("Return one order.")


def test_it_all_works_without_javascript(
    browser: Browser, live_server: LiveServer, signed_in: Client, catalog: Catalog
) -> None:
    describe(catalog, "Return one order.")
    name = django_settings.SESSION_COOKIE_NAME
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    value = signed_in.cookies[name].value
    context.add_cookies([{"name": name, "value": value, "url": live_server.url}])
    page = context.new_page()
    page.goto(PAGE)
    publish(page, "By hand")
    expect(page.get_by_text("Version 2 is live (release 2).")).to_be_visible()
    page.get_by_role("link", name="Roll back to version 1").click()
    page.get_by_role("button", name="Put version 1 live").click()
    expect(page.get_by_text("Version 1 is live again.")).to_be_visible()
    assert live() == 1
    context.close()
