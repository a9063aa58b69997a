"""Put a backup in the place of the database: all of it, or nothing.

On SQLite a second file is filled beside the first and copied over it in one transaction of SQLite's
own backup. On PostgreSQL everything happens in one transaction, the tables included.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor

from dashboard.backup.loading import fill, targets_of
from dashboard.backup.manifest import BadBackup
from dashboard.backup.reading import Backup
from dashboard.backup.saving import saved_models

# What a new installation has by itself.
_MADE_BY_MIGRATING = {"django_content_type", "auth_permission", "routing_workerbeat"}


class NotEmpty(Exception):
    """There is something in the database already."""


def restore(
    backup: Backup, *, replace: bool = False, say: Callable[[str], object] = lambda line: None
) -> None:
    """Make the database what it was when a backup was made, and bring it to this version.

    Raises ``NotEmpty`` where anything is in it and ``replace`` was not said, and ``BadBackup``
    where this version cannot read the backup. Whatever is raised, nothing has changed.
    """
    targets_of(backup.manifest, connection)
    if not replace and (found := _what_is_there()):
        raise NotEmpty(", ".join(found))
    if connection.vendor == "sqlite":
        _restore_sqlite(backup, say=say)
    else:
        _restore_postgresql(backup, say=say)


def _what_is_there() -> list[str]:
    """Return the tables that have rows, but for those that migrating alone fills."""
    present = set(connection.introspection.table_names())
    looked_at = [
        model
        for model in saved_models()
        if model._meta.db_table in present - _MADE_BY_MIGRATING  # noqa: SLF001
    ]
    return sorted(
        model._meta.db_table  # noqa: SLF001
        for model in looked_at
        if _has_rows(model._meta.db_table)  # noqa: SLF001
    )


def _has_rows(table: str) -> bool:
    with connection.cursor() as cursor:
        # The columns may be those of an older version.
        cursor.execute(f"SELECT 1 FROM {connection.ops.quote_name(table)} LIMIT 1")  # noqa: S608
        return cursor.fetchone() is not None


def _restore_sqlite(backup: Backup, *, say: Callable[[str], object]) -> None:
    path = Path(str(connection.settings_dict["NAME"]))
    draft = path.with_name(f"{path.name}.{os.getpid()}.restoring")
    try:
        with _in_place_of_default(draft) as filling:
            fill(backup, filling, say=say)
            with filling.cursor() as cursor:
                cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        with closing(sqlite3.connect(draft)) as source, closing(sqlite3.connect(path)) as into:
            source.backup(into)
    finally:
        for suffix in ("", "-wal", "-shm", "-journal"):
            Path(f"{draft}{suffix}").unlink(missing_ok=True)


@contextmanager
def _in_place_of_default(path: Path) -> Iterator[BaseDatabaseWrapper]:
    """Give migrations, which write to the default alias, a database of another file."""
    present = connections[DEFAULT_DB_ALIAS]
    other = present.copy()
    other.settings_dict["NAME"] = str(path)
    connections[DEFAULT_DB_ALIAS] = other
    try:
        yield other
    finally:
        other.close()
        connections[DEFAULT_DB_ALIAS] = present


def _restore_postgresql(backup: Backup, *, say: Callable[[str], object]) -> None:
    executor = MigrationExecutor(connection)
    applied = executor.loader.applied_migrations
    if applied and executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise BadBackup("Migrations wait to be applied: run “manage.py migrate” first.")
    with transaction.atomic():
        _drop_tables()
        fill(backup, connections[DEFAULT_DB_ALIAS], say=say)


def _drop_tables() -> None:
    """Drop every table of ours with its triggers, and the functions of these."""
    quote = connection.ops.quote_name
    present = set(connection.introspection.table_names())
    own = {model._meta.db_table for model in saved_models()}  # noqa: SLF001
    with connection.cursor() as cursor:
        for table in sorted(present & {*own, "django_session", "django_migrations"}):
            cursor.execute(f"DROP TABLE {quote(table)} CASCADE")
        for table in sorted(own):
            cursor.execute(f"DROP FUNCTION IF EXISTS {quote(f'{table}_keep')}()")
