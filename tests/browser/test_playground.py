"""Trying a task: by mouse, by keyboard, on the draft, without JavaScript."""

import json
import re

import pytest
from django.conf import settings as django_settings
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from catalog.models import Catalog, GroupTool
from routing.models import Run, Span
from tests.browser.conftest import Complaints
from tests.samples import published

TASK = (
    "Reconcile the payment for order 88231 with yesterday's statement and, if it matches, "
    "settle the bill"
)
PAGE = "/playground?catalog=back-office"


@pytest.fixture
def catalog(transactional_db: None, user: User) -> Catalog:
    return published("back-office")


@pytest.fixture
def playground(catalog: Catalog, signed_in_page: Page) -> Page:
    signed_in_page.goto(PAGE)
    return signed_in_page


def kept(page: Page) -> Locator:
    return page.locator("#kept-table")


def test_a_task_shows_groups_tools_reasons_and_payload(playground: Page) -> None:
    playground.get_by_label("Task").fill(TASK)
    playground.get_by_role("button", name="Choose the tools").click()

    billing = playground.locator("#groups-table").get_by_role("row", name="billing")
    expect(billing).to_contain_text("opened")
    expect(kept(playground).get_by_role("row", name="find_payment")).to_be_visible()
    expect(kept(playground).get_by_role("row", name="ask_user")).to_contain_text("always on")
    expect(kept(playground).get_by_role("row").last).to_contain_text("request_group")
    payload = json.loads(playground.locator("#payload").inner_text())
    assert payload[-1]["name"] == "request_group"
    # The task stays, to be changed a little and tried again.
    expect(playground.get_by_label("Task")).to_have_value(TASK)
    assert not Run.objects.exists()
    assert not Span.objects.exists()


def test_a_tool_that_was_left_out_is_accounted_for(playground: Page) -> None:
    playground.get_by_label("Task").fill(TASK)
    playground.get_by_label("Why not this tool?").fill("quote_freight")
    playground.keyboard.press("Enter")
    account = playground.locator("#account")
    expect(account).to_contain_text("quote_freight is not served")
    expect(account).to_contain_text("left closed")
    expect(playground.get_by_label("Why not this tool?")).to_have_value("quote_freight")


def test_the_misses_fold_out(playground: Page) -> None:
    playground.get_by_label("Task").fill(TASK)
    playground.get_by_role("button", name="Choose the tools").click()
    expect(playground.locator("#missed-table")).to_be_hidden()
    playground.get_by_text("What was left out").click()
    expect(
        playground.locator("#missed-table").get_by_role("row", name="check_stock")
    ).to_be_visible()


def test_the_keyboard_alone_tries_a_task(playground: Page) -> None:
    playground.get_by_label("Task").focus()
    playground.keyboard.type(TASK)
    playground.keyboard.press("Control+Enter")
    expect(kept(playground)).to_be_visible()
    expect(playground.get_by_label("Task")).to_be_focused()


def test_an_error_stands_beside_its_field(playground: Page, complaints: Complaints) -> None:
    complaints.expect_status(422)
    playground.get_by_label("Task").fill(TASK)
    playground.get_by_label("Came in by").select_option("queue")
    playground.get_by_role("button", name="Choose the tools").click()
    field = playground.get_by_label("Its name")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description("Say which one.")
    expect(playground.get_by_label("Task")).to_have_value(TASK)

    field.fill("invoices-in")
    playground.get_by_role("button", name="Choose the tools").click()
    expect(kept(playground)).to_be_visible()


def test_a_move_in_the_draft_is_tried_before_it_is_published(
    playground: Page, catalog: Catalog
) -> None:
    GroupTool.objects.filter(tool__name="check_stock").delete()
    GroupTool.objects.create(
        group=catalog.groups.get(name="billing"), tool=catalog.tools.get(name="check_stock")
    )
    playground.get_by_label("Task").fill(TASK)
    playground.get_by_label("Cap").fill("50")
    playground.get_by_role("button", name="Choose the tools").click()
    expect(kept(playground)).not_to_contain_text("check_stock")

    playground.get_by_label("Version").select_option("draft")
    playground.get_by_role("button", name="Choose the tools").click()
    expect(kept(playground)).to_contain_text("check_stock")
    expect(playground.get_by_text("No agent can ask for the draft")).to_be_visible()


def test_another_version_brings_its_own_phases(signed_in_page: Page, user: User) -> None:
    dev_agent = published("dev-agent")
    dev_agent.phases.filter(name="testing").delete()
    page = signed_in_page
    page.goto("/playground?catalog=dev-agent")
    page.get_by_label("Task").fill("Run the tests")
    phase = page.get_by_label("Phase")
    phase.select_option("planning")
    expect(phase.locator("option", has_text="testing")).to_have_count(1)
    page.get_by_label("Version").select_option("draft")
    expect(phase.locator("option", has_text="testing")).to_have_count(0)
    expect(phase).to_have_value("planning")
    expect(page.get_by_label("Task")).to_have_value("Run the tests")


def test_the_payload_is_copied(playground: Page, live_server: LiveServer) -> None:
    playground.context.grant_permissions(["clipboard-read", "clipboard-write"])
    playground.get_by_label("Task").fill(TASK)
    playground.get_by_label("Format").select_option("openai")
    playground.get_by_role("button", name="Choose the tools").click()
    playground.get_by_role("button", name="Copy the payload").click()
    copied = json.loads(playground.evaluate("navigator.clipboard.readText()"))
    assert copied[0]["type"] == "function"


def test_the_rest_goes_behind_the_providers_search(
    playground: Page, complaints: Complaints
) -> None:
    complaints.expect_status(422)
    playground.get_by_label("Task").fill(TASK)
    playground.get_by_label("The rest behind the provider's tool search").check()
    playground.get_by_role("button", name="Choose the tools").click()
    expect(
        playground.get_by_label("The rest behind the provider's tool search")
    ).to_have_accessible_description(re.compile("This format has none. Choose one of: OpenAI"))

    playground.get_by_label("Format").select_option("openai-responses")
    playground.get_by_role("button", name="Choose the tools").click()
    stock = playground.locator("#deferred-table").get_by_role("row", name="stock")
    expect(stock).to_contain_text("check_stock")
    sent = json.loads(playground.locator("#payload").inner_text())
    assert {"type": "tool_search"} in sent
    assert sent[-1]["type"] == "namespace"
    playground.set_viewport_size({"width": 375, "height": 740})
    assert playground.evaluate("document.documentElement.scrollWidth") <= 375


def test_on_a_phone_the_result_comes_into_view(playground: Page) -> None:
    playground.set_viewport_size({"width": 375, "height": 740})
    playground.get_by_label("Task").fill(TASK)
    playground.get_by_role("button", name="Choose the tools").click()
    expect(playground.locator("#result-title")).to_be_in_viewport()
    wide = playground.evaluate("document.documentElement.scrollWidth")
    assert wide <= 375


def test_it_works_without_javascript(
    browser: Browser, live_server: LiveServer, signed_in: Client, catalog: Catalog
) -> None:
    name = django_settings.SESSION_COOKIE_NAME
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    value = signed_in.cookies[name].value
    context.add_cookies([{"name": name, "value": value, "url": live_server.url}])
    page = context.new_page()
    page.goto(PAGE)
    page.get_by_label("Task").fill(TASK)
    page.get_by_role("button", name="Choose the tools").click()
    expect(kept(page).get_by_role("row", name="find_payment")).to_be_visible()
    expect(page).to_have_url(f"{PAGE}#result")
    page.get_by_label("Format").select_option("anthropic")
    page.get_by_label("The rest behind the provider's tool search").check()
    page.get_by_role("button", name="Choose the tools").click()
    expect(page.locator("#deferred-table")).to_contain_text("check_stock")
    context.close()
