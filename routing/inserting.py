"""Insert a row with a statement that is written once.

Django builds the statement of every insert anew, which takes several times as long as running it. A
request of the API inserts two or three rows.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

from django.db import connection, models

# A field, and the type of those of its values that need no preparing. Half of the time of an insert
# would go into asking fields what they make of a number or a text that stays what it is.
_Column = tuple["models.Field[Any, Any]", type | None]
_AS_THEY_ARE: "tuple[tuple[type[models.Field[Any, Any]], type], ...]" = (
    (models.BooleanField, bool),
    (models.CharField, str),
    (models.FloatField, float),
    (models.ForeignKey, int),
    (models.IntegerField, int),
    (models.TextField, str),
)


def insert(row: models.Model) -> None:
    """Add a new row and set its primary key. Defaults count, signals are not sent."""
    statement, fields = _statement(type(row))
    with connection.cursor() as cursor:
        cursor.execute(statement, _values(row, fields))
        row.pk = cursor.fetchone()[0]


def insert_where(row: models.Model, *, there_is: str, values: Sequence[int | str]) -> bool:
    """Add a new row only beside a row of another table, and tell whether it was added.

    ``there_is`` is written by us, as ``table WHERE condition``, with ``%s`` for each of ``values``.
    PostgreSQL holds that row until the transaction ends, against who has it ``FOR UPDATE``.
    """
    statement, fields = _statement(type(row), there_is)
    with connection.cursor() as cursor:
        cursor.execute(statement, [*_values(row, fields), *values])
        return cursor.fetchone() is not None


def _values(row: models.Model, fields: "Sequence[_Column]") -> list[Any]:
    values = []
    for field, plain in fields:
        value = getattr(row, field.attname)
        if plain is None or (value is not None and type(value) is not plain):
            value = field.get_db_prep_save(value, connection)
        values.append(value)
    return values


@cache
def _statement(model: type[models.Model], there_is: str = "") -> "tuple[str, list[_Column]]":
    meta = model._meta  # noqa: SLF001 - Django's public way to a table's columns
    fields = [field for field in meta.concrete_fields if not isinstance(field, models.AutoField)]
    quote = connection.ops.quote_name
    into = f"{quote(meta.db_table)} ({', '.join(quote(field.column) for field in fields)})"
    places = ", ".join(["%s"] * len(fields))
    source = f"VALUES ({places})"
    if there_is:
        lock = " FOR KEY SHARE" if connection.features.has_select_for_update else ""
        source = f"SELECT {places} FROM {there_is}{lock}"  # noqa: S608
    # The names are our own models', quoted; values travel as parameters.
    statement = f"INSERT INTO {into} {source} RETURNING {quote(meta.pk.column)}"
    return statement, [(field, _plain(field)) for field in fields]


def _plain(field: "models.Field[Any, Any]") -> type | None:
    return next((plain for kind, plain in _AS_THEY_ARE if isinstance(field, kind)), None)
