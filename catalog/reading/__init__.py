"""Read a provider's document into tools of the native shape.

Pure: text in, a ``Reading`` out. A faulty entry is told with its place and reason and never takes
its neighbours along; whatever is changed is noted.
"""

from collections.abc import Mapping
from typing import Any

from catalog.reading import prompt
from catalog.reading.listed import listed, next_page
from catalog.reading.objects import Doubled
from catalog.reading.openapi import is_openapi, read_openapi
from catalog.reading.parsing import parse
from catalog.reading.providers import PROVIDERS
from catalog.reading.results import Draft, Faulted, Faulty, Found, Reading, Remark
from catalog.reading.settling import name_of, settle

# What can be read, those of providers first; as in ``catalog.formats``, and OpenAPI.
READABLE = (
    "openai",
    "openai-responses",
    "anthropic",
    "mcp",
    "gemini",
    "openapi",
    "prompt",
    "native",
)

__all__ = ["READABLE", "Faulty", "Found", "Reading", "Remark", "read"]


def read(content: bytes | str, *, format_name: str | None = None) -> Reading:
    """Return what a document holds; without a format, each entry tells its own.

    Never raises for what the document says; raises ``ValueError`` for a format that is not among
    ``READABLE``.
    """
    if format_name is not None and format_name not in READABLE:
        raise ValueError(f"“{format_name}” cannot be read.")
    notes: list[Remark] = []
    try:
        found, entries = _entries(content, format_name, notes)
        settled = settle(entries)
    except Faulted as fault:
        return Reading(format_name, notes=tuple(notes), faults=(fault.remark,))
    faults = () if settled else (Remark("no_tools"),)
    return Reading(found, settled, tuple(notes), faults)


def _entries(
    content: bytes | str, format_name: str | None, notes: list[Remark]
) -> tuple[str | None, list[Draft | Faulty]]:
    text = content if isinstance(content, str) else content.decode("utf-8-sig", "replace")
    if format_name == "prompt" or (format_name is None and prompt.is_prompt(text)):
        return "prompt", list(prompt.entries(text))
    value = parse(content)
    if format_name == "openapi" or (format_name is None and is_openapi(value)):
        if not is_openapi(value):
            raise Faulted("unknown_format")
        return "openapi", list(read_openapi(value, notes))
    if not isinstance(value, Mapping | list):
        raise Faulted("unknown_format")
    _note_the_rest(value, notes)
    items = list(listed(value))
    named = format_name or next(filter(None, (format_of(item) for _, item in items)), None)
    if named is None and items:
        raise Faulted("unknown_format")
    return named, [_entry(item, place, format_name) for place, item in items]


def _note_the_rest(value: Mapping[str, Any] | list[Any], notes: list[Remark]) -> None:
    if (cursor := next_page(value)) is not None:
        notes.append(Remark("more_pages", {"cursor": cursor}))
    if isinstance(value, Doubled):
        notes.append(Remark("key_twice", {"key": value.key}))
    if isinstance(value, Mapping) and "tools" in value:
        parts = [key for key in _PARTS if value.get(key)]
        if parts:
            notes.append(Remark("parts_left", {"parts": ", ".join(parts)}))


# Of a document of Toolcrib's own, what is imported as a version and not as tools.
_PARTS = (
    "groups",
    "phases",
    "routes",
    "keyword_rules",
    "intent_rules",
    "channel_rules",
    "default_tools",
    "always_on",
)


def _entry(item: object, place: str, format_name: str | None) -> Draft | Faulty:
    name = name_of(item.get("name")) if isinstance(item, Mapping) else None
    try:
        if isinstance(item, Doubled):
            raise Faulted("key_twice", key=item.key)
        if not isinstance(item, Mapping):
            raise Faulted("not_an_object")
        named = format_name or format_of(item)
        if named is None:
            raise Faulted("unknown_format")
        return PROVIDERS[named](item, place)
    except Faulted as fault:
        return Faulty(place, name, (fault.remark,))


def format_of(item: object) -> str | None:
    """Return the format that one tool is in, ``None`` where none is told by its keys."""
    return next((name for name, tells in _TELLS if isinstance(item, Mapping) and tells(item)), None)


def _spells_types_in_capitals(item: Mapping[str, Any]) -> bool:
    schema = item.get("parameters")
    kind = schema.get("type") if isinstance(schema, Mapping) else None
    return isinstance(kind, str) and kind.isupper()


_TELLS: tuple[tuple[str, Any], ...] = (
    ("openai", lambda item: isinstance(item.get("function"), Mapping)),
    ("mcp", lambda item: "inputSchema" in item or "annotations" in item),
    ("gemini", lambda item: {"parameters_json_schema", "parametersJsonSchema"} & item.keys()),
    ("gemini", _spells_types_in_capitals),
    ("native", lambda item: {"side_effect", "output_trust", "revision"} & item.keys()),
    ("anthropic", lambda item: "input_schema" in item),
    ("openai-responses", lambda item: "type" in item or "parameters" in item),
    ("openai-responses", lambda item: "name" in item),
)
