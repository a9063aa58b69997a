"""The page of versions: what would change, publishing it, what was published, rolling back."""

import hashlib
import json
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from catalog.models import Catalog, GroupTool
from catalog.publishing import freeze_and_check
from routing.models import LabelMove
from routing.moves import current_move
from routing.releases import publish, roll_back
from tests.drafts import big_catalog, draft_of, empty_catalog
from tests.samples import NOW, published

PAGE = "/catalogs/refunds/versions"


@pytest.fixture
def refunds(db: None) -> Catalog:
    return published("refunds")


def move_tool(catalog: Catalog, tool: str, *, to: str) -> None:
    """Move a tool to another group of the draft."""
    GroupTool.objects.filter(group__catalog=catalog, tool__name=tool).delete()
    GroupTool.objects.create(
        group=catalog.groups.get(name=to), tool=catalog.tools.get(name=tool), position=9
    )


def describe(catalog: Catalog, text: str) -> None:
    """Change the draft by a word."""
    catalog.tools.filter(name="read_order").update(description=text)


def seen(client: Client, page: str = PAGE) -> dict[str, str]:
    """Return what the form of a page carries of the state of things that it was drawn from."""
    html = client.get(page).text
    return {
        name: match[1] if (match := re.search(f'name="{name}" value="([^"]*)"', html)) else ""
        for name in ("base", "reviewed")
    }


def post(client: Client, form: dict[str, str], *, note: str = "") -> Any:
    return client.post(PAGE, {**form, "note": note})


def publish_by(name: str, catalog: Catalog, *, note: str = "Quick") -> None:
    """Publish the draft as somebody else would meanwhile."""
    other, _made = User.objects.get_or_create(username=name)
    move = current_move(catalog)
    publish(catalog=catalog, author=other, now=NOW, note=note, base=move.pk if move else None)


def back_to(number: int, catalog: Catalog) -> None:
    """Roll back as somebody else would meanwhile."""
    move = current_move(catalog)
    assert move is not None
    roll_back(catalog=catalog, version=number, by=None, reason="", base=move.pk, now=NOW)


def live(catalog: Catalog) -> int:
    move = current_move(catalog)
    assert move is not None
    return move.release.version.number


class TestTheDraft:
    def test_it_is_told_in_words_against_what_is_live(
        self, signed_in: Client, refunds: Catalog
    ) -> None:
        move_tool(refunds, "search_refund_policy", to="orders")
        page = signed_in.get(PAGE).text
        assert "The draft against version 1, which is live" in page
        assert "“search_refund_policy” joined; it came from “refunds”." in page
        assert "“search_refund_policy” left for “orders”." in page
        assert 'href="/catalogs/refunds/groups/orders"' in page

    def test_settings_lead_to_their_page(self, signed_in: Client, refunds: Catalog) -> None:
        Catalog.objects.filter(pk=refunds.pk).update(threshold=0.7)
        assert 'href="/catalogs/refunds/settings"' in signed_in.get(PAGE).text

    def test_what_went_and_came_stands_under_the_sentence(
        self, signed_in: Client, refunds: Catalog
    ) -> None:
        describe(refunds, "Return <b>one</b> order.")
        page = signed_in.get(PAGE).text
        assert "The description changed." in page
        assert "Return &lt;b&gt;one&lt;/b&gt; order.</ins>" in page
        assert "</del>" in page
        assert "<b>one" not in page

    def test_nothing_to_publish_is_said(self, signed_in: Client, refunds: Catalog) -> None:
        page = signed_in.get(PAGE).text
        assert "Nothing to publish: the draft is what is live." in page
        assert re.search(r'<button[^>]*type="submit" disabled>', page)

    def test_a_draft_never_published_is_all_new(self, signed_in: Client, user: User) -> None:
        draft_of("refunds")
        page = signed_in.get(PAGE).text
        assert "The draft: nothing is published yet" in page
        assert "A tool was added." in page
        assert "Nothing is published yet." in page

    def test_a_draft_that_is_the_newest_version_but_not_live(
        self, signed_in: Client, refunds: Catalog
    ) -> None:
        move_tool(refunds, "search_refund_policy", to="orders")
        publish_by("eva", refunds)
        back_to(1, refunds)
        assert "The draft says what version 2 says." in signed_in.get(PAGE).text
        assert post(signed_in, seen(signed_in)).status_code == 302
        assert (live(refunds), refunds.versions.count()) == (2, 2)

    def test_a_draft_that_was_changed_back_is_what_it_was(
        self, signed_in: Client, refunds: Catalog
    ) -> None:
        old = refunds.tools.get(name="read_order").description
        describe(refunds, "Other.")
        publish_by("eva", refunds)
        back_to(1, refunds)
        describe(refunds, old)
        assert "Nothing to publish: the draft is what is live." in signed_in.get(PAGE).text

    def test_each_problem_leads_to_where_it_is_mended(
        self, signed_in: Client, refunds: Catalog
    ) -> None:
        refunds.tools.filter(name="issue_refund").update(always_on=True)
        refunds.tools.filter(name="read_order").update(is_default=False)
        page = signed_in.get(PAGE).text
        # A destructive tool always on, and two routes with no default tool left.
        assert "3 problems stop a publish" in page
        assert '<a href="/catalogs/refunds/tools/issue_refund">Tool issue_refund</a>' in page
        assert '<a href="/catalogs/refunds/routes/order_status">Route order_status</a>' in page

    def test_another_version_can_be_compared_with_it(
        self, signed_in: Client, refunds: Catalog
    ) -> None:
        describe(refunds, "Second.")
        publish_by("eva", refunds)
        against_live = signed_in.get(f"{PAGE}/draft").text
        assert "They say the same." in against_live
        assert "Second.</ins>" in signed_in.get(f"{PAGE}/draft?against=1").text
        for nonsense in ("7", "x", "-1", "9" * 30, "%00"):
            assert signed_in.get(f"{PAGE}/draft?against={nonsense}").status_code == 404


class TestPublishing:
    def test_the_draft_goes_live_with_its_note(
        self, signed_in: Client, user: User, refunds: Catalog
    ) -> None:
        describe(refunds, "Second.")
        response = post(signed_in, seen(signed_in), note="Said better")
        assert (response.status_code, response["Location"]) == (302, PAGE)
        move = current_move(refunds)
        assert move is not None
        assert (move.release.version.number, move.by, move.reason) == (2, user, "Said better")
        assert move.release.version.note == "Said better"
        page = signed_in.get(PAGE).text
        assert "Version 2 is live (release 2)." in page
        assert "Said better" in page

    def test_the_first_version_has_no_move_before_it(self, signed_in: Client, user: User) -> None:
        catalog = draft_of("refunds")
        assert post(signed_in, seen(signed_in)).status_code == 302
        assert live(catalog) == 1

    def test_an_unchanged_draft_makes_nothing(self, signed_in: Client, refunds: Catalog) -> None:
        response = signed_in.post(PAGE, {**seen(signed_in), "note": "Again"}, follow=True)
        assert "Nothing to publish: the draft is what is live." in response.text
        assert refunds.versions.count() == 1
        assert LabelMove.objects.count() == 1

    def test_the_second_of_two_is_told_and_loses_nothing(
        self, signed_in: Client, refunds: Catalog
    ) -> None:
        describe(refunds, "Mine.")
        form = seen(signed_in)
        publish_by("eva", refunds, note="Eva was quicker")
        describe(refunds, "Mine, and longer.")
        response = post(signed_in, form, note="My own words")
        assert response.status_code == 409
        assert "eva put version 2 live on 4 Mar 2026, 12:00" in response.text
        assert "Eva was quicker" in response.text
        assert "My own words</textarea>" in response.text
        assert "Mine, and longer.</ins>" in response.text
        assert live(refunds) == 2
        fresh = dict(re.findall(r'name="(base|reviewed)" value="([^"]*)"', response.text))
        assert post(signed_in, fresh, note="My own words").status_code == 302
        assert live(refunds) == 3

    def test_a_draft_that_changed_meanwhile_is_shown_first(
        self, signed_in: Client, refunds: Catalog
    ) -> None:
        describe(refunds, "Read.")
        form = seen(signed_in)
        describe(refunds, "Never read by anybody.")
        response = post(signed_in, form, note="My own words")
        assert response.status_code == 409
        assert "The draft was changed after you opened this page." in response.text
        assert "Never read by anybody.</ins>" in response.text
        assert "My own words</textarea>" in response.text
        assert live(refunds) == 1

    def test_a_draft_with_problems_is_refused(self, signed_in: Client, refunds: Catalog) -> None:
        refunds.tools.filter(name="issue_refund").update(always_on=True)
        response = post(signed_in, seen(signed_in), note="My own words")
        assert response.status_code == 422
        assert "1 problem stops a publish" in response.text
        assert "My own words</textarea>" in response.text
        assert live(refunds) == 1

    def test_new_warnings_ask_for_a_reason_once(self, signed_in: Client, refunds: Catalog) -> None:
        describe(refunds, "")
        response = post(signed_in, seen(signed_in), note=" ")
        assert response.status_code == 422
        assert "1 new warning asks for a reason" in response.text
        assert "Tool read_order: The tool has no description" in response.text
        assert "Say why it goes live in spite of the new warnings." in response.text
        assert live(refunds) == 1
        assert post(signed_in, seen(signed_in), note="A trial").status_code == 302
        move_tool(refunds, "search_refund_policy", to="orders")
        assert "asks for a reason" not in signed_in.get(PAGE).text
        assert post(signed_in, seen(signed_in)).status_code == 302
        assert live(refunds) == 3

    def test_a_note_too_long_is_said_beside_it(self, signed_in: Client, refunds: Catalog) -> None:
        describe(refunds, "Second.")
        response = post(signed_in, seen(signed_in), note="x" * 501)
        assert response.status_code == 422
        assert 'aria-invalid="true"' in response.text
        assert live(refunds) == 1

    @pytest.mark.parametrize("form", [{}, {"base": "x", "reviewed": "y"}, {"base": "1"}])
    def test_a_form_that_was_tampered_with_publishes_nothing(
        self, signed_in: Client, refunds: Catalog, form: dict[str, str]
    ) -> None:
        describe(refunds, "Second.")
        assert post(signed_in, form).status_code == 422
        assert live(refunds) == 1


class TestVersions:
    def test_a_version_tells_what_it_changed(self, signed_in: Client, refunds: Catalog) -> None:
        describe(refunds, "Second.")
        publish_by("eva", refunds, note="Said better")
        page = signed_in.get(f"{PAGE}/2").text
        assert "What it changed against version 1" in page
        assert "Second.</ins>" in page
        assert "by eva." in page
        assert "The first version: everything is new" in signed_in.get(f"{PAGE}/1").text

    def test_any_two_can_be_compared(self, signed_in: Client, refunds: Catalog) -> None:
        for text in ("Second.", "Third."):
            describe(refunds, text)
            publish_by("eva", refunds)
        page = signed_in.get(f"{PAGE}/3?against=1").text
        assert "against version 1" in page
        assert "Third.</ins>" in page
        assert "Second." not in page
        assert "Third.</del>" in signed_in.get(f"{PAGE}/1?against=3").text

    def test_the_download_is_the_canonical_bytes(self, signed_in: Client, refunds: Catalog) -> None:
        version = refunds.versions.get()
        response = signed_in.get(f"{PAGE}/1/document")
        assert response.content == bytes(version.document)
        assert hashlib.sha256(response.content).hexdigest() == version.sha256
        assert json.loads(response.content)["catalog"] == "refunds"
        assert response["Content-Disposition"] == 'attachment; filename="refunds@1.json"'

    @pytest.mark.parametrize("path", ["9", "0", "9/document", "9/roll-back", "9" * 25])
    def test_what_does_not_exist_is_not_found(
        self, signed_in: Client, refunds: Catalog, path: str
    ) -> None:
        assert signed_in.get(f"{PAGE}/{path}").status_code == 404

    @pytest.mark.parametrize("path", ["", "/draft", "/moves", "/1", "/1/document", "/1/roll-back"])
    def test_an_archived_catalog_does_not_exist(
        self, signed_in: Client, refunds: Catalog, path: str
    ) -> None:
        assert signed_in.get(PAGE + path).status_code == 200
        Catalog.objects.update(archived=True)
        assert signed_in.get(PAGE + path).status_code == 404

    def test_nobody_sees_them_without_signing_in(self, client: Client, refunds: Catalog) -> None:
        assert client.get(PAGE)["Location"].startswith("/sign-in")


class TestRollingBack:
    @pytest.fixture
    def two(self, refunds: Catalog) -> Catalog:
        describe(refunds, "Second.")
        publish_by("eva", refunds, note="A mistake")
        return refunds

    def test_it_asks_first_and_shows_what_agents_will_notice(
        self, signed_in: Client, two: Catalog
    ) -> None:
        page = signed_in.get(f"{PAGE}/1/roll-back").text
        assert "from version 2 to 1" in page
        assert "Second.</del>" in page
        assert live(two) == 2

    def test_it_moves_live_and_keeps_the_draft(
        self, signed_in: Client, user: User, two: Catalog
    ) -> None:
        describe(two, "A draft under way.")
        path = f"{PAGE}/1/roll-back"
        form = {"base": seen(signed_in, path)["base"], "reason": "Too many refunds"}
        response = signed_in.post(path, form, follow=True)
        assert "Version 1 is live again." in response.text
        move = current_move(two)
        assert move is not None
        assert (move.release.version.number, move.by, move.reason) == (1, user, form["reason"])
        assert b"A draft under way." in freeze_and_check(two).content
        moves = signed_in.get(f"{PAGE}/moves").text
        assert "from version 2 to 1, release 1" in moves
        assert "Too many refunds" in moves

    def test_a_label_that_moved_meanwhile_is_told(self, signed_in: Client, two: Catalog) -> None:
        path = f"{PAGE}/1/roll-back"
        base = seen(signed_in, path)["base"]
        describe(two, "Third.")
        publish_by("eva", two, note="Mended")
        response = signed_in.post(path, {"base": base, "reason": "Mine"})
        assert response.status_code == 409
        assert "eva put version 3 live" in response.text
        assert "Mine</textarea>" in response.text
        assert live(two) == 3

    def test_a_reason_too_long_moves_nothing(self, signed_in: Client, two: Catalog) -> None:
        path = f"{PAGE}/1/roll-back"
        form = {"base": seen(signed_in, path)["base"], "reason": "x" * 501}
        assert signed_in.post(path, form).status_code == 422
        assert live(two) == 2


class TestSize:
    @pytest.fixture(autouse=True)
    def _no_encoder(self, settings: Any) -> None:
        """Publish without vectors: these pages need none, and many texts take long."""
        settings.ENCODER = "none"

    def test_the_number_of_queries_does_not_grow(self, signed_in: Client, user: User) -> None:
        counts: list[int] = []
        for catalog in (empty_catalog(), big_catalog(tools=60, groups=6)):
            publish_by("eva", catalog)
            for number in range(4 if counts else 1):
                catalog.title = f"Title {number}"
                catalog.save()
                publish_by("eva", catalog)
            page = f"/catalogs/{catalog.name}/versions"
            signed_in.get(page)  # the frame notes which catalog was looked at last
            with CaptureQueriesContext(
                connection,
            ) as queries:
                assert signed_in.get(page).status_code == 200
            counts.append(len(queries))
        assert counts[0] == counts[1]

    def test_a_thousand_changed_tools_make_no_heavy_page(
        self, signed_in: Client, user: User
    ) -> None:
        catalog = big_catalog(tools=1000, groups=100)
        response = signed_in.get(f"/catalogs/{catalog.name}/versions")
        assert len(response.content) < 400_000
        assert "more changed parts</a>" in response.text
        last = signed_in.get(f"/catalogs/{catalog.name}/versions/draft?page=23")
        assert len(last.content) < 400_000

    def test_old_moves_and_versions_are_on_further_pages(
        self, signed_in: Client, user: User
    ) -> None:
        catalog = empty_catalog()
        for number in range(22):
            catalog.title = f"Title {number}"
            catalog.save()
            publish_by("eva", catalog)
        page = "/catalogs/empty/versions"
        assert "empty@22" in signed_in.get(page).text
        assert "empty@2<" not in signed_in.get(page).text
        assert "empty@2<" in signed_in.get(f"{page}?page=2").text
        assert "to version 1, release 1" in signed_in.get(f"{page}/moves").text
