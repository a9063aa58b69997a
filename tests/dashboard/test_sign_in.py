"""The sign-in page, and the limit on failures."""

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client

from dashboard.sign_in_limits import SIGN_IN_LIMIT, SignInLimit, forget_attempts, take_attempt

NOON = datetime(2026, 11, 2, 12, 0, tzinfo=UTC)
ANA = {"username": "ana", "address": "192.0.2.1"}


def fail(client: Client, *, times: int) -> None:
    for _ in range(times):
        response = client.post("/sign-in", {"username": "ana", "password": "wrong"})
        assert response.status_code == 200


def test_the_right_password_opens_the_page_that_was_asked_for(client: Client, user: User) -> None:
    response = client.post(
        "/sign-in", {"username": "ana", "password": "a long password", "next": "/keys?a=1"}
    )
    assert response.status_code == 302
    assert response["Location"] == "/keys?a=1"
    assert client.session["_auth_user_id"] == str(user.pk)


def test_the_next_page_is_never_another_site(client: Client, user: User) -> None:
    response = client.post(
        "/sign-in",
        {"username": "ana", "password": "a long password", "next": "https://example.com/"},
    )
    assert response["Location"] == "/"


def test_a_wrong_password_is_said_on_the_page(client: Client, user: User) -> None:
    response = client.post("/sign-in", {"username": "ana", "password": "wrong"})
    assert response.status_code == 200
    assert 'role="alert"' in response.text
    assert "_auth_user_id" not in client.session


def test_the_eleventh_failure_says_when_to_come_back(client: Client, user: User) -> None:
    fail(client, times=SIGN_IN_LIMIT.failures)
    response = client.post("/sign-in", {"username": "ana", "password": "a long password"})
    assert response.status_code == 429
    assert 0 < int(response["Retry-After"]) <= 15 * 60
    assert "Try again in 15 minutes" in response.text
    assert "_auth_user_id" not in client.session


def test_a_success_begins_the_count_anew(client: Client, user: User) -> None:
    fail(client, times=SIGN_IN_LIMIT.failures - 1)
    client.post("/sign-in", {"username": "ana", "password": "a long password"})
    client.post("/sign-out")
    fail(client, times=SIGN_IN_LIMIT.failures - 1)


def test_a_page_sends_an_unknown_person_to_the_sign_in(client: Client) -> None:
    response = client.post("/sign-out")
    assert response.status_code == 302
    assert response["Location"].startswith("/sign-in?next=")


def test_a_fragment_whose_session_is_over_opens_the_sign_in_as_a_page(client: Client) -> None:
    response = client.get(
        "/sign-in?next=/catalogs/x/groups/save",
        headers={"HX-Request": "true", "HX-Current-URL": "http://testserver/catalogs/x/groups"},
    )
    assert response["HX-Redirect"] == "/sign-in?next=%2Fcatalogs%2Fx%2Fgroups"


def test_signing_out_ends_the_session(signed_in: Client) -> None:
    response = signed_in.post("/sign-out")
    assert response["Location"] == "/sign-in"
    assert "_auth_user_id" not in signed_in.session


@pytest.mark.parametrize("code", ["es", "pt", "en"])
def test_the_language_can_be_chosen_before_signing_in(client: Client, db: None, code: str) -> None:
    response = client.post("/language", {"language": code, "next": "/sign-in"})
    assert response["Location"] == "/sign-in"
    assert f'<html lang="{code}">' in client.get("/sign-in").text


class TestTheLimit:
    def test_the_window_begins_with_the_first_attempt_and_ends(self) -> None:
        limit = SignInLimit(failures=2, window=timedelta(minutes=15))
        assert take_attempt(**ANA, now=NOON, limit=limit) is None
        assert take_attempt(**ANA, now=NOON + timedelta(minutes=14), limit=limit) is None
        end = NOON + timedelta(minutes=15)
        assert take_attempt(**ANA, now=end - timedelta(seconds=1), limit=limit) == end
        assert take_attempt(**ANA, now=end, limit=limit) is None

    def test_another_address_or_name_is_counted_apart(self) -> None:
        limit = SignInLimit(failures=1)
        assert take_attempt(**ANA, now=NOON, limit=limit) is None
        assert take_attempt(**ANA, now=NOON, limit=limit) is not None
        assert take_attempt(username="ana", address="192.0.2.2", now=NOON, limit=limit) is None
        assert take_attempt(username="eva", address="192.0.2.1", now=NOON, limit=limit) is None

    def test_the_case_of_the_name_opens_no_second_count(self) -> None:
        limit = SignInLimit(failures=1)
        assert take_attempt(**ANA, now=NOON, limit=limit) is None
        assert take_attempt(username="ANA", address="192.0.2.1", now=NOON, limit=limit) is not None

    def test_forgetting_lets_the_next_attempt_through(self) -> None:
        limit = SignInLimit(failures=1)
        take_attempt(**ANA, now=NOON, limit=limit)
        forget_attempts(**ANA)
        assert take_attempt(**ANA, now=NOON, limit=limit) is None
