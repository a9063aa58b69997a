"""The page that makes a selection again, beside what was answered then."""

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from catalog.models import Catalog
from routing.keys import make_key
from routing.models import Span
from routing.moves import current_move
from routing.references import Reference
from routing.releases import publish
from routing.selection import Query
from routing.services.erasing import erase_words
from routing.services.selecting import SelectionRequest, select_tools
from tests.samples import NOW, published

TASK = "Reconcile the payment of order 88231 with the statement"


@pytest.fixture
def select(db: None) -> Callable[[], Span]:
    """Return a function that selects for a task, in a catalog that was published."""
    published("back-office", exploration=0)
    key = make_key(name="agent", now=NOW).key

    def choose() -> Span:
        request = SelectionRequest(reference=Reference("back-office"), query=Query(task=TASK))
        select_tools(key=key, request=request, now=timezone.now())
        return Span.objects.latest("pk")

    return choose


def page_of(span: Span) -> str:
    return f"/catalogs/back-office/runs/{span.run_id}/replay/{span.pk}"


def test_on_its_own_release_it_is_the_same(signed_in: Client, select: Callable[[], Span]) -> None:
    span = select()
    run = signed_in.get(f"/catalogs/back-office/runs/{span.run_id}").text
    assert f'href="{page_of(span)}"' in run
    page = signed_in.get(page_of(span)).text
    assert "The same answer as then" in page
    assert TASK in page
    assert "differs" not in page


def test_another_version_and_the_draft_are_told_apart(
    signed_in: Client, select: Callable[[], Span]
) -> None:
    span = select()
    office = Catalog.objects.get()
    office.tools.filter(name="find_payment").update(enabled=False)
    draft = signed_in.get(f"{page_of(span)}?on=draft").text
    assert "back-office@draft answers otherwise." in draft
    row = re.search(r'<tr class="differs"><th scope="row"><code>find_payment.*?</tr>', draft)
    assert row
    assert "gone" in row[0]
    move = current_move(office)
    assert move is not None
    publish(catalog=office, author=None, now=NOW, note="", base=move.pk)
    assert "back-office@2 answers otherwise." in signed_in.get(f"{page_of(span)}?on=2").text
    assert "The same answer as then" in signed_in.get(f"{page_of(span)}?on=1").text
    assert signed_in.get(f"{page_of(span)}?on=3").status_code == 404


def test_what_stands_against_it_is_said(signed_in: Client, select: Callable[[], Span]) -> None:
    span = select()
    office = Catalog.objects.get()
    office.tools.filter(name="settle_bill").update(always_on=True)
    page = signed_in.get(f"{page_of(span)}?on=draft")
    assert page.status_code == 200
    assert "before its problems are mended" in page.text
    erase_words(run=span.run, now=timezone.now())
    assert "The text of the run was erased" in signed_in.get(page_of(span)).text
    office.keep_text = False
    office.save()
    assert "No text of it was kept" in signed_in.get(page_of(select())).text


def test_only_selections_of_the_catalog_are_made_again(
    signed_in: Client, select: Callable[[], Span]
) -> None:
    span = select()
    Catalog.objects.create(name="other", title="Other")
    assert signed_in.get(page_of(span).replace("back-office", "other")).status_code == 404
    assert signed_in.get(f"{page_of(span)}0").status_code == 404
