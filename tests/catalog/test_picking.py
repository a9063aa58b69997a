"""The search box that chooses tools and groups, by htmx and by a plain form."""

import re

import pytest
from django.test import Client

from catalog.models import Catalog
from tests.drafts import big_catalog, draft_of

PICK = "/catalogs/back-office/-/pick/tools?field=tools"


@pytest.fixture
def catalog(db: None) -> Catalog:
    return draft_of()


def boxes(html: str, field: str = "tools") -> dict[int, bool]:
    """Return the boxes drawn for a field, by value, and whether each is ticked."""
    found = re.findall(rf'name="{field}" value="(\d+)"( checked)?', html)
    return {int(value): bool(on) for value, on in found}


def test_a_search_finds_by_any_word_and_keeps_what_is_ticked(
    signed_in: Client, catalog: Catalog
) -> None:
    ticked = catalog.tools.get(name="check_stock")
    found = catalog.tools.get(name="find_payment")
    answer = signed_in.post(PICK, {"tools-q": "find payment", "tools": [ticked.pk]})
    drawn = boxes(answer.content.decode())
    assert drawn[ticked.pk] is True
    assert drawn[found.pk] is False
    assert len(drawn) < catalog.tools.count()


def test_what_was_found_and_is_chosen_is_ticked_once(signed_in: Client, catalog: Catalog) -> None:
    found = catalog.tools.get(name="find_payment")
    answer = signed_in.post(PICK, {"tools-q": "find_payment", "tools": [found.pk]})
    assert answer.content.decode().count(f'value="{found.pk}"') == 1


def test_nothing_found_is_said(signed_in: Client, catalog: Catalog) -> None:
    answer = signed_in.post(PICK, {"tools-q": "zzz"})
    assert "Nothing is called so." in answer.content.decode()
    assert signed_in.post(PICK.replace("tools?", "spoons?")).status_code == 404
    assert signed_in.post(PICK + "<script>").status_code == 400


def test_without_javascript_a_search_saves_nothing_and_loses_nothing(
    signed_in: Client, catalog: Catalog
) -> None:
    page = "/catalogs/back-office/routes/-/new"
    tool = catalog.tools.get(name="check_stock")
    form = {"name": "mine", "side_effects": ["read"], "budget_calls": "3", "tools": [tool.pk]}
    answer = signed_in.post(page, {**form, "tools-q": "payment", "tools-was": ""})
    assert answer.status_code == 200
    assert not catalog.routes.exists()
    text = answer.content.decode()
    assert boxes(text)[tool.pk]
    assert boxes(text)[catalog.tools.get(name="find_payment").pk] is False
    assert 'value="mine"' in text
    # The search that is shown already is no new one: now it is saved.
    answer = signed_in.post(page, {**form, "tools-q": "payment", "tools-was": "payment"})
    assert answer.status_code == 302
    assert list(catalog.routes.get().tools.all()) == [tool]


def test_a_choice_of_thousands_is_kept_by_a_form_of_fifty(signed_in: Client, db: None) -> None:
    catalog = big_catalog(tools=400, groups=1)
    every = set(catalog.tools.values_list("pk", flat=True))
    page = f"/catalogs/{catalog.name}/routes/-/new"
    answer = signed_in.post(f"/catalogs/{catalog.name}/-/pick/tools", {"tools": sorted(every)})
    text = answer.content.decode()
    drawn = boxes(text)
    assert len(drawn) == 50
    kept = re.search(r'name="tools-kept" value="([\d,]+)"', text)
    assert kept is not None
    gone = min(drawn)
    form = {
        "name": "all",
        "side_effects": ["read"],
        "tools": sorted(set(drawn) - {gone}),
        "tools-kept": kept[1],
    }
    assert signed_in.post(page, form).status_code == 302
    assert set(catalog.routes.get().tools.values_list("pk", flat=True)) == every - {gone}
