"""The tools of a list, however it is wrapped: pages, answers of JSON-RPC, requests, namespaces."""

from collections.abc import Iterator, Mapping
from typing import Any

_LISTS = ("tools", "functions", "function_declarations", "functionDeclarations")
_WRAPPERS = ("result", "params")


def listed(value: object, place: str = "") -> Iterator[tuple[str, object]]:
    """Return each entry with its place: ``tools[3]``, ``[1].tools[0]``."""
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield from _inside(item, f"{place}[{number}]")
    else:
        yield from _inside(value, place)


def _inside(value: object, place: str) -> Iterator[tuple[str, object]]:
    if isinstance(value, Mapping):
        lead = f"{place}." if place else ""
        for key in _WRAPPERS:
            if isinstance(value.get(key), Mapping) and "name" not in value:
                yield from _inside(value[key], lead + key)
                return
        # A namespace has a name too, and a tool might have a field of such a name.
        if "name" not in value or value.get("type") == "namespace":
            held = [key for key in _LISTS if isinstance(value.get(key), list)]
            for key in held:
                yield from listed(value[key], lead + key)
            if held:
                return
    yield place, value


def next_page(value: object) -> str | None:
    """Return the cursor of the page that follows the last one, ``None`` where the list is whole."""
    last: Any = value[-1] if isinstance(value, list) and value else value
    if isinstance(last, Mapping) and isinstance(last.get("result"), Mapping):
        last = last["result"]
    cursor = last.get("nextCursor") if isinstance(last, Mapping) else None
    return cursor if isinstance(cursor, str) else None
