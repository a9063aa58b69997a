"""The pages of keys: made, shown once, rotated, revoked."""

import re
import shlex
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from catalog.models import Catalog
from routing.keys import find_key, make_key, revoke_key
from routing.models import ApiKey
from tests.drafts import empty_catalog
from tests.samples import published

TOKEN = re.compile(r"tc_[0-9a-f]{8}_[A-Za-z0-9_-]{43}")


def make(client: Client, **said: Any) -> Any:
    """Send the form with a name and every right, and what else is said."""
    form = {"name": "agent", "all_catalogs": "on", "actions": ["select", "read"], **said}
    return client.post("/keys/new", form)


def token_in(response: Any) -> str:
    tokens = set(TOKEN.findall(unescape(response.text)))
    assert len(tokens) == 1
    token: str = tokens.pop()
    return token


def usable(token: str) -> ApiKey | None:
    return find_key(token=token, now=timezone.now())


class TestMaking:
    def test_a_key_has_the_rights_that_were_chosen(self, signed_in: Client, user: User) -> None:
        one, _other = empty_catalog("one"), empty_catalog("other")
        response = make(
            signed_in,
            name="Agent, São Paulo",
            all_catalogs="",
            catalogs=[one.pk],
            actions=["select"],
            routes="order_status, refund_investigation\r\norder_status",
            expires_on=str(timezone.localdate()),
        )
        key = usable(token_in(response))
        assert key is not None
        assert (key.name, key.actions, key.created_by) == ("Agent, São Paulo", ["select"], user)
        assert key.routes == ["order_status", "refund_investigation"]
        assert [catalog.name for catalog in key.catalogs.all()] == ["one"]
        assert not key.all_catalogs
        assert key.expires_at is not None
        # The last day counts to its end.
        assert timedelta(0) < key.expires_at - timezone.now() <= timedelta(days=1)

    def test_the_catalog_at_hand_is_chosen_already(self, signed_in: Client) -> None:
        one, other = empty_catalog("one"), empty_catalog("other")
        page = signed_in.get("/keys/new?catalog=other").text
        chosen = re.findall(r'<input[^>]*name="catalogs"[^>]* checked[^>]*>', page)
        assert [f'value="{other.pk}"' in field for field in chosen] == [True]
        assert f'value="{one.pk}"' in page

    def test_every_catalog_may_be_meant(self, signed_in: Client) -> None:
        key = usable(token_in(make(signed_in)))
        assert key is not None
        assert key.all_catalogs
        assert key.expires_at is None

    def test_the_token_is_in_that_answer_and_nowhere_else(self, signed_in: Client) -> None:
        response = make(signed_in)
        token = token_in(response)
        assert response.status_code == 200
        assert "no-store" in response["Cache-Control"]
        assert token not in signed_in.get("/keys").text
        for session in Session.objects.all():
            assert token not in str(session.get_decoded())
        assert token not in str(response.cookies)
        with connection.cursor() as cursor:
            for table in connection.introspection.table_names():
                cursor.execute(f'SELECT * FROM "{table}"')  # noqa: S608
                assert token not in str(cursor.fetchall()), table

    @pytest.mark.parametrize("routes", ["", "order_status"])
    def test_the_command_shown_works(self, signed_in: Client, routes: str) -> None:
        empty_catalog("draft")  # Sorts first, and could not answer.
        published("refunds")
        response = make(signed_in, routes=routes)
        commands = [
            shlex.split(unescape(text))
            for text in re.findall(r"<code>(curl .*?)</code>", response.text)
        ]
        catalogs, selection = commands
        name, value = catalogs[catalogs.index("-H") + 1].split(": ")
        assert catalogs[2] == "http://testserver/api/v1/catalogs"
        assert Client().get("/api/v1/catalogs", headers={name: value}).status_code == 200
        answer = Client().post(
            "/api/v1/selections",
            selection[selection.index("-d") + 1],
            content_type="application/json",
            headers={name: value},
        )
        assert answer.status_code == 201, answer.content

    @pytest.mark.parametrize(
        ("said", "why"),
        [
            ({"name": " "}, "This field is required."),
            ({"name": "x" * 101}, "at most 100 characters"),
            ({"actions": []}, "A key that may do nothing is of no use"),
            ({"actions": ["rule"]}, "rule is not one of the available choices"),
            ({"all_catalogs": ""}, "Choose a catalog, or every one."),
            ({"all_catalogs": "", "catalogs": ["0"]}, "0 is not one of the available choices"),
            ({"routes": "Order Status"}, "“Order” is no name of a route."),
            ({"routes": " ".join(f"r{n}" for n in range(101))}, "at most 100 routes"),
            ({"expires_on": "2020-01-01"}, "This day is over."),
            ({"expires_on": "soon"}, "Enter a valid date."),
        ],
    )
    def test_what_cannot_be_is_said_beside_the_field(
        self, signed_in: Client, said: dict[str, Any], why: str
    ) -> None:
        response = make(signed_in, **said)
        assert response.status_code == 422
        assert why in unescape(response.text)
        assert not ApiKey.objects.exists()

    def test_sending_the_form_twice_makes_one_key(self, signed_in: Client) -> None:
        make(signed_in)
        response = make(signed_in, name="AGENT")
        assert response.status_code == 422
        assert "A key that works has this name." in response.text
        assert ApiKey.objects.count() == 1

    def test_the_name_of_a_key_that_ended_is_free(self, signed_in: Client) -> None:
        old = make_key(name="agent", now=timezone.now()).key
        revoke_key(key=old, now=timezone.now())
        assert make(signed_in).status_code == 200

    def test_an_archived_catalog_cannot_be_chosen(self, signed_in: Client) -> None:
        catalog = empty_catalog()
        Catalog.objects.update(archived=True)
        assert "empty" not in signed_in.get("/keys/new").text
        assert make(signed_in, all_catalogs="", catalogs=[catalog.pk]).status_code == 422


class TestRotating:
    def test_the_old_token_ends_and_the_new_one_is_shown_once(self, signed_in: Client) -> None:
        made = make_key(name="agent", now=timezone.now(), routes=["order_status"])
        page = f"/keys/{made.key.pk}/rotate"
        assert made.key.prefix in signed_in.get(page).text
        assert usable(made.token)
        response = signed_in.post(page, {"prefix": made.key.prefix})
        token = token_in(response)
        assert "no-store" in response["Cache-Control"]
        assert usable(made.token) is None
        key = usable(token)
        assert key is not None
        assert (key.pk, key.routes) == (made.key.pk, ["order_status"])
        assert token not in signed_in.get("/keys").text

    def test_a_form_sent_twice_keeps_the_token_that_was_copied(self, signed_in: Client) -> None:
        made = make_key(name="agent", now=timezone.now())
        page, form = f"/keys/{made.key.pk}/rotate", {"prefix": made.key.prefix}
        token = token_in(signed_in.post(page, form))
        again = signed_in.post(page, form)
        assert again.status_code == 409
        assert "This key was rotated after the page was opened" in again.text
        assert usable(token)

    def test_a_key_that_ended_cannot_be_rotated(self, signed_in: Client) -> None:
        now = timezone.now()
        expired = make_key(name="a", now=now, expires_at=now - timedelta(seconds=1)).key
        revoked = make_key(name="b", now=now).key
        revoke_key(key=revoked, now=now)
        for key in (expired, revoked):
            page = f"/keys/{key.pk}/rotate"
            assert signed_in.get(page).status_code == 404
            assert signed_in.post(page, {"prefix": key.prefix}).status_code == 404


class TestRevoking:
    def test_it_asks_first_and_then_ends_the_key(self, signed_in: Client) -> None:
        made = make_key(name="agent", now=timezone.now())
        page = f"/keys/{made.key.pk}/revoke"
        assert "Revoke agent?" in signed_in.get(page).text
        assert usable(made.token)
        response = signed_in.post(page, follow=True)
        assert "“agent” is revoked." in response.text
        assert usable(made.token) is None
        assert signed_in.post(page).status_code == 404

    def test_an_unknown_key_is_not_found(self, signed_in: Client) -> None:
        assert signed_in.get("/keys/7/revoke").status_code == 404
        assert signed_in.get(f"/keys/{'9' * 30}/rotate").status_code == 404


class TestTheList:
    def test_each_key_shows_its_state_and_rights(self, signed_in: Client) -> None:
        now = timezone.now()
        used = make_key(name="used", now=now, catalogs=[empty_catalog("one")]).key
        ApiKey.objects.filter(pk=used.pk).update(last_used_at=now - timedelta(minutes=5))
        make_key(name="over", now=now, expires_at=now - timedelta(days=1))
        revoke_key(key=make_key(name="ended", now=now).key, now=now)
        page = " ".join(signed_in.get("/keys").text.split())
        for text in ("works", "expired", "revoked", "5 minutes ago", "one", "every catalog"):
            assert text in page
        # Those that ended come last, and nothing more can be done with them.
        assert page.index("used</span>") < page.index("ended</span>")
        assert page.count("Rotate used") == 1
        assert "Rotate over" not in page
        assert "Revoke ended" not in page

    def test_an_empty_list_says_what_to_do(self, signed_in: Client) -> None:
        page = signed_in.get("/keys").text
        assert "No agent can ask yet." in page
        assert "python manage.py create_key my-agent" in page

    def test_the_number_of_queries_does_not_grow(self, signed_in: Client) -> None:
        counts = []
        catalogs = [empty_catalog("one"), empty_catalog("two")]
        for number in (1, 40):
            for name in range(number):
                make_key(name=f"{number}-{name}", now=timezone.now(), catalogs=catalogs)
            signed_in.get("/keys")
            with CaptureQueriesContext(connection) as queries:
                signed_in.get("/keys")
            counts.append(len(queries))
        assert counts[0] == counts[1]

    def test_a_long_list_has_pages(self, signed_in: Client) -> None:
        for number in range(51):
            make_key(name=f"key {number:03}", now=timezone.now())
        assert "key 050" not in signed_in.get("/keys").text
        assert "key 050" in signed_in.get("/keys?page=2").text

    @pytest.mark.parametrize("page", ["/keys", "/keys/new", "/keys/1/rotate", "/keys/1/revoke"])
    def test_nobody_gets_there_without_signing_in(
        self, client: Client, db: None, page: str
    ) -> None:
        assert client.get(page)["Location"].startswith("/sign-in")
        assert client.post(page)["Location"].startswith("/sign-in")


@pytest.mark.django_db
def test_an_id_that_no_column_holds_is_no_catalog(signed_in: Client) -> None:
    refused = make(signed_in, catalogs=["9" * 23])
    assert refused.status_code == 422
    assert "catalogs" in refused.context["form"].errors
