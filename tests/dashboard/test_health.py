"""The page Health: findings by severity with where to mend each, and mending by a click."""

import re
from html import unescape
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import resolve

from catalog.models import Catalog, KeywordRule
from catalog.roles import Role
from dashboard.reviews import mending_url
from tests.catalog.health.test_findings import CASES
from tests.drafts import big_catalog, draft_of, empty_catalog
from tests.members import client_of, member

PAGE = "/catalogs/back-office/health"


@pytest.fixture
def catalog(db: None) -> Catalog:
    return draft_of("back-office")


def text_of(response: Any) -> str:
    return " ".join(unescape(response.text).split())


def key_of(response: Any, code: str) -> str:
    """Return the key that the button of the first finding of a code sends."""
    row = re.search(rf'data-finding="{code}".*?</li>', response.text, re.DOTALL)
    assert row
    found = re.search(r'name="finding" value="([0-9a-f]{16})"', row[0])
    assert found
    return found[1]


def mend(client: Client, code: str) -> Any:
    key = key_of(client.get(PAGE), code)
    return client.post(f"{PAGE}/mend", {"finding": key, "next": f"{PAGE}?code={code}"}, follow=True)


class TestReading:
    def test_errors_come_first_and_each_leads_to_where_it_is_mended(
        self, signed_in: Client, catalog: Catalog
    ) -> None:
        catalog.tools.filter(name="settle_bill").update(is_default=True)
        catalog.groups.filter(name="billing").update(description="")
        response = signed_in.get(PAGE)
        page = text_of(response)
        assert "Errors 1" in page
        assert "Warnings 1" in page
        shown = re.findall(r'data-finding="(\w+)"', response.text)
        assert shown == [
            "fallback_with_side_effect",
            "group_without_description",
            "destructive_without_approval",
        ]
        assert '<a href="/catalogs/back-office/tools/settle_bill">Tool settle_bill</a>' in page
        assert '<a href="/catalogs/back-office/groups/billing">Group billing</a>' in page

    def test_a_severity_or_a_kind_is_shown_alone(self, signed_in: Client, catalog: Catalog) -> None:
        catalog.groups.filter(name="billing").update(description="")
        for query, shown in (
            ("severity=warning", ["group_without_description"]),
            ("code=destructive_without_approval", ["destructive_without_approval"]),
            ("severity=error", []),
            ("severity=%00&code='", []),
        ):
            html = signed_in.get(f"{PAGE}?{query}").text
            assert re.findall(r'data-finding="(\w+)"', html) == shown
        assert "No finding of this kind." in html

    def test_kinds_are_chosen_by_what_they_say(self, signed_in: Client, catalog: Catalog) -> None:
        html = signed_in.get(PAGE).text
        kinds = dict(re.findall(r'<option value="(\w+)">([^<]*)</option>', html))
        said = "The tool destroys something and nobody approves its calls. (1)"
        assert kinds["destructive_without_approval"] == said
        assert not [words for words in kinds.values() if "_" in words or "%(" in words]

    def test_a_draft_without_a_fault_says_so(self, signed_in: Client, catalog: Catalog) -> None:
        catalog.tools.filter(name="cancel_pickup").update(needs_approval=True)
        assert "Nothing to mend." in text_of(signed_in.get(PAGE))

    def test_what_is_of_the_whole_catalog_leads_to_its_list(
        self, signed_in: Client, db: None
    ) -> None:
        empty_catalog()
        page = text_of(signed_in.get("/catalogs/empty/health"))
        assert '<a href="/catalogs/empty/tools">The catalog</a>' in page
        assert "The catalog has no tools." in page

    def test_what_a_text_says_is_text(self, signed_in: Client, catalog: Catalog) -> None:
        catalog.tools.filter(name="find_payment").update(description="<b>same</b> words here")
        catalog.tools.filter(name="find_invoice").update(description="<b>same</b> words here")
        KeywordRule.objects.create(catalog=catalog, pattern="<i>(", position=9)
        assert "“&lt;i&gt;(” cannot be used" in signed_in.get(PAGE).text

    def test_every_place_leads_to_a_page(self, signed_in: Client, catalog: Catalog) -> None:
        for place in {place for _code, _spoil, place, _severity in CASES}:
            path = urlsplit(mending_url(catalog, place)).path
            assert resolve(path).namespace == "catalog"


class TestMending:
    def test_a_flag_is_taken_back(self, signed_in: Client, catalog: Catalog) -> None:
        catalog.tools.filter(name="settle_bill").update(is_default=True, always_on=True)
        response = mend(signed_in, "fallback_with_side_effect")
        assert response.redirect_chain == [(f"{PAGE}?code=fallback_with_side_effect", 302)]
        assert "Mended: Tool settle_bill." in text_of(response)
        assert "“settle_bill” may change something: the always-on tools" in text_of(response)
        tool = catalog.tools.get(name="settle_bill")
        assert (tool.is_default, tool.always_on) == (False, True)

    def test_a_text_loses_what_nobody_sees(self, signed_in: Client, catalog: Catalog) -> None:
        billing = catalog.groups.get(name="billing")
        billing.description = "Use to pay\u200b bills."
        billing.save()
        mend(signed_in, "invisible_characters")
        billing.refresh_from_db()
        assert (billing.description, billing.search_text) == (
            "Use to pay bills.",
            "billing\nuse to pay bills.",
        )

    def test_calls_are_to_be_approved(self, signed_in: Client, catalog: Catalog) -> None:
        mend(signed_in, "destructive_without_approval")
        assert catalog.tools.get(name="cancel_pickup").needs_approval

    def test_the_rule_that_repeats_is_the_one_deleted(
        self, signed_in: Client, catalog: Catalog
    ) -> None:
        kept = []
        for position, pattern in enumerate(("pay", "stock", "pay", "ship"), 20):
            rule = KeywordRule.objects.create(catalog=catalog, pattern=pattern, position=position)
            rule.add_groups.set(catalog.groups.filter(name="billing"))
            kept.append(rule)
        mend(signed_in, "rule_repeats")
        left = KeywordRule.objects.filter(position__gte=20)
        assert list(left) == [kept[0], kept[1], kept[3]]

    def test_what_was_mended_meanwhile_stays_as_it_is(
        self, signed_in: Client, catalog: Catalog
    ) -> None:
        key = key_of(signed_in.get(PAGE), "destructive_without_approval")
        for said in ("Mended: Tool cancel_pickup.", "the draft no longer has this finding"):
            response = signed_in.post(f"{PAGE}/mend", {"finding": key}, follow=True)
            assert said in text_of(response)
        for nonsense in ("", "x" * 400, "\0"):
            response = signed_in.post(f"{PAGE}/mend", {"finding": nonsense}, follow=True)
            assert "the draft no longer has this finding" in text_of(response)

    def test_a_viewer_reads_and_has_no_button(self, catalog: Catalog) -> None:
        client = client_of(member(catalog, Role.VIEWER))
        response = client.get(PAGE)
        assert 'data-finding="destructive_without_approval"' in response.text
        assert 'name="finding"' not in response.text
        assert client.post(f"{PAGE}/mend").status_code == 403


class TestSize:
    def test_the_number_of_queries_does_not_grow(self, signed_in: Client) -> None:
        counts = []
        for catalog in (big_catalog(tools=120, groups=12), big_catalog(tools=240, groups=24)):
            page = f"/catalogs/{catalog.name}/health"
            signed_in.get(page)  # the frame notes which catalog was looked at last
            with CaptureQueriesContext(connection) as queries:
                assert signed_in.get(page).status_code == 200
            counts.append(len(queries))
        assert counts[0] == counts[1]

    def test_many_findings_stay_a_light_page(self, signed_in: Client) -> None:
        catalog = big_catalog(tools=600, groups=60)
        page = f"/catalogs/{catalog.name}/health"
        response = signed_in.get(page)
        assert response.text.count("data-finding=") == 50
        assert len(response.content) < 100_000
        assert signed_in.get(f"{page}?page=9").text.count("data-finding=") == 50
