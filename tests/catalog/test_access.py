"""Roles: what they are compared by, who sees which catalog, and who gives them."""

from importlib import import_module
from io import StringIO

import pytest
from django.apps import apps
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import IntegrityError
from pytest_django import DjangoAssertNumQueries

from catalog.access import NEEDS, Action, Role, RoleTooLow, may, may_make_catalogs, require, role_in
from catalog.members import LastAdministrator, make_catalog, set_role
from catalog.models import Catalog, Membership
from tests.drafts import empty_catalog
from tests.members import member

pytestmark = pytest.mark.django_db


def seen_by(person: User | AnonymousUser) -> dict[str, Role]:
    return {catalog.name: catalog.role for catalog in Catalog.objects.visible_to(person)}


class TestWhoSeesWhat:
    def test_each_sees_the_catalogs_that_they_are_members_of(self) -> None:
        one, two = empty_catalog("one"), empty_catalog("two")
        eva, ida = member(one, Role.VIEWER), member(two, Role.ADMINISTRATOR, name="ida")
        Membership.objects.create(catalog=two, user=eva, role=Role.EDITOR)
        assert seen_by(eva) == {"one": Role.VIEWER, "two": Role.EDITOR}
        assert seen_by(ida) == {"two": Role.ADMINISTRATOR}

    def test_a_superuser_administers_all(self) -> None:
        one = empty_catalog("one")
        empty_catalog("two")
        root = User.objects.create_superuser("root")
        Membership.objects.create(catalog=one, user=root, role=Role.VIEWER)
        assert seen_by(root) == {"one": Role.ADMINISTRATOR, "two": Role.ADMINISTRATOR}

    def test_nobody_sees_an_archived_catalog(self) -> None:
        gone = empty_catalog("gone")
        eva, root = member(gone, Role.ADMINISTRATOR), User.objects.create_superuser("root")
        Catalog.objects.update(archived=True)
        assert seen_by(eva) == seen_by(root) == {}
        assert role_in(eva, gone) is role_in(root, gone) is None

    def test_whoever_is_not_active_sees_nothing(self) -> None:
        eva = member(empty_catalog(), Role.ADMINISTRATOR)
        eva.is_active = False
        root = User(username="root", is_superuser=True, is_active=False)
        assert seen_by(eva) == seen_by(root) == seen_by(AnonymousUser()) == {}
        assert not any(may_make_catalogs(person) for person in (eva, root, AnonymousUser()))

    def test_the_role_comes_with_the_catalog(
        self, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        eva = member(empty_catalog(), Role.PUBLISHER)
        with django_assert_num_queries(1):
            (found,) = Catalog.objects.visible_to(eva)
            assert may(found, Action.PUBLISH)
            assert not may(found, Action.KEYS)

    def test_those_with_a_role_too_low_can_be_left_out(self) -> None:
        one, two = empty_catalog("one"), empty_catalog("two")
        eva = member(one, Role.PUBLISHER)
        Membership.objects.create(catalog=two, user=eva, role=Role.ADMINISTRATOR)
        found = Catalog.objects.visible_to(eva, role=Role.ADMINISTRATOR)
        assert [catalog.name for catalog in found] == ["two"]

    def test_a_catalog_that_was_read_for_nobody_has_no_role(self) -> None:
        with pytest.raises(AttributeError):
            require(empty_catalog(), Role.VIEWER)


class TestRoles:
    def test_they_are_ordered(self) -> None:
        assert Role.VIEWER < Role.EDITOR < Role.PUBLISHER < Role.ADMINISTRATOR

    def test_every_action_needs_one(self) -> None:
        assert set(NEEDS) == set(Action)

    def test_too_low_a_role_says_which_it_needs(self) -> None:
        eva = member(empty_catalog("desk"), Role.EDITOR)
        with pytest.raises(RoleTooLow, match="“publisher” in desk, and yours is “editor”"):
            require(Catalog.objects.visible_to(eva).get(), Role.PUBLISHER)

    @pytest.mark.parametrize("role", [0, 11, 50])
    def test_the_database_knows_no_other(self, role: int) -> None:
        catalog, eva = empty_catalog(), User.objects.create_user("eva")
        with pytest.raises(IntegrityError, match="membership_role_is_known"):
            Membership.objects.create(catalog=catalog, user=eva, role=role)

    def test_a_person_has_one_in_a_catalog(self) -> None:
        catalog = empty_catalog()
        eva = member(catalog, Role.VIEWER)
        with pytest.raises(IntegrityError):
            Membership.objects.create(catalog=catalog, user=eva, role=Role.EDITOR)


class TestMakingCatalogs:
    @pytest.mark.parametrize(
        ("role", "allowed"),
        [(None, False), (Role.VIEWER, False), (Role.EDITOR, True), (Role.ADMINISTRATOR, True)],
    )
    def test_it_takes_the_role_of_an_editor_somewhere(
        self, role: Role | None, allowed: bool
    ) -> None:
        assert may_make_catalogs(member(empty_catalog(), role)) is allowed

    def test_the_maker_becomes_its_administrator(self) -> None:
        eva = member(None, None)
        made = make_catalog(catalog=Catalog(name="desk", title="Desk"), by=eva)
        with pytest.raises(ValidationError):
            make_catalog(catalog=Catalog(name="desk", title="Sent twice"), by=eva)
        assert role_in(eva, made) is Role.ADMINISTRATOR


class TestGivingRoles:
    def test_one_is_put_in_the_place_of_the_other(self) -> None:
        catalog = empty_catalog()
        member(catalog, Role.ADMINISTRATOR, name="ida")
        eva = member(None, None)
        for role in (Role.VIEWER, Role.ADMINISTRATOR, Role.EDITOR, None):
            set_role(catalog=catalog, user=eva, role=role)
            assert role_in(eva, catalog) is role

    @pytest.mark.parametrize("role", [None, Role.PUBLISHER])
    def test_the_last_administrator_stays_one(self, role: Role | None) -> None:
        catalog = empty_catalog()
        eva = member(catalog, Role.ADMINISTRATOR)
        idle = member(catalog, Role.ADMINISTRATOR, name="idle")
        User.objects.filter(pk=idle.pk).update(is_active=False)
        with pytest.raises(LastAdministrator):
            set_role(catalog=catalog, user=eva, role=role)
        assert role_in(eva, catalog) is Role.ADMINISTRATOR
        User.objects.create_superuser("root")
        set_role(catalog=catalog, user=eva, role=role)
        assert role_in(eva, catalog) is role

    def test_the_first_member_of_a_catalog_may_be_anything(self) -> None:
        catalog, eva = empty_catalog(), member(None, None)
        set_role(catalog=catalog, user=eva, role=Role.VIEWER)
        assert role_in(eva, catalog) is Role.VIEWER


def command(*words: str) -> list[str]:
    out = StringIO()
    call_command("member", *words, stdout=out)
    return out.getvalue().splitlines()


class TestTheCommand:
    def test_it_gives_and_takes(self) -> None:
        catalog, eva = empty_catalog("desk"), member(None, None)
        assert command("desk", "eva", "publisher") == ["eva has the role publisher in desk."]
        assert role_in(eva, catalog) is Role.PUBLISHER
        assert command("desk", "eva", "none") == ["eva has no role in desk."]
        assert role_in(eva, catalog) is None

    def test_it_makes_an_account_with_a_password(self) -> None:
        catalog = empty_catalog("desk")
        password = command("desk", "eva", "editor", "--new")[-1]
        eva = User.objects.get(username="eva")
        assert eva.check_password(password)
        assert len(password) == 16
        assert (eva.is_superuser, eva.is_staff) == (False, False)
        assert role_in(eva, catalog) is Role.EDITOR

    def test_it_says_what_a_role_adds_to_a_superuser(self) -> None:
        empty_catalog("desk")
        User.objects.create_superuser("root")
        assert "every catalog" in command("desk", "root", "viewer")[-1]

    @pytest.mark.parametrize(
        ("words", "why"),
        [
            (("nowhere", "eva", "viewer"), "There is no catalog “nowhere”"),
            (("desk", "noa", "viewer"), "There is no account “noa”"),
            (("desk", "eva", "owner"), "invalid choice: 'owner'"),
            (
                ("desk", "eva", "viewer", "--new"),
                "an account “eva” already: leave --new out",
            ),
            (("desk", "e va", "viewer", "--new"), "Enter a valid username"),
            (("desk", "eva", "none"), "eva is the last administrator of desk"),
        ],
    )
    def test_what_cannot_be_changes_nothing(self, words: tuple[str, ...], why: str) -> None:
        catalog = empty_catalog("desk")
        eva = member(catalog, Role.ADMINISTRATOR)
        with pytest.raises(CommandError, match=why):
            command(*words)
        assert [(user.username, role_in(user, catalog)) for user in User.objects.all()] == [
            ("eva", Role.ADMINISTRATOR)
        ]
        assert role_in(eva, catalog) is Role.ADMINISTRATOR


def test_whoever_could_do_everything_before_still_can() -> None:
    for name in ("one", "two"):
        empty_catalog(name)
    eva, gone = member(None, None), member(None, None, name="gone")
    User.objects.filter(pk=gone.pk).update(is_active=False)
    migration = import_module("catalog.migrations.0004_members_of_before")
    migration.keep_rights(apps, None)
    migration.keep_rights(apps, None)
    assert seen_by(eva) == {"one": Role.ADMINISTRATOR, "two": Role.ADMINISTRATOR}
    assert not Membership.objects.filter(user=gone).exists()
