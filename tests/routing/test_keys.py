"""API keys."""

from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command

from catalog.models import Catalog
from routing.keys import catalogs_of, find_key, make_key, note_use, revoke_key, rotate_key
from routing.models import ApiKey
from tests.samples import NOW

pytestmark = pytest.mark.django_db


def test_a_key_is_found_by_its_token_and_kept_as_a_hash() -> None:
    made = make_key(name="agent", now=NOW)

    assert find_key(token=made.token, now=NOW) == made.key
    assert made.token.startswith(made.key.prefix)
    assert made.token not in str(ApiKey.objects.values().get())
    assert len(made.token) >= 11 + 43  # the prefix, and 256 bits in base64


def test_ended_keys_are_not_found() -> None:
    expired = make_key(name="expired", now=NOW, expires_at=NOW + timedelta(hours=1))
    revoked = make_key(name="revoked", now=NOW)
    revoke_key(key=revoked.key, now=NOW)

    assert find_key(token=expired.token, now=NOW) == expired.key
    assert find_key(token=expired.token, now=NOW + timedelta(hours=1)) is None
    assert find_key(token=revoked.token, now=NOW) is None
    assert find_key(token="", now=NOW) is None


def test_a_rotated_key_has_a_new_secret_and_the_old_one_ends() -> None:
    made = make_key(name="agent", now=NOW)
    rotated = rotate_key(key=made.key)

    assert find_key(token=made.token, now=NOW) is None
    assert find_key(token=rotated.token, now=NOW) == made.key


def test_a_key_reaches_its_own_catalogs() -> None:
    one, two = (Catalog.objects.create(name=name, title=name) for name in ("one", "two"))
    Catalog.objects.create(name="put-away", title="", archived=True)

    assert set(catalogs_of(make_key(name="all", now=NOW).key)) == {one, two}
    assert set(catalogs_of(make_key(name="one", now=NOW, catalogs=[one]).key)) == {one}
    assert set(catalogs_of(make_key(name="none", now=NOW, catalogs=[]).key)) == set()


def test_the_last_use_is_kept_to_the_minute() -> None:
    key = make_key(name="agent", now=NOW).key
    for seconds in (0, 30, 59, 60, 61):
        note_use(key=key, now=NOW + timedelta(seconds=seconds))

    assert ApiKey.objects.get().last_used_at == NOW + timedelta(seconds=60)


def test_keys_from_before_there_was_test_go_on_as_they_did() -> None:
    asks = make_key(name="asks", now=NOW, actions=["select"]).key
    reads = make_key(name="reads", now=NOW, actions=["read"]).key
    migration = import_module("routing.migrations.0024_keys_may_test")
    migration.let_test(apps, None)
    asks.refresh_from_db()
    reads.refresh_from_db()
    assert (asks.actions, reads.actions) == (["select", "test"], ["read"])
    migration.let_no_more(apps, None)
    asks.refresh_from_db()
    assert asks.actions == ["select"]


def test_the_command_prints_the_key_last(capsys: pytest.CaptureFixture[str]) -> None:
    Catalog.objects.create(name="one", title="One")
    call_command("create_key", "agent", "--catalog", "one", "--action", "read")

    key = find_key(token=capsys.readouterr().out.splitlines()[-1], now=NOW)
    assert key is not None
    assert (key.name, key.actions, key.all_catalogs) == ("agent", ["read"], False)


def test_the_command_names_a_catalog_that_is_missing() -> None:
    with pytest.raises(CommandError, match="There is no catalog two"):
        call_command("create_key", "agent", "--catalog", "two")
