"""Write what a preview promised, whole or not at all."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Max

from catalog.editing import set_memberships
from catalog.importing.draft import compare_rows
from catalog.importing.merging import FieldChange, said_by
from catalog.importing.origins import origins_of
from catalog.importing.preview import Choices, Entry, Kind, Outcome, Preview
from catalog.models import Catalog, Group, Tool, ToolOrigin
from catalog.names import part_name
from catalog.recording import recorded

ROWS_AT_ONCE = 500
_DERIVED = ("tokens", "search_text")


class ImportRefused(Exception):
    """Nothing was written."""


class NothingRead(ImportRefused):
    """Nothing of the document could be read."""


class PreviewStale(ImportRefused):
    """The draft has moved on since the preview; ``preview`` is what would be done now."""

    def __init__(self, preview: Preview) -> None:
        super().__init__("The draft was changed since this was looked at. Look at it again.")
        self.preview = preview


def apply_import(
    *, catalog: Catalog, preview: Preview, now: datetime, choices: Choices | None = None
) -> Outcome:
    """Do what a preview says, with what a person chose beyond it, as one act on record.

    New tools are added as the last ones; tools that stay keep their rows, so that everything that
    names them still does; flags, groups and fields that the source does not speak of stay as they
    are. Writes in a fixed number of statements for each 500 tools. Raises ``NothingRead`` for a
    document that could not be read, ``PreviewStale`` where the draft has moved on meanwhile, and
    ``ValidationError`` for a group's name that is none.
    """
    chosen = choices or Choices()
    if preview.faults:
        raise NothingRead("; ".join(fault.message for fault in preview.faults))
    note = preview.source[:500]
    with recorded(catalog=catalog, action="import", note=note, now=now) as operation:
        rows = {row.pk: row for row in catalog.tools.order_by()}
        again = compare_rows(
            catalog=catalog,
            reading=preview.reading,
            source=preview.source,
            rows=list(rows.values()),
        )
        if again.fingerprint != preview.fingerprint:
            raise PreviewStale(again)
        work = _sort(again, chosen)
        _add(catalog, work)
        _change(work, rows)
        _group(catalog, work, chosen.group)
        _remember(catalog, again.source, work, operation=operation.id, now=now)
        _remove(catalog, again.source, work)
    return _outcome(again, work, chosen, operation.id if operation.entries else None)


@dataclass(slots=True)
class _Work:
    """What is to be done; ``made`` are the rows of new tools by the keys of their entries."""

    added: list[Entry] = field(default_factory=list)
    changed: list[tuple[Entry, tuple[FieldChange, ...]]] = field(default_factory=list)
    kept: list[Entry] = field(default_factory=list)
    unchanged: list[Entry] = field(default_factory=list)
    removed: list[Entry] = field(default_factory=list)
    left: list[Entry] = field(default_factory=list)
    made: dict[str, Tool] = field(default_factory=dict)


def _sort(preview: Preview, chosen: Choices) -> _Work:
    work = _Work()
    place: dict[Kind, Callable[[Entry], None]] = {
        Kind.NEW: work.added.append,
        Kind.CHANGED: lambda entry: _sort_met(entry, work, chosen),
        Kind.KEPT: lambda entry: _sort_met(entry, work, chosen),
        Kind.UNCHANGED: work.unchanged.append,
        Kind.GONE: lambda entry: _sort_gone(entry, work, chosen, whole=preview.whole),
        Kind.DELETED: lambda entry: _sort_deleted(entry, work, chosen),
    }
    for entry in preview.entries:
        if entry.kind in (Kind.NEW, Kind.CHANGED, Kind.KEPT) and entry.key in chosen.leave:
            work.left.append(entry)
        elif entry.kind in place:
            place[entry.kind](entry)
    return work


def _sort_met(entry: Entry, work: _Work, chosen: Choices) -> None:
    taken = tuple(
        change
        for change in entry.fields
        if change.taken or chosen.take_all or (entry.key, change.field) in chosen.take
    )
    if taken:
        work.changed.append((entry, taken))
    if len(taken) < len(entry.fields):
        work.kept.append(entry)


def _sort_gone(entry: Entry, work: _Work, chosen: Choices, *, whole: bool) -> None:
    asked = chosen.remove_all or entry.key in chosen.remove
    (work.removed if asked and whole else work.left).append(entry)


def _sort_deleted(entry: Entry, work: _Work, chosen: Choices) -> None:
    asked = chosen.bring_all_back or entry.key in chosen.bring_back
    can = entry.found is not None and not entry.blocked
    (work.added if asked and can else work.left).append(entry)


def _add(catalog: Catalog, work: _Work) -> None:
    last = catalog.tools.aggregate(last=Max("position"))["last"]
    first = 0 if last is None else last + 1
    found = [entry.found for entry in work.added if entry.found]
    rows = Tool.objects.bulk_create(
        (
            Tool(catalog=catalog, position=position, **one.tool)
            for position, one in enumerate(found, first)
        ),
        batch_size=ROWS_AT_ONCE,
    )
    work.made = {entry.key: row for entry, row in zip(work.added, rows, strict=True)}


def _change(work: _Work, rows: dict[int, Tool]) -> None:
    changed: list[Tool] = []
    fields: set[str] = set()
    for entry, taken in work.changed:
        row = rows[entry.tool or 0]
        for change in taken:
            setattr(row, change.field, change.there)
            fields.add(change.field)
        row.derive()
        changed.append(row)
    if changed:
        Tool.objects.bulk_update(changed, sorted({*fields, *_DERIVED}), batch_size=ROWS_AT_ONCE)


def _group(catalog: Catalog, work: _Work, name: str) -> None:
    """Put new tools into a group; those that are here already are where somebody put them."""
    if not name or not work.made:
        return
    group = catalog.groups.filter(name=name).first()
    if group is None:
        part_name(name)
        group = Group(catalog=catalog, name=name, position=_next_place(catalog))
        group.save()
    set_memberships(catalog=catalog, added=[(group.pk, row.pk) for row in work.made.values()])


def _next_place(catalog: Catalog) -> int:
    last = catalog.groups.aggregate(last=Max("position"))["last"]
    return 0 if last is None else int(last) + 1


def _remember(
    catalog: Catalog, source: str, work: _Work, *, operation: UUID, now: datetime
) -> None:
    """Keep what the source said of each tool that was looked at, where it says something else."""
    met = [entry for entry, _ in work.changed] + work.kept + work.unchanged
    known = {
        origin.key.lower(): origin for origin in origins_of(catalog) if origin.source == source
    }
    written: list[ToolOrigin] = []
    respelled: list[ToolOrigin] = []
    for entry, tool_id, name in (*_placed(met), *_made(work)):
        if entry.found is None:
            continue
        said = said_by(entry.found)
        origin = known.get(entry.key.lower())
        if origin is None:
            origin = ToolOrigin(catalog=catalog, source=source, key=entry.key)
        elif (origin.key, origin.tool_id, origin.said) == (entry.key, tool_id, said):
            continue
        else:
            origin.previous = origin.said
        if origin.key != entry.key:
            origin.key = entry.key
            respelled.append(origin)
        origin.name, origin.tool_id = name, tool_id
        origin.said, origin.operation, origin.updated_at = said, operation, now
        written.append(ToolOrigin(**{one: getattr(origin, one) for one in _COLUMNS}))
    for origin in respelled:
        origin.save(update_fields=["key"])
    # Told to insert what is there already, the database updates; row by row it would take long.
    ToolOrigin.objects.bulk_create(
        written,
        batch_size=ROWS_AT_ONCE,
        update_conflicts=True,
        unique_fields=["catalog", "source", "key"],
        update_fields=["name", "tool", "said", "previous", "operation", "updated_at"],
    )


_COLUMNS = (
    "catalog_id",
    "source",
    "key",
    "name",
    "tool_id",
    "said",
    "previous",
    "operation",
    "updated_at",
)


def _placed(entries: Iterable[Entry]) -> list[tuple[Entry, int | None, str]]:
    unique = {entry.key: entry for entry in entries}
    return [(entry, entry.tool, entry.name) for entry in unique.values()]


def _made(work: _Work) -> list[tuple[Entry, int | None, str]]:
    return [(entry, work.made[entry.key].pk, entry.name) for entry in work.added]


def _remove(catalog: Catalog, source: str, work: _Work) -> None:
    if not work.removed:
        return
    keys = [entry.key for entry in work.removed]
    catalog.tool_origins.filter(source=source, key__in=keys).delete()
    catalog.tools.filter(pk__in=[entry.tool for entry in work.removed]).delete()


def _outcome(preview: Preview, work: _Work, chosen: Choices, operation: UUID | None) -> Outcome:
    def names(entries: Iterable[Any]) -> tuple[str, ...]:
        return tuple(entry.name for entry in entries)

    return Outcome(
        source=preview.source,
        added=names(entry for entry in work.added if entry.kind is Kind.NEW),
        brought_back=names(entry for entry in work.added if entry.kind is Kind.DELETED),
        changed=names(entry for entry, _ in work.changed),
        removed=names(work.removed),
        kept=names(work.kept),
        unchanged=len(work.unchanged),
        left=names(work.left),
        refused=names(preview.of(Kind.REFUSED)),
        faulty=tuple(entry.name or entry.place for entry in preview.of(Kind.FAULTY)),
        group=chosen.group if work.made else "",
        notes=preview.notes,
        operation=operation,
    )
