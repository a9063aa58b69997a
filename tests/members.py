"""People with a role in a catalog."""

from django.contrib.auth.models import User
from django.test import Client

from catalog.models import Catalog, Membership
from catalog.roles import Role


def member(catalog: Catalog | None, role: Role | None, *, name: str = "eva") -> User:
    """Return a new person with a role in a catalog; without one, who sees no catalog."""
    person = User.objects.create_user(name)
    if catalog is not None and role is not None:
        Membership.objects.create(catalog=catalog, user=person, role=role)
    return person


def client_of(person: User) -> Client:
    """Return a client whose requests are a person's."""
    client = Client()
    client.force_login(person)
    return client
