"""The demonstration is prepared once, and repaired where something of it is missing."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from catalog.models import Catalog, CatalogVersion
from catalog.samples import SAMPLES
from dashboard.demo import ADMINISTRATOR, how_to_sign_in, prepare_demo
from routing.keys import find_key, revoke_key
from routing.models import ApiKey
from tests.samples import NOW


@pytest.fixture
def said(db: None, settings: Any, tmp_path: Path) -> list[str]:
    """Prepare the demonstration in ``tmp_path`` and return what it told."""
    settings.ENCODER = "none"
    told: list[str] = []
    prepare_demo(folder=tmp_path, now=NOW, say=told.append)
    return told


def test_everything_that_a_first_look_needs_is_there(said: list[str], tmp_path: Path) -> None:
    password = (tmp_path / "demo-password").read_text()
    key = (tmp_path / "demo-key").read_text()

    assert set(Catalog.objects.values_list("name", flat=True)) == set(SAMPLES)
    assert len(said) == len(SAMPLES)
    assert User.objects.get(username=ADMINISTRATOR).check_password(password)
    assert find_key(token=key, now=NOW) is not None
    assert (tmp_path / "demo-password").stat().st_mode & 0o777 == 0o600


def test_a_second_run_changes_nothing(said: list[str], tmp_path: Path) -> None:
    before = {path.name: path.read_text() for path in tmp_path.iterdir()}
    told: list[str] = []

    prepare_demo(folder=tmp_path, now=NOW + timedelta(days=1), say=told.append)

    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == before
    assert told == []
    assert (User.objects.count(), ApiKey.objects.count()) == (1, 1)
    assert CatalogVersion.objects.count() == len(SAMPLES)


def test_what_is_missing_is_made_again(said: list[str], tmp_path: Path) -> None:
    Catalog.objects.get(name="refunds").delete()
    revoke_key(key=ApiKey.objects.get(), now=NOW)
    told: list[str] = []

    prepare_demo(folder=tmp_path, now=NOW, say=told.append)

    assert told == ["Published the sample catalog refunds."]
    assert find_key(token=(tmp_path / "demo-key").read_text(), now=NOW) is not None


def test_a_password_that_is_kept_nowhere_is_not_promised(said: list[str], tmp_path: Path) -> None:
    path = tmp_path / "demo-password"
    assert how_to_sign_in(path) == f"Sign in as admin with the password in {path}."
    path.unlink()

    prepare_demo(folder=tmp_path, now=NOW, say=said.append)

    assert not path.exists()
    assert "changepassword admin" in how_to_sign_in(path)


def test_a_sample_that_its_owner_changed_is_left_as_it_is(said: list[str], tmp_path: Path) -> None:
    Catalog.objects.get(name="dev-agent").tools.filter(name="calculator").delete()

    prepare_demo(folder=tmp_path, now=NOW, say=said.append)

    assert not Catalog.objects.get(name="dev-agent").tools.filter(name="calculator").exists()


def test_the_audit_log_tells_how_the_samples_came_to_be(said: list[str]) -> None:
    catalog = Catalog.objects.get(name="back-office")
    rows = catalog.audit_entries.order_by("id")

    assert list(rows.values_list("action", flat=True)) == [
        "fill",
        "edit",
        "undo",
        "publish",
        "key_made",
    ]
    assert list(rows.order_by("at", "id")) == list(rows)
    assert set(rows.values_list("by_name", flat=True)) == {ADMINISTRATOR}
