"""The accounts of people: found by exactly what somebody knows, made, switched off and on."""

import uuid

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from catalog.models import Membership
from catalog.recording import note_deed
from catalog.roles import Role

# The kind of what is done to accounts, in the audit log.
ACCOUNTS = "people"


class NoSuchPerson(Exception):
    """No account has this name or address."""


class SeveralPeople(Exception):
    """Several accounts have this address: only a name tells them apart."""


class OwnAccount(PermissionDenied):
    """Nobody locks themselves out: another superuser does."""


def find_person(said: str) -> User:
    """Return the account whose username, or else whose e-mail, is exactly what was said.

    Never by a part of it: whoever asks must know whom they mean. Letter case counts in a username
    and not in an address. Raises ``NoSuchPerson`` and ``SeveralPeople``.
    """
    named = User.objects.filter(username=said).first()
    if named is not None:
        return named
    addressed = list(User.objects.filter(email__iexact=said)[:2]) if "@" in said else []
    if not addressed:
        raise NoSuchPerson(said)
    if len(addressed) > 1:
        raise SeveralPeople(said)
    return addressed[0]


def make_account(*, username: str, email: str = "") -> User:
    """Make an account that nobody can sign in to until its password is set.

    Raises ``ValidationError``, by field, for what cannot be a username or an address, and where
    another account has either, whatever the letter case: two could be taken for one another.
    """
    user = User(username=username, email=User.objects.normalize_email(email))
    user.set_unusable_password()
    if User.objects.filter(username__iexact=username).exists():
        raise ValidationError({"username": gettext("There is an account of this name already.")})
    if email and User.objects.filter(email__iexact=email).exists():
        raise ValidationError({"email": gettext("There is an account with this address already.")})
    user.full_clean()
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError as taken:  # made by another request since it was looked for
        raise ValidationError(
            {"username": gettext("There is an account of this name already.")}
        ) from taken
    return user


@transaction.atomic
def set_active(*, person: User, active: bool, by: User) -> bool:
    """Switch an account off or on; return whether that changed anything.

    Who is switched off is signed out with the next request, and keeps their roles for later. Raises
    ``OwnAccount`` for one's own, so that a superuser is always left: of two who switch each other
    off at once the second is none any more by then, and gets ``PermissionDenied``.
    """
    if person.pk == by.pk:
        raise OwnAccount(gettext("Nobody deactivates their own account: another superuser does."))
    both = User.objects.select_for_update().filter(pk__in=(person.pk, by.pk)).order_by("pk")
    rows = {one.pk: one for one in both}
    if not (rows[by.pk].is_active and rows[by.pk].is_superuser):
        raise PermissionDenied(gettext("Only superusers see everybody who has an account."))
    changed = User.objects.filter(pk=person.pk, is_active=not active).update(is_active=active)
    if changed:
        note_account(person, action="activated" if active else "deactivated", by=by)
    return bool(changed)


def note_account(person: User, *, action: str, by: User | None = None) -> None:
    """Keep in the audit log what was done to an account: of none, and of each of its catalogs.

    It was done by ``by``, or by whoever is acting.
    """
    operation = uuid.uuid4()
    roles = Membership.objects.filter(user=person).select_related("catalog").order_by("pk")
    for catalog in [None, *(role.catalog for role in roles)]:
        note_deed(
            catalog=catalog,
            action=action,
            kind=ACCOUNTS,
            subject=person.get_username(),
            by=by,
            operation=operation,
        )


def may_get_link(person: User, *, by: User) -> bool:
    """Tell whether somebody may make the link that sets another person's password.

    Whoever holds it becomes that person. So it takes a superuser; an administrator may make it
    only for an account that was never used, and whose every role is in a catalog of theirs.
    """
    if person.pk == by.pk or not person.is_active:
        return False
    if by.is_superuser:
        return True
    if person.is_superuser or person.last_login is not None or person.has_usable_password():
        return False
    roles = Membership.objects.filter(user=person)
    return roles.exists() and not roles.exclude(catalog__in=_administered_by(by)).exists()


def _administered_by(user: User) -> "QuerySet[Membership, int]":
    own = Membership.objects.filter(user=user, role=Role.ADMINISTRATOR)
    return own.values_list("catalog", flat=True)


def people_like(query: str) -> QuerySet[User]:
    """Return the accounts with a text in their name or address, by name; for superusers alone."""
    people = User.objects.order_by("username")
    if not query:
        return people
    return people.filter(
        Q(username__icontains=query) | Q(email__icontains=query) | Q(first_name__icontains=query)
    )


def only_administered_by(person: User) -> list[str]:
    """Return the names of the catalogs in use that have no other active administrator."""
    administer = Membership.objects.filter(role=Role.ADMINISTRATOR, user__is_active=True)
    own = administer.filter(user=person, catalog__archived=False)
    others = administer.exclude(user=person).values("catalog")
    return list(
        own.exclude(catalog__in=others)
        .order_by("catalog__name")
        .values_list("catalog__name", flat=True)
    )
