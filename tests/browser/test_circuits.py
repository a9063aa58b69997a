"""Something is switched off and on again by a person."""

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Page, expect

from catalog.models import Catalog
from routing.circuits import standing
from routing.models import Circuit
from tests.browser.conftest import Complaints
from tests.samples import published


@pytest.fixture
def catalog(transactional_db: None, user: User) -> Catalog:
    return published("refunds")


@pytest.fixture
def circuits(catalog: Catalog, signed_in_page: Page) -> Page:
    signed_in_page.goto("/catalogs/refunds/tools")
    signed_in_page.get_by_role("link", name="Circuits").click()
    return signed_in_page


def is_off(catalog: Catalog) -> bool:
    gate = standing(catalog.pk).gate(tool="issue_refund", now=timezone.now())
    return gate.is_open


def test_a_tool_is_switched_off_marked_and_let_through_again(
    circuits: Page, catalog: Catalog, complaints: Complaints
) -> None:
    complaints.expect_status(422)
    expect(circuits.get_by_text("Nothing is switched off.")).to_be_visible()
    circuits.get_by_label("Name").fill("issue_refnd")
    circuits.get_by_label("Why").fill("The payment provider is down.")
    circuits.get_by_label("For how long").select_option("15 minutes")
    circuits.get_by_role("button", name="Switch it off").press("Enter")
    expect(circuits.get_by_text("There is none of this name. Did you mean")).to_be_visible()
    expect(circuits.get_by_label("Why")).to_have_value("The payment provider is down.")
    assert not is_off(catalog)

    circuits.get_by_label("Name").fill("issue_refund")
    circuits.get_by_role("button", name="Switch it off").click()
    expect(circuits.get_by_text("“issue_refund” is switched off.")).to_be_visible()
    expect(circuits.get_by_text("14 minutes from now")).to_be_visible()
    assert is_off(catalog)

    circuits.get_by_role("link", name="Tools").click()
    row = circuits.get_by_role("row", name="issue_refund")
    row.get_by_role("link", name="switched off by hand").click()
    circuits.get_by_role("button", name="Close the circuit of issue_refund").click()
    expect(circuits.get_by_text("Nothing is switched off.")).to_be_visible()
    expect(circuits.get_by_role("row", name="issue_refund")).to_contain_text("ana")
    assert not is_off(catalog)
    assert Circuit.objects.count() == 1


def test_the_page_of_a_tool_leads_to_the_form(circuits: Page) -> None:
    circuits.goto("/catalogs/refunds/tools/issue_refund")
    circuits.get_by_role("link", name="Switch it off at once").click()
    expect(circuits.get_by_label("Name")).to_have_value("issue_refund")
    expect(circuits.get_by_label("Kind")).to_have_value("tool")
