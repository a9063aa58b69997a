"""The list of tools: search, filters, pages, and a switch a tool."""

import pytest
from django.test import Client
from django.utils import timezone

from catalog.models import Catalog, ToolRevision
from tests.drafts import draft_of, empty_catalog

HTMX = {"HX-Request": "true"}
PAGE = "/catalogs/back-office/tools"


@pytest.fixture
def catalog(db: None) -> Catalog:
    return draft_of()


def listed(client: Client, query: str) -> set[str]:
    return {tool.name for tool in client.get(f"{PAGE}?{query}").context["list"].page}


def test_filters_leave_what_they_say(signed_in: Client, catalog: Catalog) -> None:
    tools = catalog.tools
    tools.filter(name="settle_bill").update(enabled=False)
    assert len(listed(signed_in, "")) == 34
    assert listed(signed_in, "q=FIND+payment") >= {"find_payment"}
    assert listed(signed_in, "group=-") == {"ask_user"}
    assert listed(signed_in, "group=billing&effect=destructive") == {"refund_overpayment"}
    assert listed(signed_in, "enabled=0") == {"settle_bill"}
    assert len(listed(signed_in, "enabled=1")) == 33
    tagged = {tool.name for tool in tools.all() if "payments" in tool.tags}
    assert listed(signed_in, "tag=payments") == tagged
    assert tagged
    assert listed(signed_in, "tag=payment") == set()


def test_the_group_of_another_catalog_filters_nothing_in(
    signed_in: Client, catalog: Catalog
) -> None:
    draft_of("contratos")
    assert listed(signed_in, "group=contracts") == set()


def test_sorting_by_tokens_puts_the_dearest_first(signed_in: Client, catalog: Catalog) -> None:
    page = signed_in.get(f"{PAGE}?sort=tokens").context["list"].page
    tokens = [tool.tokens for tool in page]
    assert tokens == sorted(tokens, reverse=True)


def test_the_newest_revision_is_shown(signed_in: Client, catalog: Catalog) -> None:
    other = empty_catalog()
    for owner, number in ((catalog, 1), (catalog, 2), (other, 9)):
        ToolRevision.objects.create(
            catalog=owner,
            name="find_payment",
            revision=number,
            content=b"",
            sha256="",
            created_at=timezone.now(),
        )
    page = signed_in.get(f"{PAGE}?q=find_payment").context["list"].page
    assert {tool.name: tool.revision for tool in page}["find_payment"] == 2
    assert b"r2" in signed_in.get(f"{PAGE}?q=find_payment").content


def test_a_switch_saves_by_htmx_and_by_plain_post(signed_in: Client, catalog: Catalog) -> None:
    address = f"{PAGE}/settle_bill/flags/enabled"
    answer = signed_in.post(address, {"on": "0"}, headers=HTMX)
    assert b'aria-checked="false"' in answer.content
    assert not catalog.tools.get(name="settle_bill").enabled
    answer = signed_in.post(address, {"on": "1", "next": f"{PAGE}?page=1"})
    assert answer["Location"] == f"{PAGE}?page=1"
    assert catalog.tools.get(name="settle_bill").enabled


@pytest.mark.parametrize(
    "next_page", ["https://example.org/", "//example.org", "javascript:x", "", "NaN", "a:b", "\0"]
)
def test_a_switch_leads_to_no_other_site(
    signed_in: Client, catalog: Catalog, next_page: str
) -> None:
    address = f"{PAGE}/settle_bill/flags/enabled"
    answer = signed_in.post(address, {"on": "1", "next": next_page})
    assert answer["Location"] == f"{PAGE}/settle_bill"


@pytest.mark.parametrize("flag", ["default", "always-on"])
def test_a_refused_switch_says_why_beside_it(
    signed_in: Client, catalog: Catalog, flag: str
) -> None:
    address = f"{PAGE}/settle_bill/flags/{flag}"
    answer = signed_in.post(address, {"on": "1"}, headers=HTMX)
    assert answer.status_code == 422
    assert "may only read" in answer.content.decode()
    assert b'aria-checked="false"' in answer.content
    answer = signed_in.post(address, {"on": "1"}, follow=True)
    assert "may only read" in answer.content.decode()


def test_only_known_switches_of_known_tools_are_there(signed_in: Client, catalog: Catalog) -> None:
    empty_catalog()
    assert signed_in.post(f"{PAGE}/settle_bill/flags/position").status_code == 404
    assert signed_in.post(f"{PAGE}/nothing/flags/enabled").status_code == 404
    assert signed_in.post("/catalogs/empty/tools/settle_bill/flags/enabled").status_code == 404
    assert signed_in.get(f"{PAGE}/settle_bill/flags/enabled").status_code == 405


def test_an_empty_list_says_what_to_do_next(signed_in: Client, catalog: Catalog) -> None:
    empty_catalog()
    page = signed_in.get("/catalogs/empty/tools").content.decode()
    assert "/catalogs/empty/tools/-/new" in page
    assert "No tool fits" in signed_in.get(f"{PAGE}?q=xyzzy").content.decode()


def test_the_list_of_catalogs_counts_each_ones_own(signed_in: Client, catalog: Catalog) -> None:
    draft_of("refunds")
    Catalog.objects.create(name="gone", title="Gone", archived=True)
    seen = {each.name: each for each in signed_in.get("/catalogs/").context["catalogs"]}
    assert {name: (each.tool_count, each.group_count) for name, each in seen.items()} == {
        "back-office": (34, 5),
        "refunds": (4, 2),
    }
    assert seen["refunds"].newest is None


def test_without_catalogs_the_page_tells_the_command(signed_in: Client) -> None:
    assert b"manage.py demo" in signed_in.get("/catalogs/").content
