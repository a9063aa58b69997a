"""Fill an empty database from a backup: the tables as they were then, the rows, what came since."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.core.management import call_command
from django.core.management.color import no_style
from django.db import models, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor

from dashboard.backup.manifest import BadBackup, Manifest
from dashboard.backup.reading import Backup
from dashboard.backup.values import Field, columns_of, placeholder, to_parameters
from routing.partitions.days import day_of_id
from routing.partitions.opening import go_on_after_loading
from routing.partitions.references import check_references
from routing.partitions.tables import COLUMNS, make_days

_DAYS = "routing_spanday"
_ROWS_AT_ONCE = 500
# Parameters are kept until they are sent: a few documents of megabytes are enough at once.
_CHARACTERS_AT_ONCE = 4 * 1024 * 1024

Model = type[models.Model]


def targets_of(manifest: Manifest, connection: BaseDatabaseWrapper) -> list[tuple[str, str]]:
    """Return the last migrations of a backup, to which a database is brought before its rows.

    Raises ``BadBackup`` where one is not known here: the backup is of a newer version.
    """
    graph = MigrationExecutor(connection).loader.graph
    applied = {(app, name) for app, names in manifest.migrations.items() for name in names}
    if unknown := sorted(applied - set(graph.nodes)):
        named = ", ".join(f"{app}.{name}" for app, name in unknown)
        raise BadBackup(f"The backup is of a newer version, which has the migrations {named}.")
    followed = {
        parent.key
        for node in applied
        for parent in graph.node_map[node].parents
        if parent.key[0] == node[0]
    }
    return sorted(applied - followed)


def fill(backup: Backup, connection: BaseDatabaseWrapper, *, say: Callable[[str], object]) -> None:
    """Make the tables of a backup, put its rows in, and bring them to the present version.

    The connection is that of the default alias, which migrations write to. Raises ``BadBackup``
    for rows that do not fit; what was done until then is for the caller to throw away.
    """
    targets = targets_of(backup.manifest, connection)
    MigrationExecutor(connection).migrate(targets)
    known = _models_at(targets, connection)
    if missing := sorted(set(backup.manifest.tables) - set(known)):
        raise BadBackup(f"The backup has tables that are not known here: {', '.join(missing)}.")
    with transaction.atomic():
        _make_room(backup, connection)
        _put_references_off(connection)
        for table in backup.manifest.tables:
            _load(backup, known[table], connection)
            say(f"{table}: {backup.manifest.tables[table].rows}")
        connection.check_constraints()  # what refers to a row that is not there
        _reset_sequences(list(known.values()), connection)
    call_command("migrate", verbosity=0)
    if connection.vendor == "postgresql":
        go_on_after_loading()
        check_references()


def _make_room(backup: Backup, connection: BaseDatabaseWrapper) -> None:
    """Make the partitions of the days that a backup tells of, where the database has any."""
    if connection.vendor != "postgresql" or _DAYS not in backup.manifest.tables:
        return
    place = backup.manifest.tables[_DAYS].columns.index("first")
    days = {day_of_id(int(str(row[place]))) for row in backup.rows(_DAYS)}
    with connection.cursor() as cursor:
        for table in COLUMNS:
            make_days(cursor, table, days)


def _put_references_off(connection: BaseDatabaseWrapper) -> None:
    """Let rows come before what they refer to: migrations had some constraints look at once."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def _models_at(
    targets: list[tuple[str, str]], connection: BaseDatabaseWrapper
) -> Mapping[str, Model]:
    """Return the models by table as they were at some migrations."""
    state = MigrationExecutor(connection).loader.project_state(targets)
    found = state.apps.get_models(include_auto_created=True)
    return {model._meta.db_table: model for model in found if model._meta.managed}  # noqa: SLF001


def _load(backup: Backup, model: Model, connection: BaseDatabaseWrapper) -> None:
    table = model._meta.db_table  # noqa: SLF001
    by_column = {field.column: field for field in columns_of(model)}
    columns = backup.manifest.tables[table].columns
    if set(columns) != set(by_column):
        raise BadBackup(f"The columns of {table} are others than its migrations make.")
    fields = [by_column[column] for column in columns]
    with connection.cursor() as cursor:
        for batch in _batches(backup.rows(table), fields, connection, table):
            cursor.executemany(_insertion(table, fields, connection), batch)


def _insertion(table: str, fields: list[Field], connection: BaseDatabaseWrapper) -> str:
    quote = connection.ops.quote_name
    columns = ", ".join(quote(field.column) for field in fields)
    values = ", ".join(placeholder(field, connection) for field in fields)
    return f"INSERT INTO {quote(table)} ({columns}) VALUES ({values})"  # noqa: S608 - our own names


def _batches(
    rows: Iterator[list[object]], fields: list[Field], connection: BaseDatabaseWrapper, table: str
) -> Iterator[list[list[Any]]]:
    batch: list[list[Any]] = []
    characters = 0
    for row in rows:
        try:
            batch.append(to_parameters(fields, row, connection))
        except Exception as error:
            raise BadBackup(f"A row of {table} does not fit: {error}") from error
        characters += sum(len(value) for value in row if isinstance(value, str))
        if len(batch) == _ROWS_AT_ONCE or characters > _CHARACTERS_AT_ONCE:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


def _reset_sequences(found: list[Model], connection: BaseDatabaseWrapper) -> None:
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), found):
            cursor.execute(statement)
