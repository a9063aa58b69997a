"""Rows that were written once in a test run are put back where another test needs the same.

To publish a sample takes 0.07 s of a processor and a thousand tests begin with it; to put back what
it wrote takes a tenth of that.
"""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass

from django.apps import apps
from django.core.management.color import no_style
from django.db import connection, transaction

# A value as the database itself writes it in a statement, whatever its type.
_QUOTED = {"sqlite": "quote({})", "postgresql": "quote_nullable({}::text)"}
_kept: dict[Hashable, "Kept"] = {}


@dataclass(frozen=True, slots=True)
class Kept:
    """The tables that were written to, empty before, and the statements that fill them again."""

    tables: frozenset[str]
    statements: tuple[str, ...]


def once(key: Hashable, write: Callable[[], object]) -> None:
    """Write some rows, or put back those that were written under this key.

    ``write`` only adds rows, with the same values under the same key but for random identifiers.
    """
    before = _counts()
    kept = _kept.get(key)
    if kept is not None and not any(before[table] for table in kept.tables):
        # Rows refer to others that come later, which is looked at when a transaction ends.
        with transaction.atomic(), connection.cursor() as cursor:
            for statement in kept.statements:
                cursor.execute(statement)
        return
    write()
    changed = {table for table, count in _counts().items() if count != before[table]}
    if not any(before[table] for table in changed):
        _kept[key] = Kept(tables=frozenset(changed), statements=tuple(_filling(changed)))


def _counts() -> dict[str, int]:
    tables = connection.introspection.django_table_names(include_views=False)
    each = (f"SELECT '{table}', count(*) FROM \"{table}\"" for table in tables)  # noqa: S608
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(each))
        return dict(cursor.fetchall())


def _filling(tables: set[str]) -> Iterator[str]:
    """Yield what fills some tables with the rows that they have, and counts on from there."""
    models = [
        model
        for model in apps.get_models(include_auto_created=True)
        if model._meta.db_table in tables
    ]
    for model in models:
        table = model._meta.db_table
        columns = [f'"{field.column}"' for field in model._meta.concrete_fields]
        values = " || ', ' || ".join(_QUOTED[connection.vendor].format(one) for one in columns)
        with connection.cursor() as cursor:
            cursor.execute(f'SELECT {values} FROM "{table}" ORDER BY 1')  # noqa: S608
            rows = ", ".join(f"({row})" for (row,) in cursor.fetchall())
        yield f'INSERT INTO "{table}" ({", ".join(columns)}) VALUES {rows}'  # noqa: S608
    yield from connection.ops.sequence_reset_sql(no_style(), models)
