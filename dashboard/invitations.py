"""Links by which a person sets a password: Django's own tokens of a password reset.

A token says its time and is signed over the password that is set: it ends with the first password
that is set by it, or after ``PASSWORD_RESET_TIMEOUT``. Nothing of it is kept.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.db import transaction
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from catalog.people import note_account


@dataclass(frozen=True, slots=True)
class Invitation:
    """A link for one person, known only now: its path, and until when it works."""

    person: User
    path: str
    until: datetime


@transaction.atomic
def invite(*, person: User, now: datetime, by: User, is_new: bool = False) -> Invitation:
    """Make the link that sets a person's password, of a new account or of one that there is.

    What they signed in with before ends: the password, the sessions, and links made earlier.
    """
    person.set_unusable_password()
    person.save(update_fields=["password"])
    note_account(person, action="account_made" if is_new else "link_made", by=by)
    kwargs = {
        "uidb64": urlsafe_base64_encode(force_bytes(person.pk)),
        "token": default_token_generator.make_token(person),
    }
    return Invitation(
        person=person,
        path=reverse("dashboard:set_password", kwargs=kwargs),
        until=now + timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT),
    )
