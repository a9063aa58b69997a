"""Circuits and keys go by names: whoever renames is told which keep the old one."""

from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from catalog.models import Catalog
from routing.circuits import close, open_by_hand
from routing.keys import make_key
from routing.old_names import kept_by
from tests.drafts import draft_of


def switched_off(catalog: Catalog, kind: str, target: str, by: User) -> int:
    opened = open_by_hand(
        catalog=catalog,
        kind=kind,
        target=target,
        reason="It errs.",
        until=None,
        by=by,
        now=timezone.now(),
    )
    return opened.pk


def test_an_open_circuit_is_told_of_while_it_is_open(
    db: None, user: User, signed_in: Client
) -> None:
    catalog = draft_of()
    tool = catalog.tools.get(name="find_payment")
    assert not [*kept_by(tool, "find_payment")]
    circuit = switched_off(catalog, "tool", "find_payment", user)
    address = "/catalogs/back-office/tools/find_payment"
    form = signed_in.get(address).context["form"]
    sent = {field.name: field.value() for field in form if field.value() not in (False, None)}
    page = signed_in.post(address, {**sent, "name": "look_up"}, follow=True).content.decode()
    assert "A circuit has switched off “find_payment”" in page
    close(catalog=catalog, pk=circuit, by=user, now=timezone.now())
    assert not [*kept_by(tool, "find_payment")]


def test_keys_that_are_limited_to_a_route_are_counted(db: None, user: User) -> None:
    catalog, other = draft_of(), draft_of("refunds")
    route = catalog.routes.create(name="support")
    now = timezone.now()
    for name, of, routes in (
        ("one", catalog, ["support"]),
        ("free", catalog, []),
        ("elsewhere", other, ["support"]),
        ("another", catalog, ["sales"]),
    ):
        make_key(name=name, now=now, catalogs=[of], routes=routes)
    switched_off(catalog, "route", "support", user)
    said = [*kept_by(route, "support")]
    assert len(said) == 2
    assert "1 API key is limited to the route “support”" in said[1]
    assert not [*kept_by(catalog.groups.all()[0], "support")]
