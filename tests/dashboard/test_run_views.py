"""What runs are asked for stands above them, and is kept under a name."""

import re
from datetime import timedelta
from urllib.parse import parse_qs

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from catalog.models import Catalog
from catalog.roles import Role
from dashboard.models import SavedView
from tests.dashboard.traffic import Traffic
from tests.members import client_of, member

PAGE = "/catalogs/shop/runs"
VIEWS = f"{PAGE}/views"


@pytest.fixture
def traffic(db: None) -> Traffic:
    return Traffic("shop", now=timezone.now())


def ids(page: str) -> set[int]:
    return {int(pk) for pk in re.findall(r'href="/catalogs/shop/runs/(\d+)"', page)}


def chips(page: str) -> dict[str, dict[str, list[str]]]:
    """Return by the words of each chip what its link asks for."""
    found = re.findall(r'class="btn btn-sm run-chip" href="[^"?]*\??([^"]*)">(.*?)<svg', page)
    strip = re.compile("<[^>]+>")
    return {
        strip.sub("", words).replace("Without the filter ", "", 1): parse_qs(
            query.replace("&amp;", "&")
        )
        for query, words in found
    }


def view_of(person: User, catalog: Catalog, *, name: str = "Mine", shared: bool = False) -> int:
    made = SavedView.objects.create(
        catalog=catalog,
        owner=person,
        name=name,
        query="outcome=failed",
        shared=shared,
        created_at=timezone.now(),
    )
    return made.pk


class TestChips:
    def test_each_filter_is_said_and_can_be_left_out(
        self, signed_in: Client, traffic: Traffic
    ) -> None:
        query = "from=2026-11-01T10:00%2B02:00&outcome=failed&expanded=1&q=a%26b&simulated=0"
        page = signed_in.get(f"{PAGE}?{query}").text
        asked = {
            "q": ["a&b"],
            "outcome": ["failed"],
            "from": ["2026-11-01T08:00+00:00"],
            "expanded": ["1"],
            "simulated": ["0"],
        }
        said = chips(page)
        assert said == {
            words: {key: value for key, value in asked.items() if key != gone}
            for words, gone in (
                ("Task holds: a&amp;b", "q"),
                ("Outcome: failed", "outcome"),
                ("Began from: 1 Nov 2026, 08:00", "from"),
                ("Asked for a group", "expanded"),
                ("Hide simulated traffic", "simulated"),
            )
        }
        assert " open>" not in page, "the form stays folded"

    def test_a_period_ends_now(self, signed_in: Client, traffic: Traffic) -> None:
        new = traffic.run()
        old = traffic.run(at=traffic.now - timedelta(days=3))
        older = traffic.run(at=traffic.now - timedelta(days=20))
        assert ids(signed_in.get(f"{PAGE}?period=24h").text) == {new.pk}
        assert ids(signed_in.get(f"{PAGE}?period=7d").text) == {new.pk, old.pk}
        assert ids(signed_in.get(f"{PAGE}?period=30d").text) == {new.pk, old.pk, older.pk}
        until = (traffic.now - timedelta(days=1)).date().isoformat()
        assert ids(signed_in.get(f"{PAGE}?period=7d&to={until}T00:00").text) == {old.pk}
        assert signed_in.get(f"{PAGE}?period=2w").status_code == 422


class TestViews:
    def test_a_view_is_saved_opened_renamed_and_deleted(
        self, signed_in: Client, traffic: Traffic
    ) -> None:
        saving = f"{VIEWS}/-/new?outcome=failed&period=7d&before=1.2"
        assert "Outcome: failed" in signed_in.get(saving).text
        opened = signed_in.post(saving, {"name": "Failed this week"}, follow=True)
        assert opened.redirect_chain == [(f"{PAGE}?outcome=failed&period=7d", 302)]
        assert 'aria-current="page">Failed this week</a>' in opened.text
        view = SavedView.objects.get()
        assert signed_in.post(saving, {"name": "Failed this week"}).status_code == 422
        assert signed_in.post(saving, {"name": " "}).status_code == 422

        signed_in.post(f"{VIEWS}/{view.pk}", {"name": "Failures", "shared": "on"})
        view.refresh_from_db()
        assert (view.name, view.shared, view.query) == (
            "Failures",
            True,
            "outcome=failed&period=7d",
        )
        listed = signed_in.get(VIEWS).text
        assert "shared by ana" in listed
        assert "Period: last 7 days" in listed

        signed_in.post(f"{VIEWS}/{view.pk}/delete")
        assert "No view is saved yet." in signed_in.get(VIEWS).text
        assert "Saved views" not in signed_in.get(PAGE).text

    def test_nothing_is_saved_of_what_asks_for_nothing(
        self, signed_in: Client, traffic: Traffic
    ) -> None:
        for query in ("", "?outcome=odd"):
            answer = signed_in.post(f"{VIEWS}/-/new{query}", {"name": "All"})
            assert answer.status_code == 302
        assert not SavedView.objects.exists()

    def test_nobody_keeps_ever_more_views_or_ever_longer_ones(
        self, signed_in: Client, traffic: Traffic, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        # More than the column holds, once it is written as a query.
        long = signed_in.post(f"{VIEWS}/-/new?q={'😀' * 200}", {"name": "Long"})
        assert long.status_code == 422
        assert "too long to be kept" in long.text
        monkeypatch.setattr(SavedView, "MOST", 1)
        for name, status in (("One", 302), ("Two", 422)):
            kept = signed_in.post(f"{VIEWS}/-/new?outcome=failed", {"name": name})
            assert kept.status_code == status
        [view] = SavedView.objects.all()
        assert signed_in.post(f"{VIEWS}/{view.pk}", {"name": "Two"}).status_code == 302

    def test_a_viewer_keeps_views_and_opens_shared_ones(self, traffic: Traffic) -> None:
        editor = member(traffic.catalog, Role.EDITOR, name="eve")
        viewer = member(traffic.catalog, Role.VIEWER, name="vic")
        shared = view_of(editor, traffic.catalog, name="Shared", shared=True)
        own = view_of(editor, traffic.catalog, name="Own")
        client = client_of(viewer)
        client.post(f"{VIEWS}/-/new?outcome=failed", {"name": "Vic's", "shared": "on"})
        assert list(SavedView.objects.filter(owner=viewer).values_list("shared")) == [(False,)]
        page = client.get(VIEWS).text
        assert ">Shared</a>" in page
        assert ">Own</a>" not in page
        for action in ("", "/delete"):
            assert client.post(f"{VIEWS}/{own}{action}", {"name": "x"}).status_code == 404
            assert client.post(f"{VIEWS}/{shared}{action}", {"name": "x"}).status_code == 403
        assert client.post(f"{VIEWS}/{2**70}/delete").status_code == 404
        other = client_of(member(traffic.catalog, Role.EDITOR, name="ed"))
        assert other.post(f"{VIEWS}/{shared}/delete").status_code == 302

    def test_the_database_holds_names_once(self, user: User, traffic: Traffic) -> None:
        other = User.objects.create_user("bob")
        for person, shared in ((user, False), (other, False), (user, True)):
            view_of(person, traffic.catalog, shared=shared)
        for person, name, shared in (
            (user, "Mine", False),
            (other, "Mine", True),
            (user, "", True),
        ):
            with pytest.raises(IntegrityError), transaction.atomic():
                view_of(person, traffic.catalog, name=name, shared=shared)
