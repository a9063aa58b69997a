"""What a local ``$ref`` points to. None is ever fetched."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from catalog.reading.results import Faulted


def resolved(document: Mapping[str, Any], value: Any) -> Any:
    """Follow a value's ``$ref``s to what is no reference. Raises ``Faulted``."""
    seen: set[str] = set()
    while isinstance(value, Mapping) and isinstance(ref := value.get("$ref"), str):
        if ref in seen:
            raise Faulted("reference_loops", reference=ref)
        seen.add(ref)
        value = target(document, ref)
    return value


def target(document: Mapping[str, Any], ref: str) -> Any:
    """Return what one reference points to. Raises ``Faulted``."""
    if not ref.startswith("#"):
        raise Faulted("reference_outside", reference=ref)
    value: Any = document
    for step in steps(ref):
        if isinstance(value, Mapping) and step in value:
            value = value[step]
        elif isinstance(value, list) and step.isdecimal() and int(step) < len(value):
            value = value[int(step)]
        else:
            raise Faulted("reference_dangling", reference=ref)
    if value is document:
        raise Faulted("reference_dangling", reference=ref)
    return value


def steps(ref: str) -> list[str]:
    """Return the keys of a JSON pointer in a fragment."""
    pointer = unquote(ref[1:])
    if pointer and not pointer.startswith("/"):
        raise Faulted("reference_dangling", reference=ref)
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]
