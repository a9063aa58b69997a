"""The audit log as a file, written while it is read: CSV, or a line of JSON an entry."""

import csv
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.db.models import QuerySet

from catalog.models import AuditEntry

FIELDS = (
    "id",
    "at",
    "operation",
    "by",
    "via",
    "action",
    "kind",
    "subject",
    "row",
    "before",
    "after",
    "note",
)
_AT_ONCE = 500
# What begins so is a formula to a spreadsheet, whoever wrote it.
_FORMULAS = ("=", "+", "-", "@", "\t", "\r")


class _Line:
    """A file that gives back what is written to it."""

    def write(self, text: str) -> str:
        """Return the text."""
        return text


def csv_lines(entries: "QuerySet[AuditEntry]") -> Iterator[str]:
    """Yield a header and a line an entry; values of before and after are JSON."""
    writer = csv.writer(_Line())
    yield writer.writerow(FIELDS)
    for entry in entries.iterator(chunk_size=_AT_ONCE):
        yield writer.writerow([_cell(value) for value in _values(entry).values()])


def json_lines(entries: "QuerySet[AuditEntry]") -> Iterator[str]:
    """Yield an entry a line, as a JSON object."""
    for entry in entries.iterator(chunk_size=_AT_ONCE):
        yield json.dumps(_values(entry), ensure_ascii=False) + "\n"


# By the ending of the file: what it is, and who writes it.
WRITERS: Mapping[str, tuple[str, Callable[["QuerySet[AuditEntry]"], Iterator[str]]]] = {
    "csv": ("text/csv; charset=utf-8", csv_lines),
    "jsonl": ("application/jsonl; charset=utf-8", json_lines),
}


def _values(entry: AuditEntry) -> dict[str, Any]:
    said = {
        "id": entry.pk,
        "at": entry.at.isoformat(),
        "operation": str(entry.operation),
        "by": entry.by_name,
    }
    return said | {name: getattr(entry, name) for name in FIELDS[4:]}


def _cell(value: object) -> object:
    if value is None or isinstance(value, int):
        return value
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f"'{text}" if text.startswith(_FORMULAS) else text
