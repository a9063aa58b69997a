"""A key as a person makes, copies, rotates and revokes it."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page, expect

from catalog.models import Catalog
from routing.keys import find_key, make_key
from routing.models import ApiKey
from tests.browser.conftest import Complaints
from tests.samples import published


@pytest.fixture
def catalog(transactional_db: None, user: User) -> Catalog:
    return published("refunds")


@pytest.fixture
def keys(catalog: Catalog, signed_in_page: Page) -> Page:
    signed_in_page.goto("/keys")
    return signed_in_page


def works(token: str) -> bool:
    return find_key(token=token, now=timezone.now()) is not None


def shown_token(page: Page) -> str:
    return page.get_by_role("group", name="Token").locator("code").inner_text()


def test_a_key_is_made_copied_and_never_shown_again(keys: Page) -> None:
    keys.context.grant_permissions(["clipboard-read", "clipboard-write"])
    keys.get_by_role("link", name="New key").first.click()
    keys.get_by_label("Name").fill("Refund desk")
    expect(keys.get_by_label("refunds")).to_be_checked()
    keys.get_by_label("ingest").uncheck()
    keys.get_by_label("Routes").fill("order_status")
    keys.get_by_role("button", name="Make the key").click()

    expect(keys.get_by_text("The key is made.")).to_be_visible()
    token = shown_token(keys)
    assert works(token)
    keys.get_by_role("group", name="Token").get_by_role("button", name="Copy").click()
    assert keys.evaluate("navigator.clipboard.readText()") == token
    assert token not in keys.url
    assert "order_status" in keys.locator("code", has_text="api/v1/selections").inner_text()

    keys.get_by_role("link", name="I have copied it").click()
    row = keys.get_by_role("row", name="Refund desk")
    expect(row).to_contain_text("works")
    expect(row).to_contain_text("refunds")
    assert token not in keys.content()
    key = ApiKey.objects.get()
    assert (key.name, key.routes) == ("Refund desk", ["order_status"])


def test_what_is_missing_is_said_beside_its_field(keys: Page, complaints: Complaints) -> None:
    complaints.expect_status(422)
    keys.goto("/keys/new")
    keys.get_by_label("Name").fill("Refund desk")
    keys.get_by_label("refunds").uncheck()
    keys.get_by_role("button", name="Make the key").click()
    expect(keys.get_by_text("Choose a catalog, or every one.")).to_be_visible()
    expect(keys.get_by_label("Name")).to_have_value("Refund desk")
    keys.get_by_label("Every catalog").check()
    keys.get_by_role("button", name="Make the key").click()
    expect(keys.get_by_text("The key is made.")).to_be_visible()


def test_a_key_is_rotated(keys: Page) -> None:
    made = make_key(name="agent", now=timezone.now())
    keys.reload()
    keys.get_by_role("link", name="Rotate agent").click()
    expect(keys.get_by_text("It was never used.")).to_be_visible()
    keys.get_by_role("button", name="Rotate").click()
    expect(keys.get_by_text("The key has a new token.")).to_be_visible()
    assert works(shown_token(keys))
    assert not works(made.token)


def test_a_key_is_revoked(keys: Page, client: Client) -> None:
    made = make_key(name="agent", now=timezone.now())
    keys.reload()
    keys.get_by_role("link", name="Revoke agent").click()
    keys.get_by_role("link", name="Cancel").click()
    assert works(made.token)
    keys.get_by_role("link", name="Revoke agent").click()
    keys.get_by_role("button", name="Revoke").click()
    expect(keys.get_by_role("status")).to_contain_text("“agent” is revoked.")
    expect(keys.get_by_role("row", name="agent")).to_contain_text("revoked")
    assert not works(made.token)
    bearer = {"Authorization": f"Bearer {made.token}"}
    assert client.get("/api/v1/catalogs", headers=bearer).status_code == 401
