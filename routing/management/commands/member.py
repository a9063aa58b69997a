"""``manage.py member CATALOG USERNAME ROLE``: give a person a role in a catalog, or take it."""

import secrets
from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from catalog.members import LastAdministrator, set_role
from catalog.people import make_account, note_account
from catalog.roles import Role
from routing.management.catalogs import named_catalog

NONE = "none"
_PASSWORD_BITS = 96


class Command(BaseCommand):
    """Say who a person is in a catalog."""

    help = "Give a person a role in a catalog; “none” takes it away."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("catalog")
        parser.add_argument("username")
        parser.add_argument("role", choices=[*(role.name.lower() for role in Role), NONE])
        parser.add_argument(
            "--new",
            action="store_true",
            help="make the account, and print its first password as the last line",
        )

    @transaction.atomic
    def handle(self, **options: Any) -> None:
        """Give or take the role."""
        catalog, username, said = named_catalog(options["catalog"]), options["username"], "no role"
        password = secrets.token_urlsafe(_PASSWORD_BITS // 8) if options["new"] else ""
        user = _made(username, password) if password else _found(username)
        role = None if options["role"] == NONE else Role[options["role"].upper()]
        try:
            set_role(catalog=catalog, user=user, role=role)
        except LastAdministrator as last:
            raise CommandError(
                f"{last} is the last administrator of {catalog}: nobody could give roles in it. "
                "Make somebody else one first."
            ) from last
        if role is not None:
            said = f"the role {role.name.lower()}"
        self.stdout.write(f"{username} has {said} in {catalog}.")
        if user.is_superuser:
            self.stdout.write("A superuser is an administrator of every catalog all along.")
        if password:
            self.stdout.write("The password of the new account is shown only now:")
            self.stdout.write(password)


def _found(username: str) -> User:
    user = User.objects.filter(username=username).first()
    if user is None:
        raise CommandError(f"There is no account “{username}”. With --new it is made.")
    return user


def _made(username: str, password: str) -> User:
    if User.objects.filter(username=username).exists():
        raise CommandError(f"There is an account “{username}” already: leave --new out.")
    try:
        user = make_account(username=username)
    except ValidationError as error:
        raise CommandError(" ".join(error.messages)) from error
    user.set_password(password)
    user.save(update_fields=["password"])
    note_account(user, action="account_made")
    return user
