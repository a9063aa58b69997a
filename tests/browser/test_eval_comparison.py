"""Two evaluations are ticked and compared, and a point of a curve becomes the draft's setting."""

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Page, expect

from catalog.models import Catalog
from routing.datasets import asking, evaluating
from routing.datasets.asking import Setting
from routing.models import EvalCase, EvalDataset, Release
from tests.evaluated import evaluated
from tests.samples import published


@pytest.fixture
def catalog(transactional_db: None, user: User) -> Catalog:
    """Return a catalog with evaluations 1 and 2, and 3 that serves every tool where none fits."""
    made = published("refunds")
    evaluated(made)
    dataset = EvalDataset.objects.get(catalog=made)
    EvalCase.objects.filter(number=3).update(expected_tools=[])
    for strategy in ("keyword", "all"):
        one = asking.ask(
            dataset=dataset,
            subject=Release.objects.get(catalog=made),
            setting=Setting(strategy=strategy),
            by=None,
            now=timezone.now(),
        )
        evaluating.carry_out(one, clock=timezone.now, stopping=lambda: False)
    return made


def test_two_evaluations_are_ticked_and_read_case_by_case(
    catalog: Catalog, signed_in_page: Page
) -> None:
    page = signed_in_page
    page.set_viewport_size({"width": 375, "height": 800})
    page.goto("/catalogs/refunds/evals")
    # On a phone each evaluation is a card: nothing lies beyond the edge.
    table = page.locator("form#compare + .table-responsive")
    assert table.evaluate("box => box.scrollWidth <= box.clientWidth")
    for number in (3, 4):
        page.get_by_label(f"Compare {number}").check()
    page.get_by_role("button", name="Compare the two that are ticked").click()

    expect(page.get_by_role("heading", name="Evaluations 3 and 4")).to_be_visible()
    coverage = page.locator("tr[data-measure=coverage]")
    expect(coverage).to_contain_text("exact McNemar")
    page.get_by_role("link", name="Regressed 1").click()
    rows = page.locator("#cases tbody tr")
    expect(rows).to_have_count(1)
    rows.get_by_role("link").click()
    expect(page.locator("[data-covers]")).to_have_count(2)
    expect(page.locator("[data-covers=no]")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth") == 375


def test_a_point_of_the_curve_becomes_the_setting_of_the_draft(
    catalog: Catalog, signed_in_page: Page
) -> None:
    page = signed_in_page
    page.goto("/catalogs/refunds/evals/runs/1/curve")
    page.locator(".curve-picture a").first.click()
    cap = page.locator("#id_max_tools")
    picked = int(cap.input_value())
    cap.fill(str(picked + 1))
    page.get_by_role("button", name="Apply to the draft").click()

    expect(page.get_by_text("The draft has changed: ")).to_be_visible()
    catalog.refresh_from_db()
    assert catalog.max_tools == picked + 1
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("It is undone.")).to_be_visible()
    catalog.refresh_from_db()
    assert catalog.max_tools == 7
