"""The values of a row as JSON, the same from every database.

JSON columns are carried as the text that the database keeps, so that a null within JSON stays
apart from no value, and SQLite gets back each byte; PostgreSQL keeps no order of keys.
"""

import base64
import datetime as dt
import decimal
import uuid
from collections.abc import Sequence
from typing import Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.functions import Cast
from django.utils.duration import duration_string

Field = models.Field[Any, Any]


def columns_of(model: type[models.Model]) -> list[Field]:
    """Return the fields of a model that a row keeps, in the order of their definition."""
    return [field for field in model._meta.local_concrete_fields if not field.generated]  # noqa: SLF001


def selected(model: type[models.Model], using: str) -> "models.QuerySet[Any, tuple[Any, ...]]":
    """Return every row of a model as a tuple in the order of ``columns_of``, by primary key."""
    rows = model._base_manager.using(using).order_by("pk")  # noqa: SLF001 - leaves none out
    names = []
    for field in columns_of(model):
        if isinstance(field, models.JSONField):
            alias = f"text_of_{field.attname}"
            rows = rows.annotate(**{alias: Cast(field.attname, models.TextField())})
            names.append(alias)
        else:
            names.append(field.attname)
    return rows.values_list(*names)


def to_json(value: object) -> object:
    """Return a value as JSON can say it. Raises ``TypeError`` for what no column has."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, bytes | memoryview):
        return base64.b64encode(value).decode("ascii")
    if isinstance(value, dt.datetime | dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, dt.timedelta):
        return duration_string(value)
    if isinstance(value, uuid.UUID | decimal.Decimal):
        return str(value)
    raise TypeError(f"no column has a {type(value).__name__}")


def to_parameters(
    fields: Sequence[Field], values: Sequence[object], connection: BaseDatabaseWrapper
) -> list[object]:
    """Return the values of a line as the database takes them. Raises ``ValueError``."""
    if len(values) != len(fields):
        raise ValueError("a row has another number of values than of columns")
    return [
        _to_parameter(field, value, connection) for field, value in zip(fields, values, strict=True)
    ]


def placeholder(field: Field, connection: BaseDatabaseWrapper) -> str:
    """Return what stands for a value in SQL."""
    is_json = isinstance(field, models.JSONField)
    return "%s::jsonb" if is_json and connection.vendor == "postgresql" else "%s"


def _to_parameter(field: Field, value: object, connection: BaseDatabaseWrapper) -> object:
    if value is None or isinstance(field, models.JSONField):
        return value
    # A reference has the type of what it refers to.
    of = field.target_field if isinstance(field, models.ForeignKey) else field
    return of.get_db_prep_save(of.to_python(value), connection)
