"""The texts of a release: what BM25 counts and what the encoder reads of tools and groups.

Each tool has two texts for the encoder, one without and one with its parameters, whose vectors are
averaged: on the public sets the mean ranks better than either.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

from routing.selection.text import bounded, spelled, terms, without_digits
from routing.selection.vagueness import VAGUE_TASKS

Entry = Mapping[str, Any]

TEXTS_VERSION = 1
"""Counted up when ``texts_to_embed`` reads other texts of the same document; releases name it."""


def texts_to_embed(document: Mapping[str, Any]) -> dict[str, str]:
    """Return every text that a release of this document needs a vector for, by its hash."""
    homes = first_groups(document)
    found: list[str] = list(VAGUE_TASKS)
    for tool in document.get("tools", ()):
        found.extend(tool_texts(tool, homes.get(tool["name"])))
        found.extend(examples(tool))
    for group in document.get("groups", ()):
        found.append(group_text(group))
        found.extend(examples(group))
    return {content_hash(text): text for text in found}


def content_hash(text: str) -> str:
    """Return the hash that a vector is stored under: SHA-256 of the UTF-8 bytes, in hex."""
    return sha256(text.encode()).hexdigest()


def first_groups(document: Mapping[str, Any]) -> dict[str, Entry]:
    """Return the group that each grouped tool belongs to, the first one where it has several."""
    homes: dict[str, Entry] = {}
    for group in document.get("groups", ()):
        for name in group.get("tools", ()):
            homes.setdefault(name, group)
    return homes


def tool_texts(tool: Entry, group: Entry | None) -> tuple[str, str]:
    """Return what an encoder reads of a tool: without its parameters, and with them."""
    front = f"{spelled(group['name'])}. " if group else ""
    plain = f"{front}{spelled(tool['name'])}. {tool.get('description') or ''}".strip()
    listed = "; ".join(f"{name}: {text}" if text else name for name, text in parameters(tool))
    return plain, f"{plain} {listed}".strip()


def own_mark(tool: Entry) -> str:
    """Return a mark of what a tool itself says, whatever it is called and wherever it belongs.

    What was learned of a tool is held to be true of it for as long as it says the same.
    """
    said = [tool.get("title") or "", tool.get("description") or ""]
    said += [f"{name}: {text}" for name, text in parameters(tool)]
    return content_hash("\n".join(said))[:32]


def group_text(group: Entry) -> str:
    """Return what an encoder reads of a group."""
    return f"{spelled(group['name'])}. {group.get('description') or ''}".strip()


def examples(entry: Entry) -> list[str]:
    """Return the example tasks of a tool or a group, read as tasks are; blank ones left out."""
    return [without_digits(text) for text in entry.get("examples") or () if text.strip()]


NAME_COUNTS = 3
"""How often the words of a tool's name count: they are chosen with the most care."""


def prose(document: Mapping[str, Any]) -> Iterator[str]:
    """Yield the descriptions of a document: what tells the language that it is written in."""
    for entry in (*document.get("tools", ()), *document.get("groups", ())):
        yield entry.get("description") or ""


def tool_terms(tool: Entry, group: Entry | None) -> list[str]:
    """Return the terms of a tool: its own words, its parameters', its examples', its group's."""
    parts = [tool["name"]] * NAME_COUNTS
    parts += [tool.get("title") or "", tool.get("description") or ""]
    parts += [tool.get("category") or "", *(tool.get("tags") or ()), *(tool.get("aliases") or ())]
    parts += [f"{name} {text}" for name, text in parameters(tool)]
    parts += examples(tool)
    if group:
        parts += [group["name"], group.get("description") or ""]
    return [term for part in parts for term in terms(bounded(part))]


def parameters(tool: Entry) -> list[tuple[str, str]]:
    """Return the names, as words, and descriptions of a tool's arguments, nested ones too."""
    return list(_properties(tool.get("input_schema"), depth=3))


def _properties(schema: object, *, depth: int) -> Iterator[tuple[str, str]]:
    if not isinstance(schema, Mapping) or depth == 0:
        return
    properties = schema.get("properties")
    if isinstance(properties, Mapping):
        for name, inner in properties.items():
            description = inner.get("description") if isinstance(inner, Mapping) else None
            yield spelled(str(name)), description if isinstance(description, str) else ""
            yield from _properties(inner, depth=depth - 1)
    yield from _properties(schema.get("items"), depth=depth - 1)
