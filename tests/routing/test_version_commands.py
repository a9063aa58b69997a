"""Versions out and in from the command line."""

import hashlib
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from catalog.models import Catalog
from tests.samples import published

pytestmark = pytest.mark.django_db


@pytest.fixture
def refunds(settings: Any) -> Catalog:
    settings.ENCODER = "none"
    return published("refunds")


def test_a_version_moves_to_another_installation(
    refunds: Catalog, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sha256, document = refunds.versions.values_list("sha256", "document").get()
    path = tmp_path / "refunds@1.json"
    call_command("export_version", "refunds@live", "--output", str(path))
    assert path.read_bytes() == bytes(document)
    assert (tmp_path / "refunds@1.json.sha256").read_text() == f"{sha256}  refunds@1.json\n"
    refunds.delete()

    call_command("import_version", "refunds", str(path), "--new")
    call_command("publish", "refunds")

    assert f"The draft of refunds is that version: SHA-256 {sha256}." in capsys.readouterr().out
    assert Catalog.objects.get().versions.get().sha256 == sha256


def test_it_goes_down_a_pipe(refunds: Catalog, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    call_command("export_version", "refunds@1")
    out = capfdbinary.readouterr().out
    assert hashlib.sha256(out).hexdigest() == refunds.versions.get().sha256


def test_faults_are_told(refunds: Catalog, tmp_path: Path) -> None:
    path = tmp_path / "v.json"
    with pytest.raises(CommandError, match="not published"):
        call_command("export_version", "refunds@staging")
    with pytest.raises(CommandError, match="Not written"):
        call_command("export_version", "refunds", "--output", str(tmp_path / "no" / "v.json"))
    with pytest.raises(CommandError, match="Not read"):
        call_command("import_version", "refunds", str(path))
    call_command("export_version", "refunds", "--output", str(path))
    path.write_bytes(path.read_bytes().replace(b"refund", b"rebate", 1))
    with pytest.raises(CommandError, match="SHA-256 of this file"):
        call_command("import_version", "refunds", str(path))
    with pytest.raises(CommandError, match="already"):
        call_command("import_version", "refunds", str(path), "--new", "--sha256", _sha256(path))


def test_what_gets_another_number_is_told(
    refunds: Catalog, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "v.json"
    document = bytes(refunds.versions.get().document)
    path.write_bytes(document.replace(b'"revision":1', b'"revision":4'))
    call_command("import_version", "refunds", str(path))
    said = capsys.readouterr().out
    assert "read_order: revision 1 in place of 4" in said
    assert "has another hash" in said


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_draft_is_published_to_a_label_that_is_moved_and_taken_away(
    refunds: Catalog, capsys: pytest.CaptureFixture[str]
) -> None:
    refunds.tools.filter(name="read_order").update(description="Second.")
    call_command("publish", "refunds", "--label", "staging", "--note", "Try it")
    call_command("move_label", "refunds", "staging", "1", "--reason", "Back")
    call_command("move_label", "refunds", "live", "2")
    call_command("move_label", "refunds", "staging", "none")

    assert capsys.readouterr().out.splitlines() == [
        "refunds@2 is staging (release 2).",
        "refunds@staging is refunds@1.",
        "refunds@live is refunds@2.",
        "refunds@staging is taken away.",
    ]


@pytest.mark.parametrize(
    ("label", "version", "said"),
    [
        ("staging", "9", "no version 9"),
        ("staging", "x", "no version x"),
        ("live", "none", "cannot be taken away"),
        ("draft", "1", "reserved"),
        ("Two words", "1", "lower-case"),
    ],
)
def test_a_move_that_cannot_be_is_told(
    refunds: Catalog, label: str, version: str, said: str
) -> None:
    with pytest.raises(CommandError, match=said):
        call_command("move_label", "refunds", label, version)
