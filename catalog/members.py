"""Give people roles, and take them."""

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext

from catalog.models import Catalog, Membership
from catalog.publishing import lock
from catalog.recording import note_deed
from catalog.roles import Role


class LastAdministrator(Exception):
    """Without this person nobody would be left who can give roles in a catalog."""


class SuperuserOnly(Exception):
    """A superuser's roles are the business of superusers."""


class RoleMoved(Exception):
    """Somebody else gave or took the role meanwhile."""


@transaction.atomic
def make_catalog(*, catalog: Catalog, by: User) -> Catalog:
    """Save a new catalog; who made it becomes its administrator.

    Raises ``ValidationError``, by field, where another request has made one of this name since it
    was looked for.
    """
    try:
        with transaction.atomic():
            catalog.save()
    except IntegrityError as taken:
        raise ValidationError(
            {"name": gettext("There is a catalog of this name already.")}
        ) from taken
    Membership.objects.create(catalog=catalog, user=by, role=Role.ADMINISTRATOR)
    _note(catalog, by, None, Role.ADMINISTRATOR)
    return catalog


@transaction.atomic
def set_role(*, catalog: Catalog, user: User, role: Role | None) -> None:
    """Give a person a role in a catalog in place of the one they have; ``None`` takes it.

    Raises ``LastAdministrator`` where only this person could give roles in it, superusers included;
    nothing has changed then.
    """
    members = Membership.objects.filter(catalog=lock(catalog))
    lowered = role != Role.ADMINISTRATOR and members.filter(user=user, role=Role.ADMINISTRATOR)
    if lowered and not _others_administer(catalog, user):
        raise LastAdministrator(user.get_username())
    was = role_of(user, catalog)
    if role is None:
        members.filter(user=user).delete()
    else:
        members.update_or_create(user=user, defaults={"role": role, "catalog": catalog})
    if was != role:
        _note(catalog, user, was, role)


@transaction.atomic
def change_role(
    *, catalog: Catalog, person: User, was: Role | None, role: Role | None, by: User
) -> None:
    """Give or take a role as somebody who saw ``was`` asks for it.

    Raises ``RoleMoved`` where it is another by now, ``SuperuserOnly`` where the person is a
    superuser and ``by`` is none, and ``LastAdministrator`` as ``set_role`` does.
    """
    if person.is_superuser and not by.is_superuser:
        raise SuperuserOnly(person.get_username())
    if role_of(person, lock(catalog)) != was:
        raise RoleMoved(person.get_username())
    set_role(catalog=catalog, user=person, role=role)


def role_of(person: User, catalog: Catalog) -> Role | None:
    """Return the role that a person was given in a catalog; a superuser may have none."""
    own = Membership.objects.filter(user=person, catalog=catalog).first()
    return Role(own.role) if own else None


def _note(catalog: Catalog, person: User, was: Role | None, role: Role | None) -> None:
    note_deed(
        catalog=catalog,
        action="role_taken" if role is None else "role_given",
        kind="members",
        subject=person.get_username(),
        before=None if was is None else {"role": was.name.lower()},
        after=None if role is None else {"role": role.name.lower()},
    )


def _others_administer(catalog: Catalog, user: User) -> bool:
    people = User.objects.filter(is_active=True)
    members = people.filter(memberships__catalog=catalog, memberships__role=Role.ADMINISTRATOR)
    return members.exclude(pk=user.pk).exists() or people.filter(is_superuser=True).exists()
