"""Insert a row with a statement that is written once.

Django builds the statement of every insert anew, which takes several times as long as running it. A
request of the API inserts two or three rows.
"""

from functools import cache
from typing import Any

from django.db import connection, models


def insert(row: models.Model) -> None:
    """Add a new row and set its primary key. Defaults count, signals are not sent."""
    statement, fields = _statement(type(row))
    values = [field.get_db_prep_save(getattr(row, field.attname), connection) for field in fields]
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        row.pk = cursor.fetchone()[0]


@cache
def _statement(model: type[models.Model]) -> "tuple[str, list[models.Field[Any, Any]]]":
    meta = model._meta  # noqa: SLF001 - Django's public way to a table's columns
    fields = [field for field in meta.concrete_fields if not isinstance(field, models.AutoField)]
    quote = connection.ops.quote_name
    into = f"{quote(meta.db_table)} ({', '.join(quote(field.column) for field in fields)})"
    places = ", ".join(["%s"] * len(fields))
    # The names are our own models', quoted; values travel as parameters.
    statement = f"INSERT INTO {into} VALUES ({places}) RETURNING {quote(meta.pk.column)}"  # noqa: S608
    return statement, fields
