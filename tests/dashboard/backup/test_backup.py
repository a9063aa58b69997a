"""A backup put back is the same installation, or nothing is put back."""

import hashlib
import json
import stat
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.db.models import JSONField, Value
from django.test import Client

from catalog.models import AuditEntry, Catalog, CatalogVersion, Tool
from catalog.recording import note_deed
from catalog.roles import Role
from dashboard.backup import BadBackup, opened, restore, save
from dashboard.backup.keys import kept_secret_key, put_secret_key
from dashboard.preferences import keep_preferences
from routing.keys import find_key, make_key
from routing.models import Run, Span, SpanDay
from routing.partitions.days import day_of_id, first_id
from routing.partitions.tables import partitions
from tests.alerted import alerted
from tests.eventful import eventful_run
from tests.members import member
from tests.samples import published

TOOLS = "tables_catalog_tool_jsonl"
NOW = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)


@pytest.fixture
def catalog(transactional_db: None, settings: Any) -> Catalog:
    """Return a catalog with something in nearly every table: odd texts, nulls within JSON."""
    settings.ENCODER = "none"
    catalog = published("refunds")
    eva = member(catalog, Role.ADMINISTRATOR)
    eva.set_password("a long password")
    eva.save()
    keep_preferences(user=eva, language="pt", time_zone="America/Sao_Paulo")
    key = make_key(name="agent", now=NOW, catalogs=[catalog], budget={"cost": 0.1}).key
    run = eventful_run(catalog, key=key, tool="issue_refund", now=NOW)
    alerted(catalog, now=NOW)
    Tool(
        catalog=catalog,
        name="odd",
        description="\u2028 \x7f “ção” 🦺 \\n \"'",
        input_schema={"type": "object", "enum": [None, 2**53, 1e-7, "1"], "b": 1, "a": None},
    ).save()
    note_deed(catalog=catalog, action="role_given", kind="members", after={"role": None})
    Run.objects.filter(pk=run.pk).update(budget=Value(None, JSONField()))
    # A day that is over, and the next one, of which there is no span yet.
    newest = day_of_id(Span.objects.latest("id").pk)
    for day in {max(newest - 3, 0), newest + 1}:
        SpanDay.objects.create(first=first_id(day), opened_at=NOW)
    return catalog


@pytest.fixture
def file(catalog: Catalog, tmp_path: Path) -> Path:
    """Return a backup of it."""
    path = tmp_path / "backup.zip"
    save(path=path, now=NOW, version="1", secret_key="a secret")
    return path


@pytest.fixture
def secret_key(tmp_path: Path, settings: Any) -> Path:
    """Return the file of the secret key, in a folder of its own."""
    settings.VAR_DIR = tmp_path / "var"
    settings.VAR_DIR.mkdir()
    settings.SECRET_KEY = "a secret"
    path: Path = settings.VAR_DIR / "secret-key"
    path.write_text("a secret")
    return path


def begun() -> list[int]:
    """Return the first numbers of the days that were begun."""
    return list(SpanDay.objects.values_list("first", flat=True))


def everything(path: Path) -> dict[str, bytes]:
    """Return what is in a backup, table by table."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist() if name != "manifest.json"}


def put_back(path: Path, **options: Any) -> None:
    with opened(path) as backup:
        restore(backup, **options)


class TestARoundTrip:
    def test_everything_comes_back_and_lives(
        self, catalog: Catalog, file: Path, tmp_path: Path, secret_key: Path, settings: Any
    ) -> None:
        document = bytes(CatalogVersion.objects.get().document)
        made = make_key(name="later", now=NOW)
        promised = first_id(day_of_id(Span.objects.latest("id").pk) + 1)
        assert promised in begun()
        Tool.objects.all().delete()
        member(catalog, Role.EDITOR, name="later")
        secret_key.write_text("of another installation")
        settings.SECRET_KEY = "of another installation"
        call_command("restore", file, replace=True)

        again = tmp_path / "again.zip"
        save(path=again, now=NOW, version="1", secret_key="a secret")
        assert everything(again) == everything(file)
        assert secret_key.read_text() == "a secret"
        assert stat.S_IMODE(secret_key.stat().st_mode) == 0o600
        assert bytes(CatalogVersion.objects.get().document) == document
        assert find_key(token=made.token, now=NOW) is None
        assert not User.objects.filter(username="later").exists()
        assert Client().login(username="eva", password="a long password")
        # New rows get new numbers, and what is append-only still is.
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                days = [day_of_id(one.first or 0) for one in partitions(cursor, "routing_text")]
                assert {day_of_id(one) for one in begun()} <= set(days)
                cursor.execute("SELECT nextval(pg_get_serial_sequence('routing_span', 'id'))")
                assert cursor.fetchone()[0] >= promised
        later = Catalog.objects.create(name="later", title="Later")
        assert later.pk > Catalog.objects.exclude(pk=later.pk).latest("pk").pk
        for rows, change in (
            (Span.objects.all(), {"reason": "x"}),
            (AuditEntry.objects.all(), {"note": "x"}),
        ):
            with pytest.raises(IntegrityError), transaction.atomic():
                rows.update(**change)

    def test_one_of_an_older_version_is_brought_to_this_one(
        self, transactional_db: None, tmp_path: Path
    ) -> None:
        User.objects.create_user("eva")
        save(path=tmp_path / "file.zip", now=NOW, version="1")

        later = [one._meta.db_table for one in apps.get_app_config("dashboard").get_models()]

        def before_the_dashboard(content: bytes) -> bytes:
            said = json.loads(content)
            del said["migrations"]["dashboard"]
            said["tables"] = {k: v for k, v in said["tables"].items() if k not in later}
            return json.dumps(said).encode()

        older = rewritten(
            tmp_path / "file.zip",
            manifest_json=before_the_dashboard,
            **{f"tables_{table}_jsonl": None for table in later},
        )
        call_command("flush", interactive=False, verbosity=0)
        call_command("restore", older)  # nothing is here, and nothing need be told
        keep_preferences(user=User.objects.get(username="eva"), language="pt")
        call_command("migrate", check_unapplied=True)

    def test_it_holds_what_was_there_when_it_began(self, catalog: Catalog, tmp_path: Path) -> None:
        def write_meanwhile(line: str) -> None:
            # A table that was read already, and some that were not.
            name = line.partition(":")[0].replace("_", "-")[:60]
            Catalog.objects.create(name=name, title="Meanwhile")
            User.objects.create_user(name)

        path = tmp_path / "backup.zip"
        before = (Catalog.objects.count(), User.objects.count())
        made = save(path=path, now=NOW, version="1", say=write_meanwhile)
        after = (Catalog.objects.count(), User.objects.count())
        assert (made.tables["catalog_catalog"].rows, made.tables["auth_user"].rows) == before
        assert after == (before[0] + len(made.tables), before[1] + len(made.tables))

    def test_sessions_are_left_out_and_the_file_is_its_owners(
        self, catalog: Catalog, file: Path
    ) -> None:
        assert "tables/django_session.jsonl" not in everything(file)
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert [left.name for left in file.parent.iterdir()] == [file.name]
        with pytest.raises(FileExistsError):
            save(path=file, now=NOW, version="1")


def rewritten(path: Path, **parts: Any) -> Path:
    """Write a backup anew with some of its parts changed; ``None`` leaves one out."""
    other = path.with_name("other.zip")
    names = {
        name.replace("/", "_").replace(".", "_").replace("-", "_"): name for name in parts_of(path)
    }
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(other, "w") as new:
        for name in old.namelist():
            changed = {names[key]: change for key, change in parts.items()}.get(name, same)
            if changed is not None:
                new.writestr(name, changed(old.read(name)))
    return other


def parts_of(path: Path) -> list[str]:
    with zipfile.ZipFile(path) as archive:
        return archive.namelist()


def same(content: bytes) -> bytes:
    return content


def with_manifest(**said: Any) -> Any:
    return lambda content: json.dumps({**json.loads(content), **said}).encode()


class TestWhatIsRefused:
    @pytest.fixture(autouse=True)
    def _unchanged(self, catalog: Catalog, file: Path, tmp_path: Path) -> Iterator[None]:
        """Look afterwards whether anything was touched."""
        Catalog.objects.create(name="later", title="Later")
        save(path=tmp_path / "before.zip", now=NOW, version="1", secret_key="a secret")
        yield
        save(path=tmp_path / "after.zip", now=NOW, version="1", secret_key="a secret")
        assert everything(tmp_path / "after.zip") == everything(tmp_path / "before.zip")
        assert not [left for left in tmp_path.iterdir() if "restoring" in left.name]

    def test_what_is_not_as_it_was_written(self, file: Path) -> None:
        changes: list[tuple[dict[str, Any], str]] = [
            (
                {"tables_catalog_tool_jsonl": lambda rows: rows.replace(b"odd", b"0dd")},
                "catalog_tool",
            ),
            ({"tables_catalog_tool_jsonl": lambda rows: rows.partition(b"\n")[2]}, "catalog_tool"),
            ({"tables_catalog_tool_jsonl": None}, "other parts"),
            ({"secret_key": lambda key: b"another"}, "secret key"),
            ({"manifest_json": None}, "no manifest"),
            ({"manifest_json": lambda text: text[:-5]}, "cannot be read"),
            ({"manifest_json": with_manifest(format="other")}, "another format"),
            ({"manifest_json": with_manifest(format_version=2)}, "format 2"),
            ({"manifest_json": with_manifest(migrations={"catalog": ["0999_x"]})}, "newer version"),
        ]
        for change, why in changes:
            with pytest.raises(BadBackup, match=why):
                put_back(rewritten(file, **change), replace=True)

    def test_what_is_no_archive_or_damaged(self, file: Path) -> None:
        whole = file.read_bytes()
        for damaged in (b"", b"no zip", whole[: len(whole) // 2]):
            file.with_name("damaged.zip").write_bytes(damaged)
            with pytest.raises(BadBackup):
                put_back(file.with_name("damaged.zip"), replace=True)

    def test_anything_that_is_here_unless_told(
        self, file: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with pytest.raises(CommandError, match=r"catalog_catalog.*--replace"):
            call_command("restore", file)
        call_command("restore", file, check=True)
        assert "as they were written" in capsys.readouterr().out

    def test_rows_that_do_not_hold_together(self, file: Path) -> None:
        # Written by a hand that knows of the hashes: a membership of nobody's.
        rows = b"[900, 900, 900, 10]\n"

        def manifest(content: bytes) -> bytes:
            said = json.loads(content)
            said["tables"]["catalog_membership"] |= {
                "sha256": hashlib.sha256(rows).hexdigest(),
                "rows": 1,
            }
            return json.dumps(said).encode()

        bad = rewritten(
            file, manifest_json=manifest, tables_catalog_membership_jsonl=lambda old: rows
        )
        with pytest.raises(IntegrityError):
            put_back(bad, replace=True)


class TestTheCommands:
    def test_a_backup_goes_to_a_file_by_its_time(
        self, transactional_db: None, secret_key: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        for options, kept in (({}, "a secret"), ({"without_secret_key": True}, "")):
            call_command("backup", **options)
            path = Path(capsys.readouterr().out.splitlines()[-1])
            assert path.parent == secret_key.parent / "backups"
            with opened(path) as backup:
                assert backup.secret_key() == kept
            path.unlink()

    def test_a_key_of_the_environment_is_in_no_backup_and_written_to_no_file(
        self, file: Path, secret_key: Path, settings: Any
    ) -> None:
        settings.SECRET_KEY = "of the environment"
        assert kept_secret_key() == ""
        with opened(file) as backup:
            assert put_secret_key(backup).startswith("SECRET_KEY is set, to another")
        assert secret_key.read_text() == "a secret"
