"""The audit log as the page reads it: operations, newest first, by keyset."""

import uuid
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.db.models import Count, Min, QuerySet
from django.utils import timezone

from catalog.models import AuditEntry, Catalog
from catalog.recording import undoable
from catalog.recording.undoing import UNDO

# A page shows so many operations, and of each the first entries.
OPERATIONS = 20
ENTRIES = 5
ROWS = 200
_LONGEST = 200
_DIGITS = 18
_YEARS = range(1970, 9999)  # no zone and no day more leads out of the calendar


@dataclass(frozen=True, slots=True)
class AuditQuery:
    """What of the log is looked at; empty is all. Days are those of the reader's time zone."""

    person: str = ""
    action: str = ""
    kind: str = ""
    subject: str = ""
    since: str = ""
    until: str = ""
    operation: str = ""
    before: int = 0

    @classmethod
    def read(cls, values: Mapping[str, str]) -> "AuditQuery":
        """Read the parameters of an address; what cannot be read is left out."""
        before = values.get("before", "")
        is_number = before.isascii() and before.isdigit() and len(before) <= _DIGITS
        return cls(
            person=_text(values, "person"),
            action=_text(values, "action"),
            kind=_text(values, "kind"),
            subject=_text(values, "subject"),
            since=values.get("since", "") if _day(values.get("since", "")) else "",
            until=values.get("until", "") if _day(values.get("until", "")) else "",
            operation=values.get("operation", "") if _uuid(values.get("operation", "")) else "",
            before=int(before) if is_number else 0,
        )

    @property
    def narrows(self) -> bool:
        """Tell whether any filter is on."""
        return any(
            (
                self.person,
                self.action,
                self.kind,
                self.subject,
                self.since,
                self.until,
                self.operation,
            )
        )

    @property
    def shown(self) -> int:
        """Return how many entries of an operation are shown: all that a page holds of one alone."""
        return 500 if self.operation else ENTRIES


@dataclass(frozen=True, slots=True)
class Act:
    """An operation: its newest entry, those that are shown, and how many there are that match."""

    last: AuditEntry
    entries: Sequence[AuditEntry]
    count: int
    can_be_undone: bool
    undone: bool

    @property
    def more(self) -> int:
        """Return how many entries are not shown."""
        return self.count - len(self.entries)

    @property
    def undoes(self) -> str:
        """Return the operation that this one took back, empty where it is none such."""
        return self.last.note if self.last.action == UNDO else ""


@dataclass(frozen=True, slots=True)
class LogPage:
    """A page of the log. ``next`` is the id that the page after it comes before, or ``None``."""

    acts: Sequence[Act]
    next: int | None


def entries_of(catalog: Catalog, query: AuditQuery) -> "QuerySet[AuditEntry]":
    """Return the entries of a catalog that the filters leave, oldest first."""
    entries = AuditEntry.objects.filter(catalog=catalog).order_by("id")
    exact = {"by_name": query.person, "action": query.action, "kind": query.kind}
    entries = entries.filter(**{name: value for name, value in exact.items() if value})
    if query.subject:
        entries = entries.filter(subject__icontains=query.subject)
    if first := _day(query.since):
        entries = entries.filter(at__gte=_midnight(first))
    if last := _day(query.until):
        entries = entries.filter(at__lt=_midnight(last + timedelta(days=1)))
    if query.operation:
        entries = entries.filter(operation=query.operation)
    return entries


def read_log(*, catalog: Catalog, query: AuditQuery) -> LogPage:
    """Return a page of operations, newest first. Runs a bounded number of queries."""
    matching = entries_of(catalog, query)
    found = _heads(matching, before=query.before)
    heads = AuditEntry.objects.in_bulk(found[:OPERATIONS])
    shown = [heads[pk] for pk in found[:OPERATIONS]]
    operations = [head.operation for head in shown]
    own = matching.filter(operation__in=operations)
    counts = dict(own.order_by().values_list("operation").annotate(count=Count("id")))
    entries = _first_entries(own, counts, query.shown)
    undone = _undone(catalog, operations)
    return LogPage(
        acts=[
            Act(
                last=head,
                entries=entries[head.operation],
                count=counts[head.operation],
                can_be_undone=undoable(entries[head.operation]),
                undone=head.operation in undone,
            )
            for head in shown
        ],
        next=_first_of(matching, operations[-1]) if len(found) > OPERATIONS else None,
    )


def _heads(matching: "QuerySet[AuditEntry]", *, before: int) -> list[int]:
    """Return the newest entry of each of the newest operations, one more than a page shows.

    The entries of an operation follow one another, as they are written with the catalog held: what
    is left of one at the end of what was read is jumped over.
    """
    heads: dict[uuid.UUID, int] = {}
    while len(heads) <= OPERATIONS:
        rows = matching.filter(id__lt=before) if before else matching
        read = list(rows.order_by("-id").values_list("id", "operation")[:ROWS])
        for pk, operation in read:
            heads.setdefault(operation, pk)
        if len(read) < ROWS:
            break
        before = _first_of(matching, read[-1][1])
    return list(heads.values())[: OPERATIONS + 1]


def _first_of(matching: "QuerySet[AuditEntry]", operation: uuid.UUID) -> int:
    own = matching.order_by().filter(operation=operation)
    first: int = own.aggregate(first=Min("id"))["first"]
    return first


def _first_entries(
    own: "QuerySet[AuditEntry]", counts: Mapping[uuid.UUID, int], number: int
) -> dict[uuid.UUID, list[AuditEntry]]:
    entries: dict[uuid.UUID, list[AuditEntry]] = defaultdict(list)
    few = [operation for operation, count in counts.items() if count <= number]
    for entry in own.filter(operation__in=few).order_by("id"):
        entries[entry.operation].append(entry)
    for operation in counts.keys() - set(few):
        entries[operation] = list(own.filter(operation=operation).order_by("id")[:number])
    return entries


def _undone(catalog: Catalog, operations: Sequence[uuid.UUID]) -> set[uuid.UUID]:
    """Return those of the operations that were taken back, and not brought back since."""
    undos = AuditEntry.objects.filter(catalog=catalog, action=UNDO).order_by("id")
    own = undos.filter(note__in=[str(one) for one in operations])
    by = {uuid.UUID(note): undo for note, undo in own.values_list("note", "operation")}
    again = undos.filter(note__in=[str(one) for one in by.values()])
    brought_back = set(again.values_list("note", flat=True))
    return {one for one, undo in by.items() if str(undo) not in brought_back}


def _text(values: Mapping[str, str], name: str) -> str:
    return values.get(name, "").replace("\0", "").strip()[:_LONGEST]


def _day(text: str) -> date | None:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if day.year in _YEARS else None


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))


def _uuid(text: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(text)
    except ValueError:
        return None
