"""Somebody looks for runs on a phone, keeps what was asked for, and compares two."""

from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.dashboard.traffic import Traffic
from tests.samples import published

FAULTS = (Path(__file__).parent / "page_faults.js").read_text()
PHONE = {"width": 375, "height": 740}


@pytest.fixture
def traffic(transactional_db: None, user: User) -> Traffic:
    traffic = Traffic.of(published("refunds"), now=timezone.now())
    for outcome in ("solved", "failed"):
        traffic.run(outcome=outcome)
    return traffic


def test_filters_fold_away_are_left_out_and_saved(signed_in_page: Page, traffic: Traffic) -> None:
    page = signed_in_page
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    page.goto("/catalogs/refunds/runs")
    rows = page.locator("#rows tbody tr")
    expect(rows).to_have_count(2)
    page.get_by_text("More filters").click()
    page.get_by_label("Version", exact=True).fill("1")
    page.get_by_label("Outcome").select_option("failed")
    page.get_by_role("button", name="Filter").click()
    expect(rows).to_have_count(0)  # nothing was selected in them

    page.get_by_role("link", name="Without the filter Version: 1").click()
    expect(rows).to_have_count(1)
    top = page.locator("#rows").bounding_box()
    assert top is not None
    assert top["y"] < PHONE["height"] / 2, "the list is in sight"

    page.get_by_role("link", name="Save as a view").click()
    page.get_by_label("Name").fill("Failures")
    page.get_by_role("button", name="Save the view").click()
    views = page.get_by_role("navigation", name="Saved views")
    expect(views.get_by_role("link", name="Failures")).to_have_attribute("aria-current", "page")
    expect(rows).to_have_count(1)

    views.get_by_role("link", name="Views").click()
    page.get_by_role("link", name="Rename Failures").click()
    page.get_by_label("Share it with the members").check()
    page.get_by_role("button", name="Save the view").press("Enter")
    expect(views.get_by_role("link", name="Failures (shared)")).to_be_visible()
    views.get_by_role("link", name="Views").click()
    page.get_by_role("button", name="Delete Failures").click()
    expect(page.get_by_text("No view is saved yet.")).to_be_visible()

    page.goto("/catalogs/refunds/runs")
    for box in page.get_by_role("checkbox", name="Compare").all():
        box.check()
    page.get_by_role("button", name="Compare the two that are ticked").click()
    expect(page.get_by_role("heading", name="Two runs beside each other")).to_be_visible()
    left, right = (page.locator(".beside-cell").nth(place).bounding_box() for place in (0, 1))
    assert left is not None
    assert right is not None
    assert left["y"] < right["y"], "one below the other"
    assert page.evaluate(FAULTS) == []
