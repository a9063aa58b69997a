"""The history of one tool, and changes as JSON."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from catalog.models import Catalog
from dashboard.tool_history import revisions_of
from routing.moves import current_move
from routing.releases import publish
from tests.samples import NOW, published

PAGE = "/catalogs/refunds/tools/read_order/history"
VERSIONS = "/catalogs/refunds/versions"


@pytest.fixture
def refunds(db: None, settings: Any) -> Catalog:
    settings.ENCODER = "none"
    return published("refunds")


def change(catalog: Catalog, minutes: int, note: str = "", **fields: Any) -> None:
    """Change the tool and publish it, some minutes after the version before."""
    catalog.tools.filter(name="read_order").update(**fields)
    live = current_move(catalog)
    publish(
        catalog=catalog,
        author=User.objects.get_or_create(username="eva")[0],
        now=NOW + timedelta(minutes=minutes),
        note=note,
        base=live.pk if live else None,
    )


def test_each_revision_says_what_it_changed_and_what_brought_it(
    signed_in: Client, refunds: Catalog
) -> None:
    change(refunds, 1, "Shorter", description="Second.")
    refunds.tools.filter(name="issue_refund").update(description="Another tool.")
    change(refunds, 2)
    change(refunds, 3, timeout_ms=7)
    refunds.tools.filter(name="read_order").update(owner="nobody yet")
    page = signed_in.get(PAGE).text

    assert [one.number for one in revisions_of(refunds, "read_order")] == [None, 3, 2, 1]
    assert "The draft, not published" in page
    assert f'<a href="{VERSIONS}/4">came with version 4</a>' in page
    assert f'<a href="{VERSIONS}/2">came with version 2</a>' in page
    assert "Shorter" in page
    assert "Second.</ins>" in page
    assert "The time-out changed (milliseconds)." in page
    assert "The first that is known here." in page
    assert "revision 3" in page
    assert "Another tool." not in page


def test_it_is_shown_as_json_one_click_away(signed_in: Client, refunds: Catalog) -> None:
    change(refunds, 1, description="Second.")
    assert 'href="?as=json"' in signed_in.get(PAGE).text
    page = signed_in.get(f"{PAGE}?as=json").text
    assert "&quot;description&quot;: &quot;Second.&quot;" in page


def test_a_tool_that_was_deleted_keeps_its_history(signed_in: Client, refunds: Catalog) -> None:
    refunds.tools.get(name="read_order").delete()
    page = signed_in.get(PAGE).text
    assert "It is no longer in the draft" in page
    assert "Revision 1" in page


def test_a_tool_that_never_was_has_none(signed_in: Client, refunds: Catalog) -> None:
    assert signed_in.get("/catalogs/refunds/tools/nothing/history").status_code == 404


def test_a_tool_of_another_catalog_is_not_shown(signed_in: Client, refunds: Catalog) -> None:
    Catalog.objects.create(name="empty", title="Empty")
    assert signed_in.get("/catalogs/empty/tools/read_order/history").status_code == 404


class TestVersionsAsJson:
    def test_a_renamed_tool_stands_beside_what_it_was(
        self, signed_in: Client, refunds: Catalog
    ) -> None:
        change(refunds, 1, name="fetch_order")
        page = signed_in.get(f"{VERSIONS}/2?as=json").text
        assert "- " in page
        assert "&quot;name&quot;: &quot;read_order&quot;" in page
        assert "&quot;name&quot;: &quot;fetch_order&quot;" in page
        # What did not change is left out but for some lines around.
        assert "&quot;description&quot;" not in page.split("fetch_order")[1][:60]

    def test_rules_are_shown_as_the_list_they_are(
        self, signed_in: Client, refunds: Catalog
    ) -> None:
        refunds.keywordrules.create(pattern="first", position=0)
        refunds.keywordrules.create(pattern="second", position=1)
        page = signed_in.get(f"{VERSIONS}/draft?as=json").text
        assert page.count('<h3 class="change-subject">') == 1
        assert "&quot;pattern&quot;: &quot;second&quot;" in page

    def test_a_tool_that_is_a_default_now_says_so(
        self, signed_in: Client, refunds: Catalog
    ) -> None:
        refunds.tools.filter(name="read_order").update(always_on=True)
        page = signed_in.get(f"{VERSIONS}/draft?as=json&against=1").text
        assert "&quot;always_on&quot;: [" in page
        assert 'name="as" value="json"' in page
