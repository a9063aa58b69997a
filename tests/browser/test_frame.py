"""What base.html and the shared partials do in a browser, and what the tests' own ears hear."""

import re

import pytest
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.conftest import Complaints, carry_session

pytestmark = pytest.mark.urls("tests.browser.frame_page")


def count_charts(page: Page) -> int:
    return int(page.evaluate("Object.keys(Chart.instances).length"))


def test_charts_are_drawn_over_their_tables(signed_in_page: Page) -> None:
    signed_in_page.goto("/frame")
    table = signed_in_page.locator("#requests table")
    expect(table).to_be_hidden()
    assert count_charts(signed_in_page) == 2
    signed_in_page.locator("#requests summary").click()
    expect(table.get_by_role("row")).to_have_count(25)


def test_a_change_of_theme_draws_the_charts_anew(signed_in_page: Page) -> None:
    signed_in_page.emulate_media(color_scheme="light")
    signed_in_page.goto("/frame")
    colour = (
        "Chart.getChart(document.querySelector('#requests canvas')).data.datasets[0].borderColor"
    )
    before = signed_in_page.evaluate(colour)
    signed_in_page.get_by_role("button", name="Light or dark").click()
    assert signed_in_page.evaluate(colour) != before
    assert count_charts(signed_in_page) == 2


def test_a_chart_that_htmx_takes_away_is_given_back(signed_in_page: Page) -> None:
    signed_in_page.goto("/frame")
    signed_in_page.get_by_role("button", name="Take the chart away").click()
    expect(signed_in_page.locator("#lines")).to_have_text("Gone")
    assert count_charts(signed_in_page) == 1


def test_a_failed_request_is_said_and_changes_nothing(
    signed_in_page: Page, complaints: Complaints
) -> None:
    complaints.expect_status(503)
    complaints.expect_console("Response Status Error Code 503")
    signed_in_page.goto("/frame")
    signed_in_page.get_by_role("button", name="Break").click()
    expect(signed_in_page.get_by_role("status")).to_contain_text("The server answered 503.")
    expect(signed_in_page.locator("#lines canvas")).to_be_visible()


def test_a_refused_form_is_shown(signed_in_page: Page, complaints: Complaints) -> None:
    complaints.expect_status(422)
    signed_in_page.goto("/frame")
    signed_in_page.get_by_role("button", name="Refuse").click()
    expect(signed_in_page.locator("#lines #refusal")).to_have_text("Not a name.")


def test_an_htmx_post_carries_the_token_and_its_message_is_added(signed_in_page: Page) -> None:
    signed_in_page.goto("/frame")
    status = signed_in_page.get_by_role("status")
    signed_in_page.get_by_role("button", name="Save quietly").click()
    expect(status).to_contain_text("Saved.")
    expect(status).to_contain_text("Two tools have no description.")
    status.get_by_role("button", name="Close").nth(1).click()
    expect(status).not_to_contain_text("Two tools have no description.")


def test_a_message_of_success_leaves_and_a_warning_stays(signed_in_page: Page) -> None:
    signed_in_page.clock.install()
    signed_in_page.goto("/frame")
    status = signed_in_page.get_by_role("status")
    expect(status).to_contain_text("Version 3 is live.")
    signed_in_page.clock.run_for(7_000)
    expect(status).not_to_contain_text("Version 3 is live.")
    expect(status).to_contain_text("Two tools have no description.")


def test_the_next_page_of_a_list_comes_without_a_reload(signed_in_page: Page) -> None:
    signed_in_page.goto("/frame?q=a")
    signed_in_page.evaluate("window.same = true")
    signed_in_page.get_by_role("link", name="Next page").click()
    expect(signed_in_page.locator("#rows li").first).to_have_text("Row 5")
    expect(signed_in_page).to_have_url(re.compile(r"/frame\?q=a&page=2$"))
    assert signed_in_page.evaluate("window.same")
    signed_in_page.go_back()
    expect(signed_in_page.locator("#rows li").first).to_have_text("Row 0")


def test_a_command_is_copied(signed_in_page: Page) -> None:
    signed_in_page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    signed_in_page.goto("/frame")
    signed_in_page.get_by_role("button", name="Copy").click()
    expect(signed_in_page.get_by_role("button", name="Copied")).to_be_visible()
    copied = signed_in_page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("python manage.py demo")


def test_the_menu_opens_on_a_phone(signed_in_page: Page) -> None:
    signed_in_page.set_viewport_size({"width": 375, "height": 740})
    signed_in_page.goto("/frame")
    menu = signed_in_page.get_by_role("navigation", name="Pages", exact=True)
    expect(menu).to_be_hidden()
    signed_in_page.get_by_role("button", name="Menu").click()
    expect(menu).to_be_visible()


def test_the_keyboard_reaches_the_content_first(signed_in_page: Page) -> None:
    signed_in_page.goto("/frame")
    signed_in_page.keyboard.press("Tab")
    expect(signed_in_page.get_by_role("link", name="Skip to the content")).to_be_focused()
    signed_in_page.keyboard.press("Enter")
    expect(signed_in_page.locator("main")).to_be_focused()


def test_signing_out_is_one_button(signed_in_page: Page, live_server: LiveServer) -> None:
    signed_in_page.goto("/frame")
    signed_in_page.get_by_role("button", name="Account of ana").click()
    signed_in_page.get_by_role("button", name="Sign out").click()
    expect(signed_in_page).to_have_url("/sign-in")


def test_a_session_that_ended_leads_to_the_sign_in(
    signed_in_page: Page, complaints: Complaints
) -> None:
    signed_in_page.goto("/frame")
    signed_in_page.context.clear_cookies()
    signed_in_page.get_by_role("button", name="Take the chart away").click()
    expect(signed_in_page).to_have_url("/sign-in?next=%2Fframe")


def test_without_javascript_tables_and_pages_are_there(
    browser_context_args: dict[str, object],
    new_context: pytest.FixtureRequest,
    live_server: LiveServer,
    signed_in: Client,
) -> None:
    context = new_context(java_script_enabled=False)  # type: ignore[operator]
    page = context.new_page()
    carry_session(page, signed_in, live_server)
    page.goto("/frame")
    expect(page.locator("#requests table")).to_be_visible()
    expect(page.locator("#requests canvas")).to_be_hidden()
    expect(page.get_by_role("button", name="Light or dark")).to_be_hidden()
    page.get_by_role("link", name="Next page").click()
    expect(page.locator("#rows li").first).to_have_text("Row 5")


@pytest.mark.parametrize(
    ("path", "heard"),
    [
        ("/frame/unsafe", "policy violation: script-src"),
        ("/frame/nothing", "404 from GET"),
    ],
)
def test_the_ears_hear(
    page: Page,
    complaints: Complaints,
    signed_in: Client,
    live_server: LiveServer,
    path: str,
    heard: str,
) -> None:
    carry_session(page, signed_in, live_server)
    page.goto(path)
    page.evaluate("1")
    assert any(heard in complaint for complaint in complaints.seen), complaints.seen
