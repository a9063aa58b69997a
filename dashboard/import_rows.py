"""The preview of an import, ready to be read: in sections, each tool with what changes in words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from catalog.diff import Change, tool_changes
from catalog.importing import Entry, Kind, Preview
from catalog.importing.merging import UNSAID, FieldChange
from catalog.models import Catalog, Tool
from catalog.reading import Remark
from catalog.uses import Use, tool_uses

SHOWN = 100

# In the order in which they ask for a decision; those that ask for none come last.
TITLES: Mapping[Kind, tuple[Promise, Promise, str]] = {
    Kind.FAULTY: (_("Cannot be tools"), _("They stay out. The others go in all the same."), "red"),
    Kind.REFUSED: (
        _("Their names are taken"),
        _("They stay out. Rename the tool that is here, or the one in the source."),
        "red",
    ),
    Kind.NEW: (_("New"), _("They go in. Tick what stays out."), "green"),
    Kind.CHANGED: (
        _("Changed in the source"),
        _("They take over what the source changed. Tick what stays as it is."),
        "blue",
    ),
    Kind.KEPT: (
        _("Edited here"),
        _("They stay as they were edited here. Tick what takes the source's value."),
        "orange",
    ),
    Kind.GONE: (
        _("No longer in the source"),
        _("They stay. Tick what is removed here too."),
        "orange",
    ),
    Kind.DELETED: (
        _("Deleted here"),
        _("They stay deleted. Tick what comes back."),
        "secondary",
    ),
    Kind.UNCHANGED: (_("Unchanged"), _("They are as the source has them."), "secondary"),
}


@dataclass(frozen=True, slots=True)
class Kept:
    """A field that stays as it was edited here, and what taking the source's value would change."""

    value: str
    label: str
    changes: tuple[Change, ...]
    both: bool


@dataclass(frozen=True, slots=True)
class Row:
    """One tool of the preview."""

    entry: Entry
    url: str
    changes: tuple[Change, ...]
    kept: tuple[Kept, ...]
    uses: Sequence[Use]
    remarks: tuple[Remark, ...]
    side_effect: str


@dataclass(frozen=True, slots=True)
class Section:
    """The tools of one kind, the first of them as rows."""

    kind: Kind
    title: Promise
    text: Promise
    colour: str
    count: int
    rows: tuple[Row, ...]
    remarks: tuple[Remark, ...]
    # Whether a field of any of them was edited here and differs from the source's.
    keeps: bool

    @property
    def more(self) -> int:
        """Return how many are not shown."""
        return self.count - len(self.rows)


def field_label(name: str) -> str:
    """Return what a field of a tool is called, in the reader's language."""
    field: Any = Tool._meta.get_field(name)  # noqa: SLF001 - Django's public name
    return str(field.verbose_name)


def sections_of(catalog: Catalog, preview: Preview) -> list[Section]:
    """Return the sections that have tools."""
    made = []
    for kind, (title, text, colour) in TITLES.items():
        entries = preview.of(kind)
        if entries:
            rows = _rows(catalog, entries[:SHOWN])
            shared = _said_once(entries)
            keeps = any(entry.kept for entry in entries)
            made.append(Section(kind, title, text, colour, len(entries), rows, shared, keeps))
    return made


def _rows(catalog: Catalog, entries: Sequence[Entry]) -> tuple[Row, ...]:
    uses = _uses(catalog, [entry for entry in entries if entry.kind is Kind.GONE])
    return tuple(
        Row(
            entry=entry,
            url=_url(catalog, entry),
            changes=tuple(_changes(entry.name, entry.taken)),
            kept=tuple(_kept(entry, change) for change in entry.kept),
            uses=uses.get(entry.tool or 0, ()),
            remarks=tuple(one for one in entry.remarks if one.code not in _ON_EFFECTS),
            side_effect=_effect(entry),
        )
        for entry in entries
    )


# What nearly every tool of a source has is said once.
_ON_EFFECTS = frozenset({"effects_claimed", "effects_unknown"})


def _said_once(entries: Iterable[Entry]) -> tuple[Remark, ...]:
    """Return what is noted on the effects of some tools, each note once."""
    noted = (one for entry in entries for one in entry.remarks if one.code in _ON_EFFECTS)
    return tuple({one.code: one for one in noted}.values())


def _effect(entry: Entry) -> str:
    """Return in words what a tool changes that is not here yet, empty for the others."""
    if entry.found is None or entry.tool is not None:
        return ""
    return str(Tool.SideEffect(entry.found.tool["side_effect"]).label)


def _url(catalog: Catalog, entry: Entry) -> str:
    if entry.tool is None:
        return ""
    return reverse("catalog:tool", kwargs={"catalog": catalog.name, "tool": entry.name})


def _changes(name: str, changes: Iterable[FieldChange]) -> Iterable[Change]:
    fields = list(changes)
    # ``tool_changes`` compares whole tools; what is alike in both is not told.
    old = {**UNSAID, "name": name, **{one.field: one.here for one in fields}}
    new = {**UNSAID, "name": name, **{one.field: one.there for one in fields}}
    return tool_changes(old, new)


def _kept(entry: Entry, change: FieldChange) -> Kept:
    changes = tuple(_changes(entry.name, [change]))
    return Kept(f"{entry.key} {change.field}", field_label(change.field), changes, change.both)


def _uses(catalog: Catalog, entries: Sequence[Entry]) -> dict[int, list[Use]]:
    if not entries:
        return {}
    rows = catalog.tools.filter(pk__in=[entry.tool for entry in entries]).prefetch_related(
        "groups", "phases", "routes", "added_by", "removed_by", "intent_rules"
    )
    return {row.pk: tool_uses(row) for row in rows}
