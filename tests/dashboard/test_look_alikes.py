"""Look-alikes on the pages: searched for on Health, told where a tool or a group is edited."""

import re
from collections.abc import Iterator

import pytest
from django.test import Client
from django.utils import timezone

from catalog.models import Catalog
from catalog.roles import Role
from routing import look_alikes
from routing.models import LookAlikeSearch
from tests.drafts import draft_of
from tests.members import client_of, member
from tests.samples import published

pytestmark = pytest.mark.django_db
PAGE = "/catalogs/dev-agent/health"
HTMX = {"HX-Request": "true"}


@pytest.fixture(autouse=True)
def _nothing_known() -> Iterator[None]:
    look_alikes._found.clear()
    look_alikes._holding.clear()
    yield
    look_alikes._found.clear()


def test_a_draft_without_vectors_is_searched_when_asked(
    signed_in: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(look_alikes, "MOST_MADE", -1)  # whatever other tests have encoded
    catalog = draft_of("dev-agent")
    page = signed_in.get(PAGE).text
    assert "Nobody has searched this draft" in page
    assert 'data-finding="look_alike"' not in page

    page = signed_in.post(f"{PAGE}/look-alikes", follow=True).text
    assert "1 pair of look-alikes found." in page
    found = re.search(r'data-finding="look_alike".*?</li>\s*</ul>', page, re.DOTALL)
    assert found
    assert '<a href="/catalogs/dev-agent/tools/read_file">' in found[0]
    assert '<a href="/catalogs/dev-agent/tools/write_file">' in found[0]
    assert "“Show me the settings module”" in found[0]
    assert "Nobody has searched" not in page

    catalog.tools.filter(name="calculator").update(title="Sum")
    page = signed_in.get(PAGE).text
    assert "The draft was changed since it was searched" in page
    assert 'data-finding="look_alike"' in page


def test_a_long_search_shows_how_far_it_is(
    signed_in: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(look_alikes, "MOST_PARTS", 3)
    draft_of("dev-agent")
    page = signed_in.post(f"{PAGE}/look-alikes", follow=True).text
    one = LookAlikeSearch.objects.get()
    assert f"0 of {one.total} texts and sample tasks are done" in page
    assert "The background worker is not running" in page
    address = f"{PAGE}/look-alikes/{one.pk}"
    part = signed_in.get(address, headers=HTMX).text
    assert part.strip().startswith("<section")
    assert signed_in.get(address).status_code == 302

    one.finished_at, one.problem = timezone.now(), LookAlikeSearch.Problem.ENCODER
    one.save()
    assert signed_in.get(address, headers=HTMX)["HX-Refresh"] == "true"
    page = signed_in.get(PAGE).text
    assert "The last search failed. The vectors could not be made." in page


def test_forms_tell_what_a_part_could_be_taken_for(signed_in: Client) -> None:
    published("dev-agent")
    form = signed_in.get("/catalogs/dev-agent/tools/write_file").text
    asked = re.search(r'hx-get="([^"]*look-alikes/of[^"]*)"', form)
    assert asked
    address = asked[1].replace("&amp;", "&")
    told = signed_in.get(address, headers=HTMX).text
    assert '<a href="/catalogs/dev-agent/tools/read_file">read_file</a>' in told
    assert "sample tasks of the two go to the wrong one" in told
    other = signed_in.get(address.replace("write_file", "calculator"), headers=HTMX)
    assert other.text.strip() == ""
    assert "look-alikes/of" in signed_in.get("/catalogs/dev-agent/groups/data").text


def test_a_viewer_has_no_button(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(look_alikes, "MOST_MADE", -1)
    catalog: Catalog = draft_of("dev-agent")
    client = client_of(member(catalog, Role.VIEWER))
    assert "Search for look-alikes" not in client.get(PAGE).text
    assert client.post(f"{PAGE}/look-alikes").status_code == 403
