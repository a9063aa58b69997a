"""A new name of a part is followed everywhere, and the message says where."""

import pytest
from django.test import Client
from django.utils import timezone

from catalog.models import Catalog, ToolRevision
from tests.catalog.test_tool_form import shown
from tests.drafts import draft_of

BASE = "/catalogs/back-office"


@pytest.fixture
def catalog(db: None) -> Catalog:
    return draft_of()


def told(client: Client, address: str, **changes: object) -> str:
    return client.post(address, shown(client, address, **changes), follow=True).content.decode()


def test_a_renamed_tool_says_what_follows_and_answers_to_its_old_name(
    signed_in: Client, catalog: Catalog
) -> None:
    tool = catalog.tools.get(name="find_payment")
    catalog.intentrules.create(phrases=["a lost payment"]).tools.add(tool)
    ToolRevision.objects.create(
        catalog=catalog,
        name="find_payment",
        revision=1,
        content=b"",
        sha256="",
        created_at=timezone.now(),
    )
    page = told(signed_in, f"{BASE}/tools/find_payment", name="look_up")
    assert "“find_payment” is now called “look_up”." in page
    assert "Groups: billing; Intent rules: a lost payment." in page
    assert "Calls by the old name are still accepted" in page
    tool.refresh_from_db()
    assert tool.aliases == ["find_payment"]


def test_a_tool_that_no_agent_knows_yet_leaves_no_alias(
    signed_in: Client, catalog: Catalog
) -> None:
    page = told(signed_in, f"{BASE}/tools/find_payment", name="look_up")
    assert "Calls by the old name" not in page
    assert catalog.tools.get(name="look_up").aliases == []


def test_a_renamed_group_says_what_follows(signed_in: Client, catalog: Catalog) -> None:
    catalog.channelrules.all().delete()
    rule = catalog.channelrules.create(kind="queue", value="bills-in")
    rule.groups.add(catalog.groups.get(name="billing"))
    page = told(signed_in, f"{BASE}/groups/billing", name="bills")
    assert "“billing” is now called “bills”." in page
    assert f"Channel rules: {rule}" in page


def test_a_save_that_renames_nothing_says_so_shortly(signed_in: Client, catalog: Catalog) -> None:
    page = told(signed_in, f"{BASE}/groups/billing", description="Use to settle bills.")
    assert "“billing” is saved." in page
    assert "now called" not in page
