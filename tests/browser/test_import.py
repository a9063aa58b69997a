"""Tools are imported by keyboard, what is ticked is done, and one press takes it back."""

import json

from django.contrib.auth.models import User
from django.urls import reverse
from playwright.sync_api import Page, expect

from catalog.models import Catalog
from tests.catalog.reading.made import mcp_tool
from tests.imports import waiting_import


def test_tools_are_pasted_looked_at_imported_and_taken_back(signed_in_page: Page) -> None:
    catalog = Catalog.objects.create(name="shop", title="Shop")
    page = signed_in_page
    page.goto(reverse("catalog:tools", args=["shop"]))
    page.get_by_role("link", name="Import", exact=True).click()

    page.get_by_label("Paste tools").fill(json.dumps([mcp_tool("find"), mcp_tool("seek")]))
    page.get_by_label("Group for new tools").fill("search")
    page.keyboard.press("Enter")
    expect(page.locator("#import-counts")).to_have_text("2 new")
    page.get_by_label("seek: leave it").focus()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Import", exact=True).press("Enter")

    expect(page.get_by_text("Import of “pasted”: 1 added, 1 left as it was.")).to_be_visible()
    assert [tool.name for tool in catalog.groups.get().tools.all()] == ["find"]
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("find", exact=True)).to_have_count(0)
    assert not catalog.tools.exists()
    assert not catalog.groups.exists()


def test_a_sync_asks_before_it_overwrites_or_removes(signed_in_page: Page) -> None:
    catalog = Catalog.objects.create(name="shop", title="Shop")
    waiting = waiting_import(catalog, by=User.objects.get())
    page = signed_in_page
    page.goto(reverse("dashboard:pending_import", args=["shop", waiting.uid]))

    page.get_by_label("Take the source's description").check()
    page.get_by_label("note_gone: remove it").check()
    page.get_by_label("note_deleted: bring it back").check()
    page.get_by_role("button", name="Import", exact=True).click()

    told = "Import of “notes”: 1 added, 1 brought back, 2 changed, 1 removed"
    expect(page.get_by_text(told)).to_be_visible()
    assert dict(catalog.tools.values_list("name", "description")) == {
        "note_mine": "Find one of the notes.",
        "note_old": "Find a note by its words.",
        "note_deleted": "Find a note.",
        "note_list": "List the notes.",
    }
