"""Alerts in a browser: from what fires to its numbers, a silence, and a rule of one's own."""

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from catalog.models import Catalog
from dashboard.models import AlertRule
from routing.spans import hour_of
from tests.alerted import alerted, count_hour
from tests.browser.conftest import Complaints
from tests.drafts import empty_catalog


@pytest.fixture
def desk(transactional_db: None) -> Catalog:
    """Return a catalog in which one alert fires."""
    catalog, now = empty_catalog("desk"), timezone.now()
    alerted(catalog, now=now)
    for hour in range(hour_of(now) - 60, hour_of(now)):
        count_hour(catalog, hour, {"n": 40, "fallback:no_match": 16})
    return catalog


def test_from_the_overview_to_a_silence_and_a_rule(
    desk: Catalog, signed_in_page: Page, complaints: Complaints
) -> None:
    complaints.expect_status(422)
    page = signed_in_page
    page.goto("/?catalog=desk")
    page.get_by_role("link", name="Share of fallbacks: risen by 50 %").click()
    row = page.locator("#alert-fallbacks")
    expect(row).to_be_in_viewport()
    rate = page.locator("#alert-expansions")
    expect(rate.get_by_role("img")).to_have_accessible_name(
        "In the last 7 days between 0.0 % and 0.0 %; fires past 30.0 %."
    )
    expect(rate.get_by_role("table")).to_be_hidden()
    rate.get_by_text("Table", exact=False).first.click()
    expect(rate.get_by_role("row")).to_have_count(30)  # a look every six hours, and the heads

    row.get_by_role("heading").get_by_role("link").click()
    page.get_by_label("Why").fill("A campaign.")
    page.get_by_role("button", name="Silence it").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("silenced")

    page.get_by_role("link", name="Alerts", exact=True).first.click()
    page.get_by_role("link", name="Add a rule").click()
    page.get_by_label("Of", exact=True).select_option("fallbacks")
    for label, value in (("Level", "25"), ("Is over at", "30"), ("Over the last", "24")):
        page.get_by_label(label).fill(value)
    page.get_by_label("At least so many").fill("50")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_text("it would be over while it fires")).to_be_visible()
    page.get_by_label("Is over at").fill("20")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Share of fallbacks above 25 %")
    assert AlertRule.objects.get().level == 0.25
