"""Write a backup from one snapshot of the database, while others go on writing."""

import hashlib
import json
import os
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from django.apps import apps
from django.db import DEFAULT_DB_ALIAS, connections, models, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from dashboard.backup.manifest import LEFT_OUT, NAME, SECRET_KEY, BadBackup, Manifest, Table
from dashboard.backup.values import columns_of, selected, to_json

SNAPSHOT = "snapshot"
# A row of a table with documents may have megabytes.
_ROWS_AT_ONCE, _DOCUMENTS_AT_ONCE = 1000, 20


def save(
    *,
    path: Path,
    now: datetime,
    version: str,
    secret_key: str = "",
    say: Callable[[str], object] = lambda line: None,
) -> Manifest:
    """Write a backup to ``path``, readable by its owner alone; it appears whole or not at all.

    Raises ``FileExistsError`` where something is there, and ``BadBackup`` where migrations wait to
    be applied: the rows would not be as the models say.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
                manifest = _write(archive, now=now, version=version, secret_key=secret_key, say=say)
            file.flush()
            os.fsync(file.fileno())
        os.link(draft, path)  # unlike a rename this writes over nothing
    finally:
        draft.unlink()
    return manifest


def saved_models() -> list[type[models.Model]]:
    """Return the models of every table that a backup holds, tables of many-to-many included."""
    found = apps.get_models(include_auto_created=True)
    kept = [one for one in found if one._meta.managed and not one._meta.proxy]  # noqa: SLF001
    return [one for one in kept if one._meta.db_table not in LEFT_OUT]  # noqa: SLF001


@contextmanager
def snapshot() -> Iterator[str]:
    """Yield the alias of a connection that reads the database as it is now, until the end.

    Nobody waits for it: SQLite's write-ahead log keeps what the snapshot sees, as PostgreSQL's
    old rows do.
    """
    reading = connections[DEFAULT_DB_ALIAS].copy(alias=SNAPSHOT)
    if reading.vendor == "sqlite":
        # Django's transactions take the lock of writers here; one that only reads must not.
        options = {**reading.settings_dict["OPTIONS"], "transaction_mode": "DEFERRED"}
        reading.settings_dict["OPTIONS"] = options
    connections[SNAPSHOT] = reading
    try:
        with transaction.atomic(using=SNAPSHOT), reading.cursor() as cursor:
            if reading.vendor == "postgresql":
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            else:
                cursor.execute("PRAGMA query_only=ON")
            yield SNAPSHOT
    finally:
        reading.close()
        del connections[SNAPSHOT]


def _write(
    archive: zipfile.ZipFile,
    *,
    now: datetime,
    version: str,
    secret_key: str,
    say: Callable[[str], object],
) -> Manifest:
    tables = {}
    with snapshot() as using:
        migrations = _applied(using)
        for model in saved_models():
            name = model._meta.db_table  # noqa: SLF001
            tables[name] = _write_table(archive, model, using)
            say(f"{name}: {tables[name].rows}")
    if secret_key:
        archive.writestr(SECRET_KEY, secret_key)
    manifest = Manifest(
        version=version,
        made_at=now.isoformat(),
        engine=connections[DEFAULT_DB_ALIAS].vendor,
        migrations=migrations,
        tables=tables,
        secret_key_sha256=hashlib.sha256(secret_key.encode()).hexdigest() if secret_key else "",
    )
    archive.writestr(NAME, manifest.dumped())
    return manifest


def _applied(using: str) -> dict[str, tuple[str, ...]]:
    executor = MigrationExecutor(connections[using])
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise BadBackup("Migrations wait to be applied: run “manage.py migrate” first.")
    found: dict[str, list[str]] = {}
    for app, name in sorted(MigrationRecorder(connections[using]).applied_migrations()):
        found.setdefault(app, []).append(name)
    return {app: tuple(names) for app, names in found.items()}


def _write_table(archive: zipfile.ZipFile, model: type[models.Model], using: str) -> Table:
    fields, digest, count = columns_of(model), hashlib.sha256(), 0
    with archive.open(f"tables/{model._meta.db_table}.jsonl", "w", force_zip64=True) as file:  # noqa: SLF001
        for row in _rows(model, using):
            line = json.dumps([to_json(value) for value in row], ensure_ascii=False) + "\n"
            written = line.encode()
            file.write(written)
            digest.update(written)
            count += 1
    return Table(tuple(field.column for field in fields), count, digest.hexdigest())


def _rows(model: type[models.Model], using: str) -> Iterator[tuple[Any, ...]]:
    has_documents = any(isinstance(field, models.BinaryField) for field in columns_of(model))
    at_once = _DOCUMENTS_AT_ONCE if has_documents else _ROWS_AT_ONCE
    return selected(model, using).iterator(chunk_size=at_once)
