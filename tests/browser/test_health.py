"""A draft's faults are found, mended by a click or where they lie, and explained in a publish."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from catalog.models import Catalog
from routing.models import LabelMove
from tests.browser.conftest import Complaints
from tests.samples import published


@pytest.fixture
def catalog(transactional_db: None, user: User) -> Catalog:
    catalog = published("refunds")
    catalog.tools.filter(name="issue_refund").update(always_on=True)
    catalog.groups.filter(name="orders").update(description="")
    return catalog


def test_an_error_is_mended_by_key_and_a_warning_where_it_lies(
    signed_in_page: Page, catalog: Catalog
) -> None:
    signed_in_page.goto("/catalogs/refunds/tools")
    signed_in_page.get_by_role("link", name="Health").click()
    errors = signed_in_page.get_by_role("link", name="Errors 1")
    errors.press("Enter")
    expect(signed_in_page.locator(".finding")).to_have_count(1)
    signed_in_page.get_by_role("button", name="Tool issue_refund: mend").press("Enter")
    expect(signed_in_page.get_by_text("Mended: Tool issue_refund.")).to_be_visible()
    expect(signed_in_page.get_by_text("No finding of this kind.")).to_be_visible()
    assert not catalog.tools.get(name="issue_refund").always_on

    signed_in_page.get_by_role("link", name="Show all").click()
    signed_in_page.get_by_role("link", name="Group orders").click()
    signed_in_page.get_by_label("When to use it").fill("Use to say where an order is.")
    signed_in_page.get_by_role("button", name="Save").first.click()
    signed_in_page.get_by_role("link", name="Health").click()
    expect(signed_in_page.get_by_role("link", name="Warnings 0")).to_be_visible()


def test_a_kind_of_finding_is_shown_alone(signed_in_page: Page, catalog: Catalog) -> None:
    signed_in_page.goto("/catalogs/refunds/health")
    signed_in_page.get_by_label("Kind of finding").select_option("group_without_description")
    signed_in_page.get_by_role("button", name="Filter").click()
    expect(signed_in_page.locator(".finding")).to_have_count(1)
    expect(signed_in_page.get_by_label("Kind of finding")).to_have_value(
        "group_without_description"
    )


def test_a_publish_with_a_new_warning_needs_a_reason(
    signed_in_page: Page, catalog: Catalog, complaints: Complaints
) -> None:
    catalog.tools.filter(name="issue_refund").update(always_on=False)
    signed_in_page.goto("/catalogs/refunds/versions")
    expect(signed_in_page.get_by_text("1 new warning asks for a reason")).to_be_visible()
    note = signed_in_page.get_by_label("What changed, and why")
    expect(note).to_have_attribute("required", "")
    note.fill("The description is being written")
    signed_in_page.get_by_role("button", name="Publish the draft").click()
    expect(signed_in_page.get_by_text("Version 2 is live")).to_be_visible()
    move = LabelMove.objects.order_by("-pk")[0]
    assert move.reason == "The description is being written"
