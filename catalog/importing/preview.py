"""What an import would do to a draft, tool by tool."""

import json
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from typing import Any

from catalog.importing.merging import FieldChange
from catalog.reading import Found, Reading, Remark


class Kind(StrEnum):
    """What becomes of a tool."""

    NEW = "new"  # goes in
    CHANGED = "changed"  # takes over what the source has changed
    KEPT = "kept"  # stays as it was edited here, though the source says otherwise
    UNCHANGED = "unchanged"  # is as the source has it
    GONE = "gone"  # is no longer in the source; stays unless its removal is asked for
    DELETED = "deleted"  # was deleted here; comes back only when asked for
    REFUSED = "refused"  # could be a tool, but its name is another tool's here
    FAULTY = "faulty"  # cannot be a tool


@dataclass(frozen=True, slots=True)
class Entry:
    """One tool of the source, or of the draft that was in the source before.

    ``key`` is its name in the source, as providers take it, ``name`` what it is called here.
    ``remarks`` say why it is refused, faulty or cannot come back (``blocked``), else what was
    changed in reading. ``tool`` is the row of the draft that it is about.
    """

    kind: Kind
    key: str
    name: str
    place: str = ""
    fields: tuple[FieldChange, ...] = ()
    remarks: tuple[Remark, ...] = ()
    found: Found | None = None
    tool: int | None = None
    blocked: bool = False

    @property
    def taken(self) -> tuple[FieldChange, ...]:
        """Return the fields that take the source's value."""
        return tuple(change for change in self.fields if change.taken)

    @property
    def kept(self) -> tuple[FieldChange, ...]:
        """Return the fields that stay as they were edited here."""
        return tuple(change for change in self.fields if not change.taken)


@dataclass(frozen=True, slots=True)
class Preview:
    """What an import would do; nothing is written yet.

    ``whole`` tells that every tool of the source is known, so that those which are gone may be
    removed. ``fingerprint`` is equal for previews that would do the same.
    """

    source: str
    reading: Reading
    entries: tuple[Entry, ...] = ()
    whole: bool = True
    fingerprint: str = ""

    @property
    def counts(self) -> Mapping[Kind, int]:
        """Return how many tools there are of each kind, every kind named."""
        counted = Counter(entry.kind for entry in self.entries)
        return {kind: counted[kind] for kind in Kind}

    @property
    def notes(self) -> tuple[Remark, ...]:
        """Return what is noted on the document as a whole."""
        return self.reading.notes

    @property
    def faults(self) -> tuple[Remark, ...]:
        """Return why nothing of the document could be read, nothing where it could."""
        return self.reading.faults

    def of(self, *kinds: Kind) -> tuple[Entry, ...]:
        """Return the entries of some kinds, in their order."""
        return tuple(entry for entry in self.entries if entry.kind in kinds)


@dataclass(frozen=True, slots=True)
class Choices:
    """What a person decides beyond what an import does by itself; keys are those of entries.

    ``take``: the fields, as pairs of key and field, that take the source's value though they were
    edited here; ``take_all``: every such field. ``remove``: tools that are gone from the source and
    go here too; ``remove_all``: all of them. ``bring_back``: tools that were deleted here and come
    back; ``bring_all_back``: all of them. ``leave``: tools of the source that are left as they are,
    be it in the source only. ``group``: the name of the group that new tools are put into, made
    where there is none; empty for none.
    """

    take: Collection[tuple[str, str]] = frozenset()
    take_all: bool = False
    remove: Collection[str] = frozenset()
    remove_all: bool = False
    bring_back: Collection[str] = frozenset()
    bring_all_back: bool = False
    leave: Collection[str] = frozenset()
    group: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an import did: the names of the tools here, by what became of them.

    ``operation`` is the act on record that can be undone, ``None`` where the draft did not change.
    """

    source: str
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    brought_back: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    unchanged: int = 0
    left: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    faulty: tuple[str, ...] = ()
    group: str = ""
    notes: tuple[Remark, ...] = field(default=())
    operation: Any = None


def fingerprint(*, source: str, entries: Collection[Entry], whole: bool) -> str:
    """Return a hash of what an import would do."""
    told = [source, whole, [_told(entry) for entry in entries]]
    written = json.dumps(told, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return sha256(written.encode("utf-8", "replace")).hexdigest()


def _told(entry: Entry) -> list[Any]:
    changes = [[one.field, one.here, one.there, one.taken] for one in entry.fields]
    tool = dict(entry.found.tool) if entry.found and entry.tool is None else None
    return [entry.kind, entry.key, entry.name, entry.tool, entry.blocked, changes, tool]
