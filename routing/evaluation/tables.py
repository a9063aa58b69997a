"""Tables of measures, for a terminal and for a page in Markdown."""

from __future__ import annotations

from collections.abc import Sequence

Row = Sequence[str]


def number(value: float | None, *, places: int = 3) -> str:
    """Return a measure as it is shown: a dash where there is none."""
    return "-" if value is None else f"{value:.{places}f}"


def aligned(rows: Sequence[Row]) -> list[str]:
    """Return lines with columns under each other: the first to the left, the others to the right.

    Raises ``ValueError`` if a row is longer or shorter than the first.
    """
    columns = list(zip(*rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    return [
        "  ".join(
            cell.rjust(width) if place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def markdown(rows: Sequence[Row]) -> list[str]:
    """Return a Markdown table: the first row is its head, all columns but the first are numbers.

    Raises ``ValueError`` if a row is longer or shorter than the first.
    """
    head, *body = rows
    if any(len(row) != len(head) for row in body):
        raise ValueError("The rows differ in length.")
    rule = ["---", *["--:"] * (len(head) - 1)]
    return [f"| {' | '.join(_cell(cell) for cell in row)} |" for row in (head, rule, *body)]


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
