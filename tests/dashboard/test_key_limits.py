"""The part of a key's form that says how much."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from routing.keys import make_key, rotate_key
from routing.models import ApiKey


@pytest.fixture
def administrator(client: Client, db: None) -> Client:
    client.force_login(User.objects.create_superuser("root", password="a long password"))
    return client


def make(client: Client, **said: Any) -> Any:
    form = {"name": "agent", "all_catalogs": "on", "actions": ["select"], **said}
    return client.post("/keys/new", form)


def test_a_key_has_the_limits_that_were_said(administrator: Client) -> None:
    response = make(
        administrator,
        scopes=" refunds:issue \r\n\r\nread all\nrefunds:issue",
        rate_limit="1200",
        calls="0",
        tokens="50000",
        cost="1.5",
        seconds="",
    )
    assert response.status_code == 200
    key = ApiKey.objects.get()
    assert key.scopes == ["refunds:issue", "read all"]
    assert key.rate_limit == 1200
    assert key.budget == {"calls": 0, "tokens": 50000, "cost": 1.5}
    page = administrator.get("/keys").text
    for shown in (
        "refunds:issue, read all",
        "1,200 requests a minute",
        "0 calls, 50,000 tokens, 1.5 USD",
    ):
        assert shown in page


def test_nothing_said_is_no_limit_and_no_scope(administrator: Client) -> None:
    assert make(administrator).status_code == 200
    key = ApiKey.objects.get()
    assert (key.scopes, key.rate_limit, key.budget) == ([], None, {})


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"scopes": "\n".join(f"s{n}" for n in range(101))}, "at most 100 scopes"),
        ({"scopes": "s" * 201}, "at most 200 characters"),
        ({"rate_limit": "0"}, "greater than or equal to 1"),
        ({"rate_limit": "many"}, "Enter a whole number."),
        ({"calls": "-1"}, "greater than or equal to 0"),
        ({"tokens": "1.5"}, "Enter a whole number."),
        ({"cost": "NaN"}, "Enter a number."),
        ({"seconds": "1000000001"}, "less than or equal to 1000000000"),
    ],
)
def test_what_cannot_be_is_said_beside_the_field(
    administrator: Client, said: dict[str, str], why: str
) -> None:
    response = make(administrator, **said)
    assert response.status_code == 422
    assert why in response.text
    (field,) = said
    assert f'id="id_{field}_error"' in response.text
    assert not ApiKey.objects.exists()


@pytest.mark.django_db
def test_a_rotated_key_keeps_its_limits() -> None:
    limits: dict[str, Any] = {"scopes": ["a"], "rate_limit": 5, "budget": {"calls": 3}}
    key = make_key(name="agent", now=timezone.now(), **limits).key
    rotate_key(key=key)
    kept = ApiKey.objects.get()
    assert {name: getattr(kept, name) for name in limits} == limits
