"""Read a JSON Schema as a person typed it, and say where each fault is.

Stricter than ``json.loads``, since what is saved must come out of every database and every provider
as it went in: no duplicate keys, NaN, numbers too large for a float, U+0000 or lone surrogates, and
no nesting that a parser elsewhere would give up at.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from catalog.document import schema_problems

MAX_CHARACTERS = 100_000
MAX_DEPTH = 100

# What json says of text that is none, marked for translation.
JSON_FAULTS = (
    gettext_noop("Expecting value"),
    gettext_noop("Expecting property name enclosed in double quotes"),
    gettext_noop("Expecting ':' delimiter"),
    gettext_noop("Expecting ',' delimiter"),
    gettext_noop("Illegal trailing comma before end of object"),
    gettext_noop("Illegal trailing comma before end of array"),
    gettext_noop("Extra data"),
    gettext_noop("Unterminated string starting at"),
    gettext_noop("Invalid control character at"),
    gettext_noop("Invalid \\escape"),
    gettext_noop("Invalid \\uXXXX escape"),
    gettext_noop("Unexpected UTF-8 BOM (decode using utf-8-sig)"),
)

# A string that nobody closed ends with the text: were it no match, the search would begin again at
# each quote inside it and take quadratic time.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\\?\Z)|[\[\]{}:,]|[^\s\[\]{}:,"]+', re.DOTALL)
_UNSAFE = re.compile("[\0\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong, and where in the text: ``line`` and ``column`` count from 1."""

    message: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        if self.line is None:
            return self.message
        place = _("Line %(line)d, column %(column)d") % {"line": self.line, "column": self.column}
        return f"{place}: {self.message}"


@dataclass(frozen=True, slots=True)
class Reading:
    """A schema's value, or the faults that keep the text from being one."""

    value: dict[str, Any] | None
    faults: tuple[Fault, ...] = ()


def read_schema(text: str) -> Reading:
    """Return the schema in ``text``, or every fault that can be told at once."""
    try:
        value = _parse(text)
    except _Unreadable as error:
        return Reading(None, (error.fault,))
    walk = _Walk(text)
    faults = tuple(walk.faults()) or tuple(_schema_faults(text, value, walk.places))
    return Reading(None, faults) if faults else Reading(value)


class _Unreadable(Exception):
    """The text is no JSON, or one that nobody should read."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(str(fault))
        self.fault = fault


def _parse(text: str) -> Any:
    if len(text) > MAX_CHARACTERS:
        limit = _("A schema has at most %(limit)d characters.") % {"limit": MAX_CHARACTERS}
        raise _Unreadable(Fault(limit))
    if (deep := _too_deep(text)) is not None:
        message = _("Nested more than %(limit)d deep.") % {"limit": MAX_DEPTH}
        raise _Unreadable(_at(text, deep, message))
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        fault = Fault(f"{_(error.msg)}.", error.lineno, error.colno)
        raise _Unreadable(fault) from error
    except ValueError as error:  # NaN, or an integer of thousands of digits
        raise _Unreadable(Fault(str(error))) from error


def write_schema(value: Mapping[str, Any] | None) -> str:
    """Return a schema as a person reads it; no schema is no text."""
    if value is None:
        return ""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    # What was typed without spaces must not become too long to be saved again.
    return text if len(text) <= MAX_CHARACTERS else json.dumps(value, ensure_ascii=False)


def _at(text: str, place: int, message: str) -> Fault:
    line_start = text.rfind("\n", 0, place) + 1
    return Fault(message, text.count("\n", 0, place) + 1, place - line_start + 1)


def _too_deep(text: str) -> int | None:
    depth = 0
    for token in _TOKEN.finditer(text):
        if token[0] in ("{", "["):
            depth += 1
            if depth > MAX_DEPTH:
                return token.start()
        elif token[0] in ("}", "]"):
            depth -= 1
    return None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(_("JSON has no %(name)s.") % {"name": name})


def _schema_faults(text: str, value: object, places: Mapping[str, int]) -> Iterator[Fault]:
    for problem in schema_problems(value):
        message = _(problem.template) % problem.params
        place = None if problem.path is None else places.get(problem.path)
        yield Fault(message) if place is None else _at(text, place, message)


@dataclass(slots=True)
class _Frame:
    """An object or array that the walk is inside of."""

    is_object: bool
    index: int = 0
    key: str = ""
    keys: set[str] = field(default_factory=set)
    at_key: bool = True

    @property
    def step(self) -> str:
        return self.key if self.is_object else str(self.index)


class _Walk:
    """One pass over text that is known to be JSON.

    ``places`` maps each value's pointer, steps joined by ``/``, to where it begins.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.places: dict[str, int] = {}
        self._frames: list[_Frame] = []

    def faults(self) -> Iterator[Fault]:
        for token in _TOKEN.finditer(self.text):
            for message in self._step(token[0], token.start()):
                yield _at(self.text, token.start(), message)

    def _step(self, mark: str, start: int) -> Iterator[str]:
        top = self._frames[-1] if self._frames else None
        if mark in ("}", "]"):
            self._frames.pop()
        elif mark == "," and top:
            top.index += 1
            top.at_key = True
        elif mark == ":":
            pass
        elif top and top.is_object and top.at_key:
            yield from self._key(mark, top)
        else:
            self.places["/".join(frame.step for frame in self._frames)] = start
            if mark in ("{", "["):
                self._frames.append(_Frame(is_object=mark == "{"))
            elif mark[0] == '"':
                yield from _text_faults(json.loads(mark))
            elif math.isinf(float(mark) if mark[-1].isdigit() else 0):
                yield _("This number is too large.")

    def _key(self, mark: str, top: _Frame) -> Iterator[str]:
        key = json.loads(mark)
        if key in top.keys:
            yield _("The key “%(key)s” occurs twice.") % {"key": key}
        yield from _text_faults(key)
        top.keys.add(key)
        top.key = key
        top.at_key = False


def _text_faults(value: str) -> Iterator[str]:
    if _UNSAFE.search(value):
        yield _("Text may hold neither U+0000 nor half of a surrogate pair.")
