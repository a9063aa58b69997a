"""Fetch a row with a statement that is built once, as ``inserting`` adds one.

Django builds the statement of every query anew, which takes several times as long as running it. A
call that is proposed reads four rows or so.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, TypeVar
from uuid import UUID

from django.db import connection, models
from django.db.models.query import (  # type: ignore[attr-defined]
    QuerySet,
    get_related_populators,
)

_Row = TypeVar("_Row", bound=models.Model)
# What stands in a statement for a value that is given later. Nothing else in one is like these.
_MARKS: Mapping[type, Callable[[int], Any]] = {
    int: lambda number: 7_305_000_000_000_000_000 + number,
    str: lambda number: f"value {number} of a statement",
    UUID: lambda number: UUID(int=0x7305 << 112 | number),
}


class Fetch(Generic[_Row]):
    """Fetches the first row of a query with values that differ from time to time.

    ``build`` makes the queryset from its values, of the types that ``kinds`` names; whatever else
    the query depends on is in it for good. What it joins by ``select_related`` comes along.
    """

    def __init__(self, build: Callable[..., "QuerySet[_Row]"], /, **kinds: type) -> None:
        self._build = build
        self._kinds = kinds
        self._statements: dict[str, _Statement] = {}

    def first(self, **values: object) -> _Row | None:
        """Return the row, ``None`` where there is none."""
        statement = self._statements.get(connection.vendor)
        if statement is None:
            marks = {name: _MARKS[kind](place) for place, (name, kind) in self._numbered()}
            statement = _Statement(self._build(**marks)[:1], marks)
            self._statements[connection.vendor] = statement
        row: _Row | None = statement.first(values)
        return row

    def _numbered(self) -> Iterable[tuple[int, tuple[str, type]]]:
        return enumerate(self._kinds.items())


class _Statement:
    """A statement of one database, with how its rows become models."""

    def __init__(self, rows: "QuerySet[Any]", marks: Mapping[str, object]) -> None:
        compiler: Any = rows.query.get_compiler(connection=connection)
        self._sql, params = compiler.as_sql()
        by_mark = {_prepared(mark): name for name, mark in marks.items()}
        self._places = [
            (by_mark[value], None) if value in by_mark else (None, value) for value in params
        ]
        unasked = marks.keys() - {name for name, _ in self._places}
        if unasked:
            raise ValueError(f"The statement does not ask for {', '.join(sorted(unasked))}.")
        known = compiler.klass_info
        first, last = known["select_fields"][0], known["select_fields"][-1] + 1
        self._own = slice(first, last)
        self._model = known["model"]
        self._names = [column.target.attname for column, *_ in compiler.select[self._own]]
        self._populators = get_related_populators(known, compiler.select, connection.alias)
        self._annotations: dict[str, int] = compiler.annotation_col_map or {}
        # By place: from what the driver returns to what Django does.
        found = compiler.get_converters([column for column, *_ in compiler.select])
        self._converters = [(place, *found[place]) for place in found]

    def first(self, values: Mapping[str, object]) -> Any:
        params: list[Any] = [
            constant if name is None else _prepared(values[name]) for name, constant in self._places
        ]
        with connection.cursor() as cursor:
            cursor.execute(self._sql, params)
            found = cursor.fetchone()
        if found is None:
            return None
        row = list(found)
        for place, converters, expression in self._converters:
            for convert in converters:
                row[place] = convert(row[place], expression, connection)
        made = self._model.from_db(connection.alias, self._names, row[self._own])
        for populator in self._populators:
            populator.populate(row, made)
        for name, place in self._annotations.items():
            setattr(made, name, row[place])
        return made


def _prepared(value: object) -> object:
    if isinstance(value, UUID) and not connection.features.has_native_uuid_field:
        return value.hex
    return value
