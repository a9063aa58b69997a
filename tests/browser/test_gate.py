"""The gate in the browser: a publish that is blocked, and the effect of what is typed."""

from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from catalog.models import Catalog
from routing.gate_checks import checking
from routing.models import GateCheck
from routing.moves import current_move
from tests.browser.conftest import Complaints
from tests.gated import SPOILED, TASKS, edit, gated_office

pytestmark = pytest.mark.browser


@pytest.fixture
def office(live_server: LiveServer, settings: Any) -> Catalog:
    """Return the gated office."""
    settings.ENCODER = "none"
    return gated_office()


def test_what_falls_is_checked_blocked_and_overruled(
    signed_in_page: Page, live_server: LiveServer, office: Catalog, complaints: Complaints
) -> None:
    complaints.expect_status(422)
    edit(office, **SPOILED)
    page = signed_in_page
    page.goto(f"{live_server.url}/catalogs/back-office/versions")
    page.get_by_label("What changed, and why").fill("Cakes are new.")
    page.get_by_role("button", name="Check, then publish").click()
    expect(page.get_by_text("The check is being made ready")).to_be_visible()

    checking.carry_out(GateCheck.objects.get(), clock=timezone.now, stopping=lambda: False)

    # The page follows the check by itself, and what was written is still there.
    expect(page.locator("#falls")).to_contain_text("This does not go live as it is.")
    expect(page.get_by_label("What changed, and why")).to_have_value("Cakes are new.")
    page.get_by_role("button", name="Publish the draft").click()
    expect(page.get_by_text("Say why it goes live although something falls.")).to_be_visible()
    page.get_by_label("Why it goes live all the same").fill("We sell cakes now.")
    page.get_by_role("button", name="Publish the draft").click()
    expect(page.get_by_text("Version 2 is live")).to_be_visible()
    move = current_move(office)
    assert move is not None
    assert move.reason == "Cakes are new."


def test_the_effect_is_seen_while_editing(
    signed_in_page: Page, live_server: LiveServer, office: Catalog
) -> None:
    page = signed_in_page
    page.goto(f"{live_server.url}/catalogs/back-office/tools/get_stock_level")
    page.get_by_label("Title").fill("Cake")
    page.get_by_label("Description").fill("Bake a chocolate cake.")
    page.get_by_label("Example tasks").fill("")
    page.get_by_role("button", name="See the effect").click()
    effect = page.locator("#effect")
    expect(effect).to_contain_text("tasks would not get what they need any more")
    expect(effect).to_contain_text(TASKS[0])
    # What is typed is neither saved nor lost.
    expect(page.get_by_label("Title")).to_have_value("Cake")
    assert office.tools.get(name="get_stock_level").title != "Cake"
