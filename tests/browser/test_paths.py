"""The path of a case is written, and where a run left it is found and followed."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from catalog.models import Catalog
from routing.models import EvalCase
from tests.browser.conftest import Complaints
from tests.evaluated import evaluated
from tests.samples import published


@pytest.fixture
def catalog(transactional_db: None, user: User) -> Catalog:
    made = published("refunds")
    evaluated(made)
    return made


def test_a_path_is_written_and_where_it_was_left_is_found(
    catalog: Catalog, signed_in_page: Page, complaints: Complaints
) -> None:
    page = signed_in_page
    page.goto("/catalogs/refunds/evals/datasets/walked/cases/1")
    page.get_by_text("The path that is expected of an agent").click()
    page.get_by_label("Tools that must not be called, one a line").fill("search_refund_policy")
    page.get_by_label("The run ends as").select_option("solved")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Case 1 is changed.")).to_be_visible()
    # What was written is there without looking for it.
    expect(page.get_by_label("The run ends as")).to_have_value("solved")

    page.goto("/catalogs/refunds/evals/datasets/walked")
    page.get_by_role("link", name="Paths", exact=True).first.click()
    page.get_by_label("Offered", exact=True).select_option("routed")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_role("heading", name="1 run", exact=True)).to_be_visible()
    page.get_by_role("table").last.get_by_role("link", name="routed").click()
    left = page.locator("#left")
    expect(left).to_contain_text("Left the path here: search_refund_policy must not be called")
    left.get_by_role("link").click()
    expect(page.locator("#outcome")).to_contain_text("failed")
    assert EvalCase.objects.get(dataset__name="walked", number=1).path == {
        "tools_not_called": ["search_refund_policy"],
        "final_status": "solved",
    }
