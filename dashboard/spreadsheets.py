"""Lines of CSV, written while they are read, that no spreadsheet takes for formulas."""

import csv
import json
from collections.abc import Iterable, Iterator

# What begins so is a formula to a spreadsheet, whoever wrote it.
_FORMULAS = ("=", "+", "-", "@", "\t", "\r")


class _Line:
    """A file that gives back what is written to it."""

    def write(self, text: str) -> str:
        """Return the text."""
        return text


def csv_rows(rows: Iterable[Iterable[object]]) -> Iterator[str]:
    """Yield a line a row; what is neither a text nor a number is written as JSON."""
    writer = csv.writer(_Line())
    for row in rows:
        yield writer.writerow([cell(value) for value in row])


def cell(value: object) -> object:
    """Return a value as a cell that shows it and does nothing."""
    if value is None or isinstance(value, int | float):
        return value
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f"'{text}" if text.startswith(_FORMULAS) else text
