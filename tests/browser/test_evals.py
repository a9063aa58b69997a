"""Cases are reviewed by keyboard and by mouse."""

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
    EvalCase.objects.filter(state="dropped", number=6).update(state="review", decided_at=None)
    return made


def test_a_queue_is_worked_off_by_keys_and_by_buttons(
    catalog: Catalog, signed_in_page: Page, complaints: Complaints
) -> None:
    page = signed_in_page
    page.goto("/catalogs/refunds/evals/datasets/walked")
    page.get_by_role("link", name="Review 3 cases").click()
    task = page.locator("#task")

    def reads(words: str) -> None:
        expect(task).to_have_text(words)
        page.wait_for_load_state()  # the keys count once the script of the page has run

    reads("Deal with 1-review of them")

    page.keyboard.press("j")
    reads("Deal with more-review of them")
    page.keyboard.press("k")
    reads("Deal with 1-review of them")
    page.keyboard.press("a")
    reads("Deal with more-review of them")

    page.keyboard.press("m")
    needed = page.get_by_label("Tools that are needed, one a line")
    expect(page.locator("#id_task")).to_be_focused()
    # A letter that is typed is no command.
    page.get_by_label("Notes").press_sequentially("add")
    needed.fill("issue_refund")
    # What is typed is not lost to a button that accepts the case as it was.
    expect(page.get_by_role("button", name="Accept", exact=True)).to_be_hidden()
    needed.blur()
    page.keyboard.press("a")
    reads("Deal with more-dropped of them")
    page.get_by_role("button", name="Drop").click()
    expect(page.get_by_text("Nothing waits for review.")).to_be_visible()

    states = dict(EvalCase.objects.values_list("number", "state"))
    assert (states[1], states[2], states[6]) == ("accepted", "accepted", "dropped")
    mended = EvalCase.objects.get(number=2)
    assert (mended.notes, mended.expected_tools[-1]) == ("add", "issue_refund")


def test_ticked_cases_are_decided_on_at_once(
    catalog: Catalog, signed_in_page: Page, complaints: Complaints
) -> None:
    page = signed_in_page
    page.goto("/catalogs/refunds/evals/datasets/walked?state=review")
    ticks = page.locator("input[name=case]")
    ticks.nth(0).check()
    ticks.nth(2).click(modifiers=["Shift"])
    expect(ticks.nth(1)).to_be_checked()
    page.get_by_label("All cases of this page").uncheck()
    expect(ticks.nth(1)).not_to_be_checked()
    page.get_by_label("All cases of this page").check()
    ticks.nth(1).uncheck()
    page.get_by_role("button", name="Accept", exact=True).click()
    expect(page.get_by_text("2 cases are accepted.")).to_be_visible()
    assert EvalCase.objects.in_review().count() == 1
