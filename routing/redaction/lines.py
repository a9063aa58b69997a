r"""An owner's own patterns as they are written: one a line, behind the name that stands in place.

[order number] \bORD-\d{6}\b
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import re2

from routing.redaction.redactor import Redactor, Sought, sought_own

MOST_PATTERNS = 50
LONGEST_PATTERN = 500
LONGEST_NAME = 40

_LINE = re.compile(r"(\[[^\[\]]*\])\s+(\S.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Line:
    """A pattern in the syntax of RE2, and the name in brackets that stands for what it finds."""

    name: str
    pattern: str


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a line (from 1 on; 0 for all of them) cannot be used.

    ``code`` is one of ``shape``, ``name_length``, ``length``, ``pattern``, ``empty``, ``itself``
    and ``too_many``, ``params`` are what a sentence about it needs. Of ``pattern`` these are RE2's
    ``reason``, the ``part`` that it is about, and the character ``at`` which that begins, 0 where
    RE2 does not say.
    """

    line: int
    code: str
    params: dict[str, str | int] = field(default_factory=dict)


def written(lines: Sequence[Line]) -> str:
    """Return patterns as they are written."""
    return "\n".join(f"{line.name} {line.pattern}" for line in lines)


def lines_of(text: str) -> list[tuple[int, str]]:
    """Return the lines that are not blank, each with its number."""
    numbered = enumerate((line.strip() for line in text.splitlines()), start=1)
    return [(number, line) for number, line in numbered if line]


def read_lines(text: str) -> tuple[tuple[Line, ...], list[Fault]]:
    """Return the patterns of a text, and everything that is wrong with them."""
    lines, faults = [], []
    numbered = lines_of(text)
    if len(numbered) > MOST_PATTERNS:
        return (), [Fault(0, "too_many", {"most": MOST_PATTERNS, "count": len(numbered)})]
    for number, said in numbered:
        found = _LINE.fullmatch(said)
        if found is None:
            faults.append(Fault(number, "shape"))
            continue
        line = Line(name=found[1], pattern=found[2])
        faults += (problems := list(_faults(number, line)))
        if not problems:
            lines.append(line)
    return tuple(lines), faults


def _faults(number: int, line: Line) -> Iterator[Fault]:
    if not 1 <= len(line.name[1:-1].strip()) <= LONGEST_NAME:
        yield Fault(number, "name_length", {"most": LONGEST_NAME})
        return
    if len(line.pattern) > LONGEST_PATTERN:
        yield Fault(number, "length", {"most": LONGEST_PATTERN, "count": len(line.pattern)})
        return
    try:
        sought = sought_own(name=line.name, pattern=line.pattern)
    except re2.error as error:
        yield _refused(number, line.pattern, error)
        return
    yield from _useless(number, line, sought)


def _useless(number: int, line: Line, sought: Sought) -> Iterator[Fault]:
    if sought.pattern.search(b"") is not None:
        yield Fault(number, "empty")
    elif Redactor([sought]).text(line.name) != line.name:
        yield Fault(number, "itself", {"name": line.name})


def _refused(number: int, pattern: str, error: Exception) -> Fault:
    said = error.args[0]
    reason = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
    # RE2 says “reason: part of the pattern”.
    reason, _colon, part = reason.partition(": ")
    at = pattern.find(part) + 1 if part else 0
    return Fault(number, "pattern", {"reason": reason, "part": part, "at": at})
