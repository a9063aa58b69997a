"""A secret is made once, and only its owner reads it."""

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from dashboard.secrets import make_private_folder, read_or_make_secret


def test_one_is_made_and_then_read(tmp_path: Path) -> None:
    path = tmp_path / "var" / "secret-key"
    made = read_or_make_secret(path)

    assert len(made) == 384 // 6
    assert path.stat().st_mode & 0o777 == 0o600
    assert read_or_make_secret(path) == made
    assert [file.name for file in path.parent.iterdir()] == ["secret-key"]


def test_a_given_one_is_kept_unless_there_is_another(tmp_path: Path) -> None:
    path = tmp_path / "demo-key"

    assert read_or_make_secret(path, secret="first") == "first"
    assert read_or_make_secret(path, secret="second") == "first"


def test_its_folder_is_its_owners_alone(tmp_path: Path) -> None:
    read_or_make_secret(tmp_path / "var" / "secret-key")

    assert (tmp_path / "var").stat().st_mode & 0o777 == 0o700


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(ImproperlyConfigured, match="TOOLCRIB_VAR"):
        make_private_folder(tmp_path / "file" / "var")
