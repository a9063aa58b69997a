"""The pages that write a whole version into the draft: restored, or taken in from a file."""

import re
from io import BytesIO
from typing import Any

import pytest
from django.test import Client

from catalog.models import Catalog, CatalogVersion, PendingImport
from catalog.roles import Role
from tests.members import client_of, member
from tests.samples import published

PAGE = "/catalogs/refunds/versions"


@pytest.fixture
def refunds(db: None, settings: Any) -> Catalog:
    settings.ENCODER = "none"
    catalog = published("refunds")
    catalog.tools.filter(name="read_order").update(description="Second.")
    return catalog


def description(catalog: Catalog) -> str:
    return catalog.tools.get(name="read_order").description


def reviewed(page: str) -> str:
    match = re.search('name="reviewed" value="([^"]*)"', page)
    assert match
    return match[1]


def send(client: Client, data: bytes, *, sha256: str = "", name: str = "refunds@1.json") -> Any:
    upload = BytesIO(data)
    upload.name = name
    return client.post(f"{PAGE}/file", {"document": upload, "sha256": sha256})


def version_of(catalog: Catalog) -> CatalogVersion:
    return catalog.versions.get()


class TestRestoring:
    def test_what_the_draft_loses_is_shown_first(self, signed_in: Client, refunds: Catalog) -> None:
        page = signed_in.get(f"{PAGE}/1/restore").text
        assert "Second.</del>" in page
        assert "The draft has changes that no version has." in page
        assert description(refunds) == "Second."

        sent = signed_in.post(f"{PAGE}/1/restore", {"reviewed": reviewed(page), "reason": "Back"})
        assert (sent.status_code, sent["Location"]) == (302, PAGE)
        assert description(refunds) != "Second."
        assert "Nothing to publish: the draft is what is live." in signed_in.get(PAGE).text

    def test_a_draft_that_moved_is_shown_again(self, signed_in: Client, refunds: Catalog) -> None:
        seen = reviewed(signed_in.get(f"{PAGE}/1/restore").text)
        refunds.tools.filter(name="read_order").update(description="Third.")
        told = signed_in.post(f"{PAGE}/1/restore", {"reviewed": seen, "reason": "My words"})
        assert told.status_code == 409
        assert "Third.</del>" in told.text
        assert "My words" in told.text
        assert description(refunds) == "Third."

    def test_there_is_no_other_version(self, signed_in: Client, refunds: Catalog) -> None:
        assert signed_in.get(f"{PAGE}/2/restore").status_code == 404


class TestFiles:
    def test_a_version_goes_out_and_comes_in_byte_for_byte(
        self, signed_in: Client, refunds: Catalog
    ) -> None:
        out = signed_in.get(f"{PAGE}/1/document")
        sha256 = version_of(refunds).sha256
        sent = send(signed_in, out.content, sha256=sha256)
        assert sent.status_code == 302
        page = signed_in.get(sent["Location"]).text
        assert "Second.</del>" in page
        assert f"<code>{sha256}</code>" in page
        assert "It is version 1 of this catalog." in page
        assert "Yes: published unchanged, it has this hash here, too." in page

        done = signed_in.post(sent["Location"], {"reviewed": reviewed(page)}, follow=True)
        assert f"published unchanged, it has the SHA-256 {sha256}" in done.text
        assert not PendingImport.objects.exists()

    def test_a_wrong_hash_stops_it(self, signed_in: Client, refunds: Catalog) -> None:
        told = send(signed_in, bytes(version_of(refunds).document), sha256="0" * 64)
        assert told.status_code == 422
        assert "should be 0000" in told.text
        assert not PendingImport.objects.exists()

    @pytest.mark.parametrize("data", [b"[]", b"\xff\xfe", b'{"format": 1}'])
    def test_what_is_no_version_is_refused_with_reasons(
        self, signed_in: Client, refunds: Catalog, data: bytes
    ) -> None:
        told = send(signed_in, data)
        assert told.status_code == 422
        assert "This file is not taken in." in told.text

    def test_what_keeps_it_from_being_the_same_is_said(
        self, signed_in: Client, refunds: Catalog
    ) -> None:
        data = bytes(version_of(refunds).document)
        data = data.replace(b'"catalog":"refunds"', b'"catalog":"rebates"')
        data = data.replace(b'"revision":1', b'"revision":4')
        sent = send(signed_in, data)
        page = signed_in.get(sent["Location"]).text
        assert "It was made by the catalog rebates, and this one is refunds" in page
        assert "read_order: 1 in place of 4" in page
        done = signed_in.post(sent["Location"], {"reviewed": reviewed(page)}, follow=True)
        assert "is not the same byte for byte" in done.text

    def test_a_file_is_seen_by_who_sent_it_alone(self, signed_in: Client, refunds: Catalog) -> None:
        sent = send(signed_in, bytes(version_of(refunds).document))
        eva = client_of(member(refunds, Role.EDITOR))
        assert eva.get(sent["Location"]).status_code == 404


def test_few_files_of_a_person_wait(signed_in: Client, refunds: Catalog) -> None:
    data = bytes(version_of(refunds).document)
    for _file in range(7):
        assert send(signed_in, data).status_code == 302
    assert PendingImport.objects.filter(catalog=refunds).count() == 5


def test_a_version_that_waits_is_no_list_of_tools(signed_in: Client, refunds: Catalog) -> None:
    empty = Catalog.objects.create(name="empty", title="Empty")
    upload = BytesIO(bytes(version_of(refunds).document))
    upload.name = "refunds@1.json"
    waiting = signed_in.post("/catalogs/empty/versions/file", {"document": upload})
    assert waiting.status_code == 302
    assert empty.pending_imports.get().source not in signed_in.get("/catalogs/empty/start").text
