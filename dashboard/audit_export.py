"""The audit log as a file, written while it is read: CSV, or a line of JSON an entry."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.db.models import QuerySet

from catalog.models import AuditEntry
from dashboard.spreadsheets import csv_rows

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


def csv_lines(entries: "QuerySet[AuditEntry]") -> Iterator[str]:
    """Yield a header and a line an entry; values of before and after are JSON."""
    yield from csv_rows([FIELDS])
    yield from csv_rows(_values(entry).values() for entry in _in_pages(entries))


def json_lines(entries: "QuerySet[AuditEntry]") -> Iterator[str]:
    """Yield an entry a line, as a JSON object."""
    for entry in _in_pages(entries):
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


def _in_pages(entries: "QuerySet[AuditEntry]") -> Iterator[AuditEntry]:
    """Yield entries in the order of their ids; no query stays open while a reader is slow."""
    last = 0
    while page := list(entries.filter(pk__gt=last).order_by("pk")[:_AT_ONCE]):
        yield from page
        last = page[-1].pk
