"""Tools as lines of a prompt: ``- name(arg: type, optional?: type): description``."""

import json
import re
from collections.abc import Iterator
from typing import Any

from catalog.reading.results import Draft, Faulted, Faulty

_LINE = re.compile(r"\s*[-*]?\s*(?P<name>[^\s(:]+)\((?P<arguments>.*?)\)\s*(?::\s*(?P<said>.*))?")
_ARGUMENT = re.compile(r"(?P<name>[^:]+?)(?P<optional>\?)?\s*(?::\s*(?P<type>.+))?")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_TYPES = ("string", "integer", "number", "boolean", "object", "array", "null")


def is_prompt(text: str) -> bool:
    """Tell whether a text's first line is a tool."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    return first.lstrip()[:1] in ("-", "*") and _LINE.fullmatch(first) is not None


def entries(text: str) -> Iterator[Draft | Faulty]:
    """Return the tool of each line that is not blank."""
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        place = f"line {number}"
        try:
            yield _draft(line, place)
        except Faulted as fault:
            yield Faulty(place, None, (fault.remark,))


def _draft(line: str, place: str) -> Draft:
    match = _LINE.fullmatch(line)
    if match is None:
        raise Faulted("not_a_line")
    properties: dict[str, Any] = {}
    required = []
    for argument in _split(match["arguments"], ","):
        found = _ARGUMENT.fullmatch(argument)
        if found is None or found["name"] in properties:
            raise Faulted("not_a_line")
        properties[found["name"]] = _schema(found["type"] or "any")
        if not found["optional"]:
            required.append(found["name"])
    schema = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    fields = {"description": match["said"], "input_schema": schema}
    return Draft(place, match["name"], fields)


def _split(text: str, mark: str) -> list[str]:
    """Split at a mark outside quotes; nothing is no part."""
    masked = _QUOTED.sub(lambda quoted: "x" * len(quoted[0]), text)
    ends = [place for place, character in enumerate(masked) if character == mark]
    starts = [0, *(end + 1 for end in ends)]
    parts = [text[start:end].strip() for start, end in zip(starts, [*ends, len(text)], strict=True)]
    return [part for part in parts if part]


def _schema(kind: str) -> dict[str, Any]:
    if kind.endswith("[]") and "|" not in kind:
        items = _schema(kind[:-2])
        return {"type": "array", "items": items} if items else {"type": "array"}
    parts = _split(kind, "|")
    if all(part in _TYPES for part in parts):
        return {"type": parts[0] if len(parts) == 1 else parts}
    if all(_QUOTED.fullmatch(part) for part in parts):
        try:
            return {"enum": [json.loads(part) for part in parts]}
        except ValueError as error:
            raise Faulted("not_a_line") from error
    return {}
