"""People: accounts, roles, and the links that set their passwords."""

import re
from datetime import datetime, timedelta
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from catalog.models import AuditEntry, Catalog, Membership
from catalog.people import set_active
from catalog.roles import Role
from tests.drafts import empty_catalog
from tests.members import client_of, member

LINK = re.compile(r"http://testserver(/welcome/[^/]+/[^/\"<]+)")
NEW = {"new_password1": "seven green herons", "new_password2": "seven green herons"}


@pytest.fixture
def desk(db: None) -> Catalog:
    """Return a catalog with nothing in it."""
    return empty_catalog("desk")


@pytest.fixture
def eva(desk: Catalog) -> User:
    """Return the administrator of the desk."""
    return member(desk, Role.ADMINISTRATOR)


@pytest.fixture
def evas(eva: User) -> Client:
    """Return a client whose requests are eva's."""
    return client_of(eva)


def link_in(response: Any) -> str:
    links = set(LINK.findall(unescape(response.text)))
    assert len(links) == 1
    return str(links.pop())


def role_in(catalog: Catalog, name: str) -> Role | None:
    row = Membership.objects.filter(catalog=catalog, user__username=name).first()
    return Role(row.role) if row else None


def follow(link: str, client: Client | None = None) -> tuple[Client, Any]:
    """Open a link in another browser and send a password; return what came of it."""
    client = client or Client()
    opened = client.get(link)
    path = opened["Location"] if opened.status_code == 302 else link
    return client, client.post(path, NEW)


class TestAdding:
    def test_by_exact_name_or_address_in_any_letter_case(self, desk: Catalog, evas: Client) -> None:
        User.objects.create_user("ida", email="Ida@Example.com")
        form = {"person": "ida@example.COM", "role": Role.EDITOR.value}
        assert evas.post("/catalogs/desk/members", form).status_code == 302
        assert role_in(desk, "ida") is Role.EDITOR

    @pytest.mark.parametrize("said", ["id", "IDA", "ida@example", "@example.com", "twice@x.com"])
    def test_nobody_is_found_by_a_part_or_where_two_would_be(
        self, desk: Catalog, evas: Client, said: str
    ) -> None:
        User.objects.create_user("ida", email="ida@example.com")
        for name in ("one", "two"):
            User.objects.create_user(name, email="twice@x.com")
        response = evas.post("/catalogs/desk/members", {"person": said, "role": Role.EDITOR.value})
        assert response.status_code == 422
        assert "ida@example.com" not in response.text.replace(said, "")
        assert desk.memberships.count() == 1

    def test_who_is_a_member_keeps_the_role_that_they_have(
        self, desk: Catalog, evas: Client
    ) -> None:
        member(desk, Role.PUBLISHER, name="ida")
        form = {"person": "ida", "role": Role.VIEWER.value}
        answer = evas.post("/catalogs/desk/members", form, follow=True)
        assert "Somebody else changed the role of ida meanwhile" in unescape(answer.text)
        assert role_in(desk, "ida") is Role.PUBLISHER


class TestChanging:
    def change(self, evas: Client, person: User, **form: Any) -> Any:
        path = f"/catalogs/desk/members/{person.pk}"
        return evas.post(path, {"was": Role.ADMINISTRATOR.value, **form}, follow=True)

    def test_a_role_that_was_changed_meanwhile_is_not_overwritten(
        self, desk: Catalog, evas: Client
    ) -> None:
        ida = member(desk, Role.PUBLISHER, name="ida")
        answer = self.change(evas, ida, was=Role.VIEWER.value, role=Role.EDITOR.value)
        assert "Somebody else changed the role of ida meanwhile" in unescape(answer.text)
        assert role_in(desk, "ida") is Role.PUBLISHER
        self.change(evas, ida, was=Role.PUBLISHER.value, role=Role.EDITOR.value)
        assert role_in(desk, "ida") is Role.EDITOR

    def test_the_last_administrator_stays(self, desk: Catalog, eva: User, evas: Client) -> None:
        answer = self.change(evas, eva, role=Role.VIEWER.value, sure="on")
        assert "eva is the last administrator of desk" in unescape(answer.text)
        evas.post(f"/catalogs/desk/members/{eva.pk}/remove")
        assert role_in(desk, "eva") is Role.ADMINISTRATOR

    def test_ones_own_role_is_lowered_only_knowingly(
        self, desk: Catalog, eva: User, evas: Client
    ) -> None:
        member(desk, Role.ADMINISTRATOR, name="ida")
        assert 'id="own-role"' in evas.get(f"/catalogs/desk/members/{eva.pk}").text
        answer = self.change(evas, eva, role=Role.EDITOR.value)
        assert answer.status_code == 422
        assert "say that you mean it" in answer.text
        assert role_in(desk, "eva") is Role.ADMINISTRATOR
        answer = self.change(evas, eva, role=Role.EDITOR.value, sure="on")
        # Who is no administrator any more lands where they may be.
        assert answer.redirect_chain[-1][0] == desk.get_absolute_url()
        assert answer.status_code == 200
        assert role_in(desk, "eva") is Role.EDITOR

    def test_a_superusers_role_is_changed_by_superusers_alone(
        self, desk: Catalog, evas: Client, signed_in: Client, user: User
    ) -> None:
        Membership.objects.create(catalog=desk, user=user, role=Role.EDITOR)
        form = {"was": Role.EDITOR.value, "role": Role.VIEWER.value}
        answer = self.change(evas, user, **form)
        assert "only superusers change their roles" in unescape(answer.text)
        evas.post(f"/catalogs/desk/members/{user.pk}/remove")
        assert role_in(desk, "ana") is Role.EDITOR
        self.change(signed_in, user, **form)
        assert role_in(desk, "ana") is Role.VIEWER

    def test_nobody_of_another_catalog_is_there(self, evas: Client) -> None:
        ida = member(empty_catalog("harbour"), Role.EDITOR, name="ida")
        for path in ("", "/remove", "/link"):
            assert evas.get(f"/catalogs/desk/members/{ida.pk}{path}").status_code == 404
        assert evas.get(f"/catalogs/desk/members/{10**20}").status_code == 404


class TestTheLink:
    def new(self, evas: Client, **form: Any) -> Any:
        said = {"username": "ida", "email": "", "role": Role.EDITOR.value, **form}
        return evas.post("/catalogs/desk/members/new", said)

    def test_it_sets_the_password_once_and_signs_in(self, desk: Catalog, evas: Client) -> None:
        response = self.new(evas)
        link = link_in(response)
        assert "no-store" in response["Cache-Control"]
        assert role_in(desk, "ida") is Role.EDITOR
        browser, answer = follow(link)
        assert answer["Location"] == "/"
        assert browser.get("/catalogs/desk/tools").status_code == 200
        assert Client().login(username="ida", password=NEW["new_password1"])
        # A second time, in any browser, it opens nothing.
        again, answer = follow(link)
        assert "This link works no more" in answer.text
        assert again.get("/").status_code == 302
        assert "password" not in again.get(link).text.partition("<form")[1]

    def test_the_token_stands_in_no_address_that_a_page_could_tell(self, evas: Client) -> None:
        link = link_in(self.new(evas))
        assert Client().get(link)["Location"].endswith("/set-password")

    def test_it_ends_with_its_time(
        self, evas: Client, monkeypatch: pytest.MonkeyPatch, settings: Any
    ) -> None:
        link = link_in(self.new(evas))
        late = datetime.now() + timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT + 1)  # noqa: DTZ005
        monkeypatch.setattr(default_token_generator, "_now", lambda: late)
        assert "This link works no more" in follow(link)[1].text

    def test_it_ends_with_a_newer_one_and_with_the_account(
        self, desk: Catalog, evas: Client
    ) -> None:
        first = link_in(self.new(evas))
        ida = User.objects.get(username="ida")
        second = link_in(evas.post(f"/catalogs/desk/members/{ida.pk}/link"))
        assert "This link works no more" in follow(first)[1].text
        User.objects.filter(pk=ida.pk).update(is_active=False)
        assert "This link works no more" in follow(second)[1].text

    def test_an_administrator_makes_none_for_who_was_here_or_is_elsewhere(
        self, desk: Catalog, evas: Client, user: User
    ) -> None:
        link = link_in(self.new(evas))
        ida = User.objects.get(username="ida")
        path = f"/catalogs/desk/members/{ida.pk}/link"
        assert evas.get(path).status_code == 200
        elsewhere = Membership.objects.create(
            catalog=empty_catalog("harbour"), user=ida, role=Role.VIEWER
        )
        assert evas.post(path).status_code == 403
        elsewhere.delete()
        follow(link)
        assert evas.post(path).status_code == 403
        Membership.objects.create(catalog=desk, user=user, role=Role.VIEWER)
        assert evas.post(f"/catalogs/desk/members/{user.pk}/link").status_code == 403
        assert User.objects.get(username="ana").has_usable_password()

    @pytest.mark.parametrize("form", [{"username": "EVA"}, {"username": "a b"}, {"email": "x"}])
    def test_an_account_that_could_be_taken_for_another_is_not_made(
        self, evas: Client, form: dict[str, str]
    ) -> None:
        assert self.new(evas, **form).status_code == 422
        assert User.objects.count() == 1


class TestEverybody:
    def test_nobody_but_superusers_sees_them(self, evas: Client, eva: User) -> None:
        assert evas.get("/people").status_code == 403
        assert reverse("dashboard:people") not in evas.get("/").text

    def test_who_is_deactivated_is_signed_out_at_once_and_comes_back_with_their_roles(
        self, desk: Catalog, eva: User, evas: Client, signed_in: Client
    ) -> None:
        assert evas.get("/catalogs/desk/tools").status_code == 200
        asked = signed_in.get(f"/people/{eva.pk}/deactivate")
        assert "the only administrator of desk" in unescape(asked.text)
        signed_in.post(f"/people/{eva.pk}/deactivate")
        assert evas.get("/catalogs/desk/tools")["Location"].startswith("/sign-in")
        assert evas.post("/catalogs/desk/members", {})["Location"].startswith("/sign-in")
        signed_in.post(f"/people/{eva.pk}/activate")
        assert role_in(desk, "eva") is Role.ADMINISTRATOR
        assert evas.get("/catalogs/desk/tools").status_code == 200

    def test_what_is_done_to_an_account_is_on_record_here_and_in_its_catalogs(
        self, desk: Catalog, eva: User, signed_in: Client
    ) -> None:
        for _twice in range(2):
            signed_in.post(f"/people/{eva.pk}/deactivate")
        signed_in.post(f"/people/{eva.pk}/activate")
        signed_in.post(f"/people/{eva.pk}/link")
        done = AuditEntry.objects.filter(kind="people").order_by("pk")
        assert [(entry.action, entry.catalog) for entry in done] == [
            (action, catalog)
            for action in ("deactivated", "activated", "link_made")
            for catalog in (None, desk)
        ]
        assert {(entry.subject, entry.by_name) for entry in done} == {("eva", "ana")}
        page = unescape(signed_in.get(f"/people/{eva.pk}").text)
        assert (
            page.index("ana made a link")
            < page.index("ana activated the")
            < page.index("ana deactivated the")
        )

    def test_a_superuser_is_always_left(self, signed_in: Client, user: User) -> None:
        assert signed_in.post(f"/people/{user.pk}/deactivate").status_code == 403
        other = User.objects.create_superuser("root")
        set_active(person=user, active=False, by=other)
        # Ana's request was under way when she was switched off.
        with pytest.raises(PermissionDenied):
            set_active(person=other, active=False, by=user)
        assert User.objects.get(is_active=True) == other

    def test_a_link_ends_the_password_and_the_sessions_that_were(
        self, eva: User, evas: Client, signed_in: Client
    ) -> None:
        eva.set_password("an old password")
        eva.save()
        evas.force_login(eva)
        link = link_in(signed_in.post(f"/people/{eva.pk}/link"))
        assert evas.get("/")["Location"].startswith("/sign-in")
        assert not Client().login(username="eva", password="an old password")
        assert follow(link)[1]["Location"] == "/"

    def test_they_are_found_by_a_part(self, eva: User, signed_in: Client) -> None:
        found = re.findall(r'href="/people/(\d+)"', signed_in.get("/people?q=EV").text)
        assert found == [str(eva.pk)]
        assert "Nobody is called so" in signed_in.get("/people?q=%00nobody").text


def test_an_account_that_is_asked_for_twice_at_once_is_made_once(
    evas: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def made_meanwhile(account: User) -> None:
        User.objects.create(username=account.username)

    monkeypatch.setattr(User, "full_clean", made_meanwhile)
    told = evas.post(
        "/catalogs/desk/members/new", {"username": "nora", "role": str(Role.VIEWER.value)}
    )
    assert told.status_code == 422
    assert "There is an account of this name already." in told.text
    assert User.objects.filter(username="nora").count() == 1
