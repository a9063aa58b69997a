"""Labelled cases in a table: CSV with a head, a case a row, its columns named as the keys in JSON.

Names in a cell are parted by blanks, commas, semicolons or bars, tags by all of these but blanks. A
history is a line an item, or a JSON list; a channel is ``queue:invoices-in``; ``vague`` is ``yes``,
``no`` or nothing. Alternatives, paths and simulated answers have no column.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from routing.evaluation.cases import Case, case_of, parse_cases, whole
from routing.evaluation.faults import BadInput, CaseFault, LineFault, gettext_noop, parsed_text

NAMES = ("expected_tools", "expected_groups", "not_expected")
TEXTS = ("task", "phase", "route", "language", "notes")
COLUMNS = (*TEXTS, *NAMES, "tags", "history", "channel", "vague", "weight")
REQUIRED = ("task", "expected_tools")

NO_COLUMN = gettext_noop("the first line names the columns, and “%(name)s” is not among them")
NO_SUCH_COLUMN = gettext_noop("there is no column “%(name)s” for cases: rename it or leave it out")
CELLS = gettext_noop("this row has %(found)s cells, and the first line names %(wanted)s columns")
EMPTY = gettext_noop("the file is empty: write one case a line")
NOT_CSV = gettext_noop("this is not CSV: %(said)s")
_YES, _NO = {"yes", "true", "1", "x"}, {"", "no", "false", "0"}
_NAMES_APART = re.compile(r"[\s,;|]+")
_TAGS_APART = re.compile(r"[,;|\n]+")


def parse_table(content: bytes, *, source: str) -> tuple[Case, ...]:
    """Return the cases of a CSV file; blank lines are skipped. Raises ``BadInput``."""
    text = parsed_text(content, source=source)
    reader = csv.reader(io.StringIO(text, newline=""), dialect=_dialect(text), strict=True)
    cases: list[Case] = []
    faults: list[LineFault] = []
    head: list[str] | None = None
    bad_head = False
    try:
        for line, cells in _rows(reader):
            if head is None:
                head = [cell.strip().lower() for cell in cells]
                faults += _head_faults(head, line)
                bad_head = bool(faults)
            elif not bad_head:
                try:
                    value = _value(head, cells)
                    cases.append(case_of(value, where=f"{source}:{line}"))
                except CaseFault as fault:
                    faults.append(fault.at(line))
    except csv.Error as error:
        faults.append(LineFault(reader.line_num, NOT_CSV, {"said": str(error)}))
    return whole(cases, faults, source=source)


def parse_file(content: bytes, *, source: str) -> tuple[Case, ...]:
    """Return the cases of a file of either shape: a JSON object begins with a brace."""
    begins = parsed_text(content, source=source).lstrip()[:1]
    if not begins:
        raise BadInput([f"{source}: {EMPTY}"], lines=[LineFault(1, EMPTY)])
    parse = parse_cases if begins in "{[" else parse_table
    return parse(content, source=source)


class _Tabs(csv.excel):
    delimiter = "\t"


class _Semicolons(csv.excel):
    delimiter = ";"


def _dialect(text: str) -> type[csv.Dialect]:
    """Return how cells are parted: by what the first line has most of. Excel has its ways."""
    head = text.split("\n", 1)[0]
    return max((csv.excel, _Semicolons, _Tabs), key=lambda one: head.count(one.delimiter))


def _rows(reader: Any) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not blank, with the line that each begins in."""
    begins = 1
    for cells in reader:
        if any(cell.strip() for cell in cells):
            yield begins, cells
        begins = reader.line_num + 1


def _head_faults(head: list[str], line: int) -> Iterator[LineFault]:
    for name in REQUIRED:
        if name not in head:
            yield LineFault(line, NO_COLUMN, {"name": name})
    for name in head:
        if name not in COLUMNS:
            yield LineFault(line, NO_SUCH_COLUMN, {"name": name})


def _value(head: list[str], cells: list[str]) -> Mapping[str, Any]:
    if len(cells) != len(head):
        raise CaseFault(CELLS, {"found": len(cells), "wanted": len(head)})
    row = dict(zip(head, cells, strict=True))
    value: dict[str, Any] = {name: row[name] for name in TEXTS if row.get(name)}
    value |= {name: [*filter(None, _NAMES_APART.split(row.get(name, "")))] for name in NAMES}
    value["tags"] = [tag.strip() for tag in _TAGS_APART.split(row.get("tags", "")) if tag.strip()]
    value["history"] = _history(row.get("history", ""))
    value["vague"] = _vague(row.get("vague", ""))
    if row.get("channel", "").strip():
        kind, _, name = row["channel"].strip().partition(":")
        value["channel"] = {"kind": kind, "value": name} if name else row["channel"]
    if row.get("weight", "").strip():
        value["weight"] = _number(row["weight"])
    return value


def _history(cell: str) -> Any:
    if not cell.lstrip().startswith("["):
        return [line for line in cell.splitlines() if line.strip()]
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        raise CaseFault(gettext_noop("history: a list in JSON, or a line an item")) from None


def _vague(cell: str) -> bool:
    said = cell.strip().lower()
    if said not in _YES | _NO:
        raise CaseFault(gettext_noop("vague: yes, no or nothing"))
    return said in _YES


def _number(cell: str) -> float | str:
    try:
        return float(cell)
    except ValueError:
        return cell  # which is no weight, as the case then says
