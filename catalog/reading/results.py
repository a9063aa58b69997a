"""What came of reading a provider's document."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from catalog.reading.wording import FAULTS, NOTES


@dataclass(frozen=True, slots=True)
class Remark:
    """A fault, or a note on something that was changed.

    ``code`` stays the same when the wording changes; ``params`` go into its sentence.
    """

    code: str
    params: Mapping[str, object] = field(default_factory=dict)

    @property
    def template(self) -> str:
        """Return the sentence with its parameters open."""
        return FAULTS.get(self.code) or NOTES[self.code]

    @property
    def message(self) -> str:
        """Return the sentence in English."""
        return self.template % self.params

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True, slots=True)
class Found:
    """A tool in the native shape, every field but the revision.

    ``place`` is where it was: ``tools[3]``, or a path and a method. ``said`` are the fields that
    the document itself spoke of; the others hold what is assumed of an unknown tool, so that a sync
    may leave them as they are.
    """

    place: str
    tool: Mapping[str, Any]
    said: frozenset[str]
    notes: tuple[Remark, ...] = ()


@dataclass(frozen=True, slots=True)
class Faulty:
    """An entry that cannot be a tool, and why; ``name`` as it was written, if it was."""

    place: str
    name: str | None
    faults: tuple[Remark, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """All entries of a document in its order, and notes on the document as a whole.

    ``faults`` are those of the whole: nothing of it could be read.
    """

    format_name: str | None
    entries: tuple[Found | Faulty, ...] = ()
    notes: tuple[Remark, ...] = ()
    faults: tuple[Remark, ...] = ()

    @property
    def found(self) -> tuple[Found, ...]:
        """Return the tools that may go in."""
        return tuple(entry for entry in self.entries if isinstance(entry, Found))

    @property
    def faulty(self) -> tuple[Faulty, ...]:
        """Return the entries that may not."""
        return tuple(entry for entry in self.entries if isinstance(entry, Faulty))


@dataclass(slots=True)
class Draft:
    """A tool on its way: what its reader understood of it, before names are settled."""

    place: str
    name: object
    fields: dict[str, Any]
    notes: list[Remark] = field(default_factory=list)

    def note(self, code: str, **params: object) -> None:
        """Keep a note on a change."""
        self.notes.append(Remark(code, params))


class Faulted(Exception):
    """An entry, or the whole document, cannot be read."""

    def __init__(self, code: str, **params: object) -> None:
        self.remark = Remark(code, params)
        super().__init__(self.remark.message)
