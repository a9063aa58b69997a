"""Compare what was read from a source with the draft, as far as it is known where tools are from.

Pure: rows come in as values. A tool of the draft is that of a source by its *origin*, which follows
the row and not the name: a tool that was renamed here stays the source's tool.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from catalog.importing.merging import merge
from catalog.importing.preview import Entry, Kind, Preview, fingerprint
from catalog.reading import Faulty, Found, Reading, Remark
from catalog.reading.names import canonical_name


@dataclass(frozen=True, slots=True)
class Here:
    """A tool of the draft: its row, its fields, and the source that it is from, if from any."""

    id: int
    value: Mapping[str, Any]
    source: str | None = None

    @property
    def name(self) -> str:
        """Return what the tool is called in the draft."""
        name: str = self.value["name"]
        return name


@dataclass(frozen=True, slots=True)
class Origin:
    """What a source said last of a tool.

    ``key`` is its name in the source, ``name`` what it was called here then, ``tool`` its row,
    ``None`` for one that was deleted here.
    """

    key: str
    name: str
    tool: int | None
    said: Mapping[str, Any]


def compare(
    *, reading: Reading, source: str, tools: Sequence[Here], origins: Sequence[Origin]
) -> Preview:
    """Return what importing a reading would do.

    ``tools`` are all of the draft, ``origins`` those of this source. Keys are compared without
    their case: a source that spells a name otherwise means the same tool.
    """
    if reading.faults:
        return Preview(source, reading, whole=False)
    draft = _Draft(tools, origins)
    entries = [_entry(entry, draft, reading, source) for entry in reading.entries]
    entries += _gone(draft, {entry.key.lower() for entry in entries}, _unread(reading))
    whole = _is_whole(reading)
    made = tuple(entries)
    mark = fingerprint(source=source, entries=made, whole=whole)
    return Preview(source, reading, made, whole, mark)


class _Draft:
    """A draft by what is looked up in it."""

    def __init__(self, tools: Sequence[Here], origins: Sequence[Origin]) -> None:
        self.by_id = {tool.id: tool for tool in tools}
        self.by_name = {tool.name.lower(): tool for tool in tools}
        self.by_alias = {alias.lower(): tool for tool in tools for alias in tool.value["aliases"]}
        self.origins = {origin.key.lower(): self._linked(origin) for origin in origins}

    def _linked(self, origin: Origin) -> Origin:
        """Return an origin with its tool, also where the row is another after an undo."""
        if origin.tool in self.by_id:
            return origin
        again = self.by_name.get(origin.name.lower())
        is_free = again is not None and again.source is None and again.name == origin.name
        return replace(origin, tool=again.id if again and is_free else None)

    def holder_of(self, name: str) -> tuple[Here, bool] | None:
        """Return the tool that a name, or an alias, is taken by, and whether it is its name."""
        if tool := self.by_name.get(name.lower()):
            return tool, True
        if tool := self.by_alias.get(name.lower()):
            return tool, False
        return None


def _entry(entry: Found | Faulty, draft: _Draft, reading: Reading, source: str) -> Entry:
    if isinstance(entry, Faulty):
        return _faulty(entry)
    key: str = entry.tool["name"]
    origin = draft.origins.get(key.lower())
    if origin is not None and origin.tool is not None:
        return _met(entry, draft, draft.by_id[origin.tool], origin.said, reading)
    holder = draft.holder_of(key)
    if origin is None and holder is not None:
        tool, by_name = holder
        if by_name and tool.name == key and tool.source is None:
            return _met(entry, draft, tool, None, reading)
    fault = _meeting(key, holder, source) if holder else None
    if origin is not None:
        return _new(Kind.DELETED, entry, draft, fault)
    return _new(Kind.REFUSED if fault else Kind.NEW, entry, draft, fault)


def _faulty(entry: Faulty) -> Entry:
    name = entry.name or ""
    key = canonical_name(name) if name.strip() else ""
    return Entry(Kind.FAULTY, key, name, entry.place, remarks=entry.faults)


def _met(
    found: Found, draft: _Draft, tool: Here, before: Mapping[str, Any] | None, reading: Reading
) -> Entry:
    found, left = _without_taken_aliases(found, draft, tool)
    changes = merge(here=tool.value, found=found, before=before, format_name=reading.format_name)
    kind = Kind.UNCHANGED
    if changes:
        kind = Kind.CHANGED if any(change.taken for change in changes) else Kind.KEPT
    taken = {change.field for change in changes if change.taken}
    notes = tuple(note for note in found.notes if _still_tells(note, taken))
    return Entry(
        kind, found.tool["name"], tool.name, found.place, changes, notes + left, found, tool.id
    )


_OF_FIELDS = {
    "effects_unknown": "side_effect",
    "effects_claimed": "side_effect",
    "no_description": "description",
    "text_cut": "description",
}


def _still_tells(note: Remark, taken: set[str]) -> bool:
    """Tell whether a note on a tool that is here already is news."""
    return note.code not in _OF_FIELDS or _OF_FIELDS[note.code] in taken


def _new(kind: Kind, found: Found, draft: _Draft, fault: Remark | None) -> Entry:
    key = found.tool["name"]
    found, left = _without_taken_aliases(found, draft, None)
    remarks = (fault,) if fault else found.notes + left
    return Entry(
        kind, key, key, found.place, remarks=remarks, found=found, blocked=fault is not None
    )


def _without_taken_aliases(
    found: Found, draft: _Draft, own: Here | None
) -> tuple[Found, tuple[Remark, ...]]:
    """Leave out the aliases that are another tool's names here, and tell of each."""
    kept, left = [], []
    for alias in found.tool["aliases"]:
        holder = draft.holder_of(alias)
        if holder is None or (own is not None and holder[0].id == own.id):
            kept.append(alias)
        else:
            left.append(Remark("alias_left", {"alias": alias, "name": holder[0].name}))
    if not left:
        return found, ()
    return replace(found, tool={**found.tool, "aliases": kept}), tuple(left)


def _meeting(key: str, holder: tuple[Here, bool], source: str) -> Remark:
    """Tell why a name cannot be taken."""
    tool, by_name = holder
    if not by_name:
        return Remark("alias_here", {"name": key, "other": tool.name})
    if tool.name != key:
        return Remark("case_here", {"name": key, "other": tool.name})
    if tool.source is not None and tool.source != source:
        return Remark("name_of_source", {"name": key, "source": tool.source})
    return Remark("name_here", {"name": key})


def _gone(draft: _Draft, mentioned: set[str], unread: tuple[str, ...]) -> Iterator[Entry]:
    """Return the tools of this source that it no longer has and the draft still does."""
    for key, origin in draft.origins.items():
        if key in mentioned or origin.tool is None or (unread and key.startswith(unread)):
            continue
        tool = draft.by_id[origin.tool]
        yield Entry(Kind.GONE, origin.key, tool.name, tool=tool.id)


def _unread(reading: Reading) -> tuple[str, ...]:
    """Return how the keys may begin of faulty operations: several may have one id."""
    if reading.format_name != "openapi":
        return ()
    names = [faulty.name for faulty in reading.faulty if faulty.name and faulty.name.strip()]
    return tuple(f"{canonical_name(name)}_".lower() for name in names)


def _is_whole(reading: Reading) -> bool:
    """Tell whether no tool of the source can be missing from the reading unknown to us."""
    if any(note.code in ("more_pages", "key_twice") for note in reading.notes):
        return False
    return all(faulty.name and faulty.name.strip() for faulty in reading.faulty)
