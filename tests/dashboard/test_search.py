"""Search over everything: what it finds, in which order, and for whom."""

import re
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from catalog.models import Catalog, Membership, Tool
from catalog.roles import Role
from routing.keys import make_key
from routing.models import Run
from tests.drafts import empty_catalog
from tests.eventful import eventful_run
from tests.members import client_of, member
from tests.samples import published

DIALOG = {"HX-Request": "true", "HX-Target": "search-results"}


@pytest.fixture
def refunds(db: None, settings: Any) -> Catalog:
    """Return a published catalog with a run."""
    settings.ENCODER = "none"
    catalog, now = published("refunds"), timezone.now()
    eventful_run(catalog, key=make_key(name="agent", now=now).key, tool="issue_refund", now=now)
    return catalog


@pytest.fixture
def eva(refunds: Catalog) -> Client:
    """Return a client whose requests are those of a viewer of refunds."""
    return client_of(member(refunds, Role.VIEWER))


def hits(client: Client, query: str, **more: str) -> list[str]:
    """Return where the hits of a search lead, in order, without the pages."""
    page = client.get("/search", {"q": query, **more})
    assert page.status_code == 200
    links = re.findall(r'search-hit" href="([^"]*)"', page.text)
    return [unescape(link) for link in links]


def tools(catalog: Catalog, *names: str, description: str = "Look up what is known.") -> None:
    for name in names:
        Tool(catalog=catalog, name=name, description=description).save()


class TestWhatIsFound:
    @pytest.mark.parametrize(
        ("query", "found"),
        [
            ("issue refund", "/catalogs/refunds/tools/issue_refund"),
            ("ISSUE_REF", "/catalogs/refunds/tools/issue_refund"),
            ("order", "/catalogs/refunds/groups/orders"),
            ("refund_invest", "/catalogs/refunds/routes/refund_investigation"),
            ("refunds@1", "/catalogs/refunds/versions/1"),
            ("@live", "/catalogs/refunds/versions/1"),
            ("1", "/catalogs/refunds/versions/1"),
            ("health", "/catalogs/refunds/health"),
            ("refunds", "/catalogs/refunds/groups"),
        ],
    )
    def test_each_kind_by_its_words(self, eva: Client, query: str, found: str) -> None:
        assert found in hits(eva, query)

    def test_a_run_by_the_beginning_of_its_id_and_by_its_selection(
        self, refunds: Catalog, eva: Client
    ) -> None:
        run = Run.objects.get()
        path = f"/catalogs/refunds/runs/{run.pk}"
        spans = run.spans.filter(name="tool_route") | run.spans.filter(name="tool_result")
        for said in (run.run_id, run.run_id[:9], *(str(span.uid) for span in spans)):
            assert hits(eva, said) == [path]
        assert hits(eva, run.run_id[1:9]) == []

    @pytest.mark.parametrize("query", ["zzz", "%", "'\"<b>", "x" * 500, "@", "9" * 40, "a@b@c"])
    def test_what_nothing_is_called_finds_nothing(self, eva: Client, query: str) -> None:
        assert hits(eva, query) == []
        assert "<b>" not in eva.get("/search", {"q": query}).text

    def test_nothing_said_finds_the_pages(self, eva: Client) -> None:
        assert "/catalogs/refunds/tools" in hits(eva, " \0 ")

    def test_the_very_name_is_first_then_the_catalog_at_hand_then_the_better_fit(
        self, user: User
    ) -> None:
        one, two = empty_catalog("a-one"), empty_catalog("b-two")
        tools(one, "do_pay_now", "pay", "pay_all")
        tools(one, "other", description="It may pay.")
        tools(two, "pay", "to_pay")
        client = client_of(user)
        client.get("/?catalog=b-two")
        assert hits(client, "pay", of="tools") == [
            f"/catalogs/{path}"
            for path in (
                "a-one/tools/pay",
                "b-two/tools/pay",
                "a-one/tools/pay_all",
                "a-one/tools/do_pay_now",
                "b-two/tools/to_pay",
                "a-one/tools/other",
            )
        ]
        assert [link for link in hits(client, "pay") if "/tools/" in link][:4] == [
            "/catalogs/b-two/tools/pay",
            "/catalogs/a-one/tools/pay",
            "/catalogs/b-two/tools/to_pay",
            "/catalogs/a-one/tools/pay_all",
        ]

    def test_a_long_list_is_read_on_without_leaving_one_out_or_showing_it_twice(
        self, user: User
    ) -> None:
        one, client = empty_catalog("a-one"), client_of(user)
        tools(one, *(f"pay_{number:03}" for number in range(60)))
        tools(one, *(f"to_pay_{number:03}" for number in range(60)))
        seen: list[str] = []
        after = "0"
        for _page in range(3):
            page = client.get("/search", {"q": "pay", "of": "tools", "after": after}).text
            seen += re.findall(r'search-hit" href="/catalogs/a-one/tools/(\w+)"', page)
            more = re.search(r'<a href="[^"]*after=(\d+)', page)
            after = more[1] if more else ""
        assert after == ""
        assert seen == sorted(seen)
        assert len(seen) == len(set(seen)) == 120
        assert (
            client.get("/search", {"q": "pay", "of": "tools", "after": "99999"}).status_code == 200
        )
        for wrong in ({"of": "keys"}, {"of": "tools", "after": "x"}):
            assert client.get("/search", {"q": "pay", **wrong}).status_code == 404


class TestForWhom:
    def test_nothing_of_a_catalog_that_is_not_seen(self, refunds: Catalog) -> None:
        outsider = client_of(member(empty_catalog("desk"), Role.ADMINISTRATOR, name="ida"))
        run = Run.objects.get()
        uid = str(run.spans.all()[0].uid)
        for said in ("refund", "refunds@1", "@live", "1", "order", run.run_id, uid):
            assert not [link for link in hits(outsider, said) if "refunds" in link], said
            answer = outsider.get("/search", {"q": said}, headers=DIALOG).text
            assert "/catalogs/refunds" not in answer

    def test_nothing_of_one_that_is_archived_or_whose_role_was_taken(
        self, refunds: Catalog, eva: Client
    ) -> None:
        assert hits(eva, "issue_refund")
        Catalog.objects.update(archived=True)
        assert not hits(eva, "issue_refund")
        Catalog.objects.update(archived=False)
        Membership.objects.all().delete()
        assert not hits(eva, "issue_refund")

    def test_pages_are_those_that_one_may_open(self, refunds: Catalog, eva: Client) -> None:
        assert "/catalogs/refunds/members" not in hits(eva, "members")
        assert "/people" not in hits(eva, "everybody")
        root = client_of(User.objects.create_superuser("root"))
        assert "/catalogs/refunds/members" in hits(root, "members")
        assert "/people" in hits(root, "everybody")


def test_the_dialog_is_given_options_and_no_frame(eva: Client) -> None:
    answer = eva.get("/search", {"q": "refund"}, headers=DIALOG)
    assert "<html" not in answer.text
    options = re.findall(r'<a class="search-hit" id="([^"]+)" role="option"', answer.text)
    assert len(options) == len(set(options)) > 3
    assert 'data-query="refund"' in answer.text
    assert "HX-Target" in answer["Vary"]
    # Before anything is typed: the pages.
    assert "/catalogs/refunds/tools" in eva.get("/search", headers=DIALOG).text


def test_a_search_takes_as_many_queries_however_much_there_is(
    refunds: Catalog, eva: Client
) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            eva.get("/search", {"q": "refund"}, headers=DIALOG)
        return len(asked)

    queries()
    few = queries()
    tools(refunds, *(f"refund_{number}" for number in range(30)))
    assert queries() == few <= 10
