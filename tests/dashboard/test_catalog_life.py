"""A catalog is copied, archived, brought back and deleted."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from catalog.freezing import freeze
from catalog.models import AuditEntry, Catalog, Membership
from catalog.roles import Role
from routing import ending, jobs
from routing.keys import make_key
from routing.models import ApiKey, Run, Span
from tests.eventful import eventful_run
from tests.members import client_of, member
from tests.samples import published

HOME = "/catalogs/refunds"


@pytest.fixture
def refunds(db: None, settings: Any) -> Catalog:
    settings.ENCODER = "none"
    return published("refunds")


class TestCopying:
    def test_a_copy_that_is_asked_for_twice_at_once_is_made_once(
        self, signed_in: Client, refunds: Catalog, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delattr("dashboard.forms.catalogs.CloneForm.clean_name")
        form = {"name": "refunds", "title": "Rebates", "begins_with": "draft"}
        told = signed_in.post(f"{HOME}/clone", form)
        assert told.status_code == 422
        assert "There is a catalog of this name already." in told.text
        assert Catalog.objects.get().title == refunds.title

    def test_a_copy_says_the_same_and_begins_anew(self, refunds: Catalog) -> None:
        text = {"keep_text": False, "redact_text": True, "redactions": "x", "text_days": 9}
        Catalog.objects.filter(pk=refunds.pk).update(**text)
        refunds.tools.filter(name="read_order").update(description="Only in the draft.")
        eva = member(refunds, Role.EDITOR)
        member(refunds, Role.ADMINISTRATOR, name="ada")
        form = {"name": "rebates", "title": "Rebates", "begins_with": "draft"}

        assert client_of(eva).post(f"{HOME}/clone", form).status_code == 302

        made = Catalog.objects.get(name="rebates")
        theirs, ours = freeze(refunds), freeze(made)
        assert ours == {**theirs, "catalog": "rebates", "title": "Rebates", "tools": ours["tools"]}
        assert [{**tool, "revision": 1} for tool in theirs["tools"]] == ours["tools"]
        assert (made.versions.count(), made.label_moves.count()) == (0, 0)
        assert {name: getattr(made, name) for name in text} == text
        roles = Membership.objects.filter(catalog=made).values_list("user__username", "role")
        assert list(roles) == [("eva", Role.ADMINISTRATOR)]
        assert AuditEntry.objects.filter(catalog=made, action="clone", note="refunds@draft")

    def test_it_begins_with_any_version(self, signed_in: Client, refunds: Catalog) -> None:
        refunds.tools.filter(name="read_order").update(description="Only in the draft.")
        form = {"name": "rebates", "title": "Rebates", "begins_with": "1"}
        assert signed_in.post(f"{HOME}/clone", form).status_code == 302
        made = Catalog.objects.get(name="rebates")
        assert freeze(made)["tools"] == refunds.versions.get().parsed()["tools"]

    @pytest.mark.parametrize("name", ["refunds", "old", "No Name", ""])
    def test_a_name_that_is_taken_or_none_is_said(
        self, signed_in: Client, refunds: Catalog, name: str
    ) -> None:
        Catalog.objects.create(name="old", title="Old", archived=True)
        form = {"name": name, "title": "Rebates", "begins_with": "draft"}
        told = signed_in.post(f"{HOME}/clone", form)
        assert told.status_code == 422
        assert "invalid-feedback" in told.text

    def test_who_only_reads_makes_none(self, refunds: Catalog) -> None:
        eva = client_of(member(refunds, Role.VIEWER))
        assert eva.get(f"{HOME}/clone").status_code == 403


class TestArchiving:
    def test_it_is_not_there_for_agents_and_comes_back_as_it_was(
        self, signed_in: Client, client: Client, refunds: Catalog
    ) -> None:
        made = make_key(name="agent", now=timezone.now(), catalogs=[refunds])
        bearer = {"Authorization": f"Bearer {made.token}"}
        api = "/api/v1/catalogs/refunds"
        assert client.get(api, headers=bearer).status_code == 200

        assert signed_in.post(f"{HOME}/archive", {"reason": "Retired"}).status_code == 302
        for path in (api, f"{api}@1", f"{api}/document"):
            assert client.get(path, headers=bearer).status_code == 404
        assert client.get("/api/v1/catalogs", headers=bearer).json() == {"catalogs": []}
        assert signed_in.get(f"{HOME}/versions").status_code == 404
        page = signed_in.get("/catalogs/").text
        assert "Archived" in page
        assert 'action="/catalogs/refunds/unarchive"' in page
        entry = AuditEntry.objects.get(action="archive")
        assert (entry.note, entry.catalog_name) == ("Retired", "refunds")

        assert signed_in.post(f"{HOME}/unarchive").status_code == 302
        assert client.get(api, headers=bearer).status_code == 200
        assert ApiKey.objects.get().catalogs.get() == refunds

    def test_runs_that_began_get_no_further(self, client: Client, refunds: Catalog) -> None:
        made = make_key(name="agent", now=timezone.now(), catalogs=[refunds])
        eventful_run(refunds, key=made.key, tool="issue_refund", now=timezone.now())
        run = Run.objects.get().run_id
        Catalog.objects.update(archived=True)
        asked = client.get(f"/api/v1/runs/{run}", HTTP_AUTHORIZATION=f"Bearer {made.token}")
        assert asked.status_code == 404

    def test_only_administrators_see_what_is_archived(self, refunds: Catalog) -> None:
        ending.archive(catalog=refunds, now=timezone.now())
        eva = client_of(member(refunds, Role.PUBLISHER))
        assert "refunds" not in eva.get("/catalogs/").text
        assert eva.post(f"{HOME}/unarchive").status_code == 403
        ada = client_of(member(refunds, Role.ADMINISTRATOR, name="ada"))
        assert "refunds" in ada.get("/catalogs/").text


class TestDeleting:
    def test_all_goes_but_keys_and_the_audit_log(
        self, signed_in: Client, user: User, refunds: Catalog
    ) -> None:
        now = timezone.now()
        key = make_key(name="agent", now=now, catalogs=[refunds]).key
        eventful_run(refunds, key=key, tool="issue_refund", now=now)
        page = signed_in.get(f"{HOME}/delete").text
        assert "1 run with its spans" in page
        assert "1 key, without this catalog; 1 of them reaches nothing then" in page

        assert signed_in.post(f"{HOME}/delete", {"name": "refunds"}).status_code == 302

        assert not Catalog.objects.exists()
        assert not Span.objects.exists()
        assert list(ApiKey.objects.get().catalogs.all()) == []
        last = AuditEntry.objects.get(action="delete")
        assert (last.catalog, last.catalog_name, last.by) == (None, "refunds", user)
        assert AuditEntry.objects.filter(catalog=None, action="archive").exists()

    @pytest.mark.parametrize("name", ["", "Refunds", "refund", "other"])
    def test_its_name_must_be_typed(self, signed_in: Client, refunds: Catalog, name: str) -> None:
        told = signed_in.post(f"{HOME}/delete", {"name": name})
        assert told.status_code == 422
        assert Catalog.objects.get(pk=refunds.pk).archived is False

    def test_an_archived_one_is_deleted_from_the_list(
        self, signed_in: Client, refunds: Catalog
    ) -> None:
        ending.archive(catalog=refunds, now=timezone.now())
        assert signed_in.get(f"{HOME}/delete").status_code == 200
        assert signed_in.post(f"{HOME}/delete", {"name": "refunds"}).status_code == 302
        assert not Catalog.objects.exists()

    def test_one_with_many_runs_is_left_to_the_worker(
        self, signed_in: Client, refunds: Catalog, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        now = timezone.now()
        key = make_key(name="agent", now=now, catalogs=[refunds]).key
        eventful_run(refunds, key=key, tool="issue_refund", now=now)
        monkeypatch.setattr(ending, "MOST_RUNS_AT_ONCE", 0)
        page = signed_in.get(f"{HOME}/delete").text
        assert "python manage.py work" in page
        assert signed_in.post(f"{HOME}/delete", {"name": "refunds"}).status_code == 302
        assert Catalog.objects.get().archived
        assert Run.objects.exists()

        jobs.end_catalog.func(refunds.pk)
        assert not Catalog.objects.exists()
        assert not Run.objects.exists()

    def test_who_brings_it_back_stops_the_worker(self, refunds: Catalog) -> None:
        assert ending.delete_catalog(catalog=refunds) is False
        jobs.end_catalog.func(refunds.pk)
        assert Catalog.objects.exists()
