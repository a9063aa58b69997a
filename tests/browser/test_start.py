"""The whole way of a first-time owner: from a pasted list of tools to a served selection."""

import json
import shlex
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from catalog.models import Catalog
from tests.browser.conftest import carry_session

FAULTS = (Path(__file__).parent / "page_faults.js").read_text()
THINGS = {
    "order": ("search", "get", "cancel"),
    "invoice": ("find", "issue", "send"),
    "shipment": ("track", "schedule"),
}
TOOLS = [
    {
        "name": f"{verb}_{thing}",
        "description": f"{verb.title()} one {thing} of a customer by its number.",
        "inputSchema": {"type": "object", "properties": {f"{thing}_number": {"type": "string"}}},
        "annotations": {"readOnlyHint": verb in ("search", "get", "find", "track")},
    }
    for thing, verbs in THINGS.items()
    for verb in verbs
]
PASTED = json.dumps({"tools": [*TOOLS, {"name": "", "description": "Nobody knows."}]})


@pytest.fixture(autouse=True)
def _words_only(settings: Any) -> None:
    # What meanings add is tested elsewhere; here it would only cost time.
    settings.ENCODER = "none"


@pytest.fixture
def plain_page(browser: Browser, live_server: LiveServer, signed_in: Any) -> Iterator[Page]:
    """Yield a page of ana's without JavaScript."""
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    carry_session(page, signed_in, live_server)
    yield page
    context.close()


def make_catalog(page: Page) -> None:
    page.goto("/")
    expect(page).to_have_url("/start")
    page.get_by_label("Name").fill("shop")
    page.get_by_label("Title").fill("Shop agent")
    page.get_by_role("button", name="Make the catalog").click()


def paste(page: Page) -> None:
    page.get_by_label("Paste tools").fill(PASTED)
    page.get_by_role("button", name="Look at what is in it").click()
    expect(page.get_by_text("The tool has no name.")).to_be_visible()
    page.get_by_role("button", name="Import", exact=False).first.click()
    expect(page.locator("#step-groups")).to_have_attribute("aria-current", "step")


def send(command: str) -> dict[str, Any]:
    """Send what a shell would send for a command of curl, to the real API."""
    words = shlex.split(command)
    headers = dict(word.split(": ", 1) for word in words if ": " in word and "{" not in word)
    request = urllib.request.Request(words[2], words[-1].encode(), headers)  # noqa: S310 - our own
    with urllib.request.urlopen(request) as answer:  # noqa: S310
        found: dict[str, Any] = json.load(answer)
    return found


def test_from_a_pasted_list_to_a_served_selection(
    signed_in_page: Page, capsys: pytest.CaptureFixture[str]
) -> None:
    page, began = signed_in_page, time.monotonic()
    make_catalog(page)
    paste(page)

    page.get_by_role("link", name="Suggest groups", exact=True).click()
    expect(page.get_by_label("Name of the group")).to_have_count(3)
    assert not page.evaluate(FAULTS)
    # By keyboard: a tool into another group, and that group by another name.
    page.get_by_label("get_order").focus()
    page.keyboard.press("Space")
    page.get_by_label("Group that ticked tools go to").select_option("shipment")
    page.get_by_role("button", name="Move", exact=True).press("Enter")
    expect(page.locator("#plan-said")).to_have_text("1 tool is now in shipment.")
    page.get_by_label("Name of the group").nth(2).fill("deliveries")
    page.get_by_label("When to use shipment").fill("Use to follow deliveries.")
    page.get_by_role("button", name="Make these 3 groups").click()
    expect(page.locator("#messages")).to_contain_text("3 groups are made.")

    expect(page.locator("#step-publish")).to_have_attribute("aria-current", "step")
    note = page.get_by_label("What changed, and why")
    if not note.input_value():
        note.fill("The first version, to try it")
    page.get_by_role("button", name="Publish the first version").click()
    page.get_by_role("button", name="Make the key").click()
    expect(page.get_by_text("Waiting for the first selection")).to_be_visible()

    assert not page.evaluate(FAULTS)
    answer = send(page.locator("#command code").inner_text())

    expect(page.get_by_text("The first selection is served.")).to_be_visible()
    expect(page.locator("#start-waiting")).to_contain_text(answer["tool_names"][0])
    page.get_by_role("link", name="I have copied it").click()
    expect(page.locator(".start-done")).to_have_count(7)
    took = time.monotonic() - began
    with capsys.disabled():
        print(f"\nFrom a pasted list to a served selection: {took:.1f} s.")

    catalog = Catalog.objects.get()
    made = {group.name: group.tools.count() for group in catalog.groups.all()}
    assert made == {"order": 2, "invoice": 3, "deliveries": 3}
    assert catalog.tools.count() == len(TOOLS)


def test_it_all_works_without_javascript(plain_page: Page) -> None:
    page = plain_page
    make_catalog(page)
    paste(page)
    page.get_by_role("link", name="Suggest groups", exact=True).click()
    page.get_by_label("Tick the group invoice").check()
    page.get_by_label("Tick the group order").check()
    page.get_by_role("button", name="Merge ticked groups").click()
    expect(page.locator("#plan-said")).to_have_text("2 groups are one now: order.")
    page.get_by_role("button", name="Make these 2 groups").click()
    expect(page.get_by_text("2 groups are made.")).to_be_visible()
    page.get_by_role("button", name="Publish the first version").click()
    page.get_by_role("button", name="Make the key").click()
    send(page.locator("#command code").inner_text())
    page.get_by_role("link", name="Look again").click()
    expect(page.get_by_text("The first selection is served.")).to_be_visible()
