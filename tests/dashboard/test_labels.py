"""The pages of labels: making one, moving it, protecting it, taking it away."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from catalog.models import Catalog
from catalog.roles import Role
from routing.labels import labels_of, protect, remove_label
from routing.models import LabelMove
from routing.moves import last_move
from routing.releases import move_label, publish
from tests.members import client_of, member
from tests.samples import NOW, published

PAGE = "/catalogs/refunds/versions"


@pytest.fixture
def refunds(db: None, settings: Any) -> Catalog:
    settings.ENCODER = "none"
    return published("refunds")


def describe(catalog: Catalog, text: str) -> None:
    catalog.tools.filter(name="read_order").update(description=text)


def places(catalog: Catalog) -> dict[str, int]:
    return {one.name: one.move.release.version.number for one in labels_of(catalog)}


def base_of(catalog: Catalog, label: str) -> int | None:
    last = last_move(catalog, label=label)
    return last.pk if last else None


def staged(catalog: Catalog) -> LabelMove:
    """Publish a second version to staging; live stays."""
    describe(catalog, "Second.")
    publish(catalog=catalog, author=None, now=NOW, base=None, label="staging", note="Try it")
    last = last_move(catalog, label="staging")
    assert last is not None
    return last


def publish_form(client: Client, **more: str) -> dict[str, str]:
    html = client.get(PAGE).text
    seen = {
        name: match[1]
        for name in ("base", "reviewed")
        if (match := re.search(f'name="{name}" value="([^"]*)"', html))
    }
    return {**seen, **more}


class TestPublishingToALabel:
    def test_live_stays_what_it_is(self, signed_in: Client, refunds: Catalog) -> None:
        describe(refunds, "Second.")
        sent = signed_in.post(PAGE, publish_form(signed_in, label="staging"))
        assert sent.status_code == 302
        assert places(refunds) == {"live": 1, "staging": 2}
        page = signed_in.get(PAGE).text
        assert "“staging” is at version 2 now. What is live stays live." in page
        assert "refunds@staging</a>" in page
        # It is put live from there, and is no roll-back.
        assert 'href="/catalogs/refunds/versions/labels/live?to=2"' in page

    def test_of_two_who_saw_the_same_the_second_is_told(
        self, signed_in: Client, refunds: Catalog
    ) -> None:
        describe(refunds, "Mine.")
        form = publish_form(signed_in, label="staging", note="My words")
        move_label(
            catalog=refunds,
            label="staging",
            version=1,
            by=User.objects.create_user("eva"),
            reason="Quicker",
            base=None,
            now=NOW,
        )
        told = signed_in.post(PAGE, form)
        assert told.status_code == 409
        assert "eva moved “staging” to version 1 on" in told.text
        assert "My words" in told.text
        assert '<option value="staging" selected>' in told.text
        assert places(refunds) == {"live": 1, "staging": 1}

    def test_a_move_of_another_label_stops_nobody(
        self, signed_in: Client, refunds: Catalog
    ) -> None:
        describe(refunds, "Mine.")
        form = publish_form(signed_in)
        move_label(
            catalog=refunds, label="other", version=1, by=None, reason="", base=None, now=NOW
        )
        assert signed_in.post(PAGE, form).status_code == 302
        assert places(refunds) == {"live": 2, "other": 1}

    def test_it_goes_nowhere_else(self, signed_in: Client, refunds: Catalog) -> None:
        describe(refunds, "Mine.")
        sent = signed_in.post(PAGE, publish_form(signed_in, label="no such label"))
        assert sent.status_code == 422
        assert refunds.versions.count() == 1


class TestMoving:
    def test_what_a_move_changes_is_said_before_it_is_made(
        self, signed_in: Client, user: User, refunds: Catalog
    ) -> None:
        staged(refunds)
        page = signed_in.get(f"{PAGE}/labels/live?to=2").text
        assert "What agents will notice: from version 1 to 2" in page
        assert "Second.</ins>" in page
        base = str(base_of(refunds, "live"))
        sent = signed_in.post(
            f"{PAGE}/labels/live", {"base": base, "version": "2", "reason": "It is good"}
        )
        assert (sent.status_code, sent["Location"]) == (302, PAGE)
        last = last_move(refunds, label="live")
        assert last is not None
        assert (last.release.version.number, last.by, last.reason) == (2, user, "It is good")

    def test_a_move_meanwhile_is_told(self, signed_in: Client, refunds: Catalog) -> None:
        seen = staged(refunds)
        remove_label(
            catalog=refunds, label="staging", by=None, reason="Done", base=seen.pk, now=NOW
        )
        told = signed_in.post(
            f"{PAGE}/labels/staging", {"base": seen.pk, "version": 1, "reason": "My words"}
        )
        assert told.status_code == 409
        assert "Somebody at the command line took “staging” away on" in told.text
        assert "My words" in told.text
        assert places(refunds) == {"live": 1}

    @pytest.mark.parametrize("to", ["7", "x", "-1", "9" * 30, "%00"])
    def test_there_is_no_other_version(self, signed_in: Client, refunds: Catalog, to: str) -> None:
        assert signed_in.get(f"{PAGE}/labels/live?to={to}").status_code == 404

    def test_a_label_that_never_was_is_not_there(self, signed_in: Client, refunds: Catalog) -> None:
        assert signed_in.get(f"{PAGE}/labels/staging").status_code == 404


class TestNew:
    def test_it_is_made_at_a_version(self, signed_in: Client, refunds: Catalog) -> None:
        sent = signed_in.post(
            f"{PAGE}/labels/-/new",
            {"name": "canary", "version": "1", "protected": "on", "reason": "Slowly"},
        )
        assert sent.status_code == 302
        page = signed_in.get(f"{PAGE}/labels/canary").text
        assert "protected" in page
        assert "Slowly" in page
        assert places(refunds) == {"live": 1, "canary": 1}

    @pytest.mark.parametrize("name", ["live", "draft", "Two Words", "canary"])
    def test_a_name_that_is_taken_or_none_is_said(
        self, signed_in: Client, refunds: Catalog, name: str
    ) -> None:
        move_label(
            catalog=refunds, label="canary", version=1, by=None, reason="", base=None, now=NOW
        )
        sent = signed_in.post(f"{PAGE}/labels/-/new", {"name": name, "version": "1"})
        assert sent.status_code == 422
        assert "invalid-feedback" in sent.text

    def test_without_a_version_there_is_nothing_to_point_to(
        self, signed_in: Client, refunds: Catalog
    ) -> None:
        Catalog.objects.create(name="empty", title="Empty")
        page = signed_in.get("/catalogs/empty/versions/labels/-/new").text
        assert "A label needs a version to point to." in page


@pytest.mark.parametrize("name", ["4", "UPPER", "-", "x" * 64, "canary"])
def test_moving_makes_no_label(signed_in: Client, refunds: Catalog, name: str) -> None:
    sent = signed_in.post(f"{PAGE}/labels/{name}", {"version": "1", "base": ""})
    assert sent.status_code == 404
    assert places(refunds) == {"live": 1}


class TestProtected:
    def test_only_a_publisher_moves_it(self, refunds: Catalog) -> None:
        base = staged(refunds).pk
        editor = client_of(member(refunds, Role.EDITOR))
        form = {"base": base, "version": 1}
        protect(catalog=refunds, label="staging", protected=True)

        assert editor.post(f"{PAGE}/labels/staging", form).status_code == 403
        assert editor.post(f"{PAGE}/labels/staging/remove", form).status_code == 403
        assert editor.post(f"{PAGE}/labels/live", form).status_code == 403
        assert "publisher" in editor.get(f"{PAGE}/labels/staging").text

        publisher = client_of(member(refunds, Role.PUBLISHER, name="pia"))
        assert publisher.post(f"{PAGE}/labels/staging", form).status_code == 302
        assert places(refunds) == {"live": 1, "staging": 1}

    def test_an_editor_moves_what_is_not(self, refunds: Catalog) -> None:
        base = staged(refunds).pk
        editor = client_of(member(refunds, Role.EDITOR))
        assert (
            editor.post(f"{PAGE}/labels/staging", {"base": base, "version": 1}).status_code == 302
        )
        assert places(refunds)["staging"] == 1

    def test_it_stays_so_while_it_is_away(self, refunds: Catalog) -> None:
        base = staged(refunds).pk
        protect(catalog=refunds, label="staging", protected=True)
        remove_label(catalog=refunds, label="staging", by=None, reason="", base=base, now=NOW)
        editor = client_of(member(refunds, Role.EDITOR))
        told = editor.post(f"{PAGE}/labels/-/new", {"name": "staging", "version": "1"})
        assert told.status_code == 422
        assert "only a publisher brings it back" in told.text
        assert places(refunds) == {"live": 1}

    def test_a_publisher_says_which_is(self, signed_in: Client, refunds: Catalog) -> None:
        staged(refunds)
        for sent, word in (({"protected": "on"}, "Only publishers"), ({}, "Editors")):
            page = signed_in.post(f"{PAGE}/labels/staging/protect", sent, follow=True).text
            assert f"{word} move" in page
        assert signed_in.post(f"{PAGE}/labels/live/protect", {}).status_code == 404


def test_it_is_taken_away_and_its_history_stays(signed_in: Client, refunds: Catalog) -> None:
    base = staged(refunds).pk
    form = {"base": base, "reason": "Tested enough"}
    assert signed_in.post(f"{PAGE}/labels/staging/remove", form).status_code == 302
    assert places(refunds) == {"live": 1}
    page = signed_in.get(f"{PAGE}/labels/staging").text
    assert "It is away." in page
    assert "Tested enough" in page
    assert "away, from version 2" in page
    assert signed_in.post(f"{PAGE}/labels/live/remove", form).status_code in (404, 409)
