"""A secret is made once, and only its owner reads it."""

from pathlib import Path

from dashboard.secrets import read_or_make_secret


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
