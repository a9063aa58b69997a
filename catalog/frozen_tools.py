"""The tools of a draft as documents carry them, each worked out once while it stays the same.

Of a draft that somebody edits nearly every tool is as it was a moment ago. Its columns are read as
the database has them, and what follows from them, the parsed schemas and the canonical bytes, is
kept in this process by a digest of them: nothing has to be told that a tool changed.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from django.db.models import JSONField, TextField
from django.db.models.functions import Cast

from catalog.document import canonical_bytes, parse, sha256_hex
from catalog.formats.carried import CARRIED
from catalog.models import Catalog, Tool
from catalog.shelf import Shelf

# The fields of a tool that a document carries, in the words of document.schema.json.
TOOL_FIELDS = CARRIED["native"]

_REVISION = "revision"
_JSON_FIELDS = frozenset(
    name
    for name in TOOL_FIELDS
    if isinstance(Tool._meta.get_field(name), JSONField)  # noqa: SLF001 - Django's public name
)
# Most lists of most tools are empty.
_EMPTY = {"[]": list, "{}": dict}


@dataclass(frozen=True, slots=True)
class FrozenTool:
    """A tool of a document but for the number of its revision, which is only known beside others.

    ``head`` and ``tail`` are its keys before and after ``revision``, values as they are read back
    from the canonical bytes. They are shared: whoever is given them reads only.
    """

    head: Mapping[str, Any]
    tail: Mapping[str, Any]
    head_bytes: bytes
    tail_bytes: bytes
    sha256: str

    @property
    def name(self) -> str:
        """Return the tool's name."""
        return str(self.head["name"])

    @property
    def content(self) -> bytes:
        """Return the canonical bytes without a revision, which ``sha256`` is over."""
        return self.head_bytes[:-1] + b"," + self.tail_bytes[1:]

    def value(self, revision: int) -> dict[str, Any]:
        """Return the tool as a document has it."""
        return {**self.head, _REVISION: revision, **self.tail}

    def content_of(self, revision: int) -> bytes:
        """Return the canonical bytes of ``value``."""
        return b'%s,"revision":%d,%s' % (self.head_bytes[:-1], revision, self.tail_bytes[1:])


@dataclass(frozen=True, slots=True)
class ToolRow:
    """A tool of the draft, and where a selection offers it without being asked."""

    pk: int
    tool: FrozenTool
    is_default: bool
    always_on: bool


# Some ten kilobytes each.
_known: Shelf[bytes, FrozenTool] = Shelf(size=12_000)


def read_tools(catalog: Catalog) -> list[ToolRow]:
    """Return the tools of a draft in catalog order, by one query."""
    columns = [f"{name}_text" if name in _JSON_FIELDS else name for name in TOOL_FIELDS]
    rows = catalog.tools.order_by("position", "id").annotate(
        **{f"{name}_text": Cast(name, TextField()) for name in TOOL_FIELDS if name in _JSON_FIELDS}
    )
    return [
        ToolRow(pk=pk, tool=_frozen(columns), is_default=is_default, always_on=always_on)
        for pk, is_default, always_on, *columns in rows.values_list(
            "pk", "is_default", "always_on", *columns
        )
    ]


def _frozen(columns: list[Any]) -> FrozenTool:
    digest = blake2b(repr(columns).encode(), digest_size=16).digest()
    return _known.get(digest, lambda: freeze_tool(dict(zip(TOOL_FIELDS, columns, strict=True))))


def freeze_tool(columns: Mapping[str, Any]) -> FrozenTool:
    """Return a tool of its columns by name, those of JSON as text."""
    value = {
        name: _parsed(column) if name in _JSON_FIELDS else column
        for name, column in columns.items()
    }
    head = canonical_bytes({name: part for name, part in value.items() if name < _REVISION})
    tail = canonical_bytes({name: part for name, part in value.items() if name > _REVISION})
    return FrozenTool(
        head=parse(head),
        tail=parse(tail),
        head_bytes=head,
        tail_bytes=tail,
        sha256=sha256_hex(head[:-1] + b"," + tail[1:]),
    )


def _parsed(text: str | None) -> object:
    """Return the value of a column; ``None`` where there is none."""
    if text is None:
        return None
    empty = _EMPTY.get(text)
    return empty() if empty is not None else json.loads(text)
