"""A catalog learns while somebody looks on, and what is better is live in the end."""

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Page, expect

from catalog.models import Catalog
from routing.learned import fitting
from routing.models import Fit
from tests.browser.conftest import Complaints
from tests.learned import with_cases


@pytest.fixture
def catalog(transactional_db: None, user: User) -> Catalog:
    return with_cases()


def test_learn_is_followed_to_its_end_and_rolled_back(
    catalog: Catalog, signed_in_page: Page, complaints: Complaints
) -> None:
    page = signed_in_page
    page.goto("/catalogs/words/learning")
    page.get_by_role("button", name="Learn", exact=True).click()
    expect(page.get_by_role("heading", name="It is at work")).to_be_visible()

    fitting.carry_out(Fit.objects.get(), clock=timezone.now, stopping=lambda: False)

    # The page sees by itself that it has ended.
    expect(page.get_by_role("heading", name="Classifier taken")).to_be_visible()
    page.get_by_role("link", name="Learning").first.click()
    page.get_by_role("button", name="Roll back to release 1").click()
    expect(page.get_by_text("Release 1 is live again.")).to_be_visible()
