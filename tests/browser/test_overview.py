"""The overview as a person uses it: charts, their tables, and the links that change the view."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.dashboard.traffic import Traffic

DRAWN = "canvas => Chart.getChart(canvas).data.datasets.map((series) => series.label)"


@pytest.fixture
def shop(transactional_db: None, user: User) -> Traffic:
    """Return a catalog with some days of traffic, half of it simulated."""
    traffic = Traffic("shop", now=timezone.now())
    for day in range(10):
        at = traffic.now - timedelta(days=day)
        run = traffic.run(at=at, outcome="solved")
        traffic.select(at=at, run=run, decided_by="rules", confidence=None)
        asked = traffic.select(at=at, source="simulated", confidence=0.7)
        traffic.expand(asked, "stock", at=at)
        traffic.select(at=at, fallback="low_confidence", confidence=0.3, groups_count=0)
    return traffic


def test_each_chart_is_drawn_over_its_table(signed_in_page: Page, shop: Traffic) -> None:
    signed_in_page.goto("/?catalog=shop&period=7d")
    charts = signed_in_page.locator("figure.chart")
    expect(charts).to_have_count(8)
    for number in range(8):
        chart = charts.nth(number)
        assert chart.locator("canvas").evaluate(DRAWN)
        expect(chart.locator("table")).to_be_hidden()
    asked_for = charts.first
    assert asked_for.locator("canvas").evaluate(DRAWN) == ["stock"]
    asked_for.get_by_text("Table", exact=True).click()
    expect(asked_for.locator("tbody tr")).to_have_count(7)
    expect(asked_for.locator("tbody td").last).to_have_text("1")


def test_links_change_one_thing_and_keep_the_rest(signed_in_page: Page, shop: Traffic) -> None:
    signed_in_page.goto("/?catalog=shop")
    signed_in_page.get_by_role("link", name="7 d").click()
    expect(signed_in_page).to_have_url("/?catalog=shop&period=7d")
    expect(signed_in_page.locator("#figure-selections .overview-value")).to_have_text("21")

    signed_in_page.get_by_role("link", name="Hide simulated traffic").click()
    expect(signed_in_page).to_have_url("/?catalog=shop&period=7d&simulated=0")
    expect(signed_in_page.locator("#figure-selections .overview-value")).to_have_text("14")

    signed_in_page.get_by_role("link", name="All catalogs").click()
    expect(signed_in_page).to_have_url("/?catalog=%2A&period=7d&simulated=0")
    signed_in_page.get_by_role("link", name="Show simulated traffic").click()
    expect(signed_in_page.locator("#figure-selections .overview-value")).to_have_text("21")
    period = signed_in_page.get_by_role("navigation", name="Period")
    expect(period.locator("[aria-current]")).to_have_text("7 d")


def test_without_javascript_the_tables_are_open(
    signed_in_page: Page, shop: Traffic, base_url: str
) -> None:
    browser = signed_in_page.context.browser
    assert browser is not None
    state = signed_in_page.context.storage_state()
    plain = browser.new_context(java_script_enabled=False, base_url=base_url, storage_state=state)
    page = plain.new_page()
    page.goto("/?catalog=shop&period=7d")
    expect(page.locator("figure.chart table").first).to_be_visible()
    expect(page.locator("canvas").first).to_be_hidden()
    plain.close()


@pytest.mark.parametrize("width", [375, 1280])
def test_nothing_is_wider_than_the_window(signed_in_page: Page, shop: Traffic, width: int) -> None:
    signed_in_page.set_viewport_size({"width": width, "height": 812})
    signed_in_page.goto("/?catalog=shop&period=90d")
    signed_in_page.wait_for_load_state("networkidle")
    for summary in signed_in_page.get_by_text("Table", exact=True).all():
        summary.click()
    assert signed_in_page.evaluate("document.documentElement.scrollWidth") == width
