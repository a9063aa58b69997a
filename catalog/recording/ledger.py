"""What one operation changes: rows as they were before their first write, then the entries."""

import uuid
from collections.abc import Collection, Iterator
from datetime import datetime
from typing import Any

from catalog.models import AuditEntry, Catalog
from catalog.models.audit import SUBJECT_LENGTH
from catalog.recording.actor import current_actor
from catalog.recording.rows import Row, batches, read_rows
from catalog.recording.sections import SECTIONS, Section, users_of
from catalog.recording.values import changed_values, order_values, whole_value

MADE, ENDED = "make", "delete"


class Operation:
    """One act on a draft. ``entries`` are known when it is over; each has its ``id``.

    ``brief`` operations keep one entry with the number of parts: for the filling of a draft that
    had none.
    """

    def __init__(
        self, *, catalog: Catalog, using: str, action: str, note: str = "", brief: bool = False
    ) -> None:
        self.id = uuid.uuid4()
        self.catalog = catalog
        self.using = using
        self.action = action
        self.note = note
        self.brief = brief
        self.entries: tuple[AuditEntry, ...] = ()
        self._before: dict[str, dict[int, Row | None]] = {kind: {} for kind in SECTIONS}

    def knows(self, section: Section, pks: Collection[int]) -> bool:
        """Tell whether all of these rows are known to be of this catalog."""
        return self._before[section.kind].keys() >= set(pks)

    def will_change(self, section: Section, pks: Collection[int], *, going: bool = False) -> None:
        """Keep rows as they are now, unless they are known already.

        Where they are ``going``, keep those too that refer to them and will no longer.
        """
        known = self._before[section.kind]
        new = [pk for pk in dict.fromkeys(pks) if pk not in known]
        if self.brief or not new:
            known.update(dict.fromkeys(new))
        else:
            found = read_rows(section, new, using=self.using)
            known.update({pk: found.get(pk) for pk in new})
        if going and not self.brief:
            self._keep_users(section, set(pks))

    def _keep_users(self, section: Section, pks: set[int]) -> None:
        for user, link in users_of(section.kind):
            rows = link.through._base_manager.using(self.using)  # noqa: SLF001 - public name
            found: set[int] = set()
            for targets in batches(pks):
                some = rows.filter(**{f"{link.target}__in": targets})
                found.update(some.values_list(f"{link.owner}_id", flat=True))
            self.will_change(user, sorted(found - (pks if user is section else set())))

    def was_made(self, section: Section, pks: Collection[int]) -> None:
        """Keep that these rows were not there before."""
        known = self._before[section.kind]
        for pk in pks:
            known.setdefault(pk, None)

    def finish(self, *, now: datetime) -> None:
        """Write an entry for each row that really changed, and one for each order that did."""
        made = list(self._brief_entry() if self.brief else self._entries())
        actor = current_actor()
        for entry in made:
            entry.catalog = self.catalog
            entry.catalog_name = self.catalog.name
            entry.operation = self.id
            entry.at = now
            entry.by, entry.by_name, entry.via = actor.person, actor.by_name, actor.via
            entry.action = self.action
            entry.subject = entry.subject[:SUBJECT_LENGTH]
            entry.note = self.note[:500]
        self.entries = tuple(AuditEntry.objects.using(self.using).bulk_create(made))

    def _brief_entry(self) -> Iterator[AuditEntry]:
        counts = {kind: len(rows) for kind, rows in self._before.items() if rows}
        counts.pop("settings", None)
        yield AuditEntry(kind="catalog", subject=self.catalog.name, after=counts)

    def _entries(self) -> Iterator[AuditEntry]:
        for section in SECTIONS.values():
            yield from self._entries_of(section)

    def _entries_of(self, section: Section) -> Iterator[AuditEntry]:
        known = self._before[section.kind]
        rows = read_rows(section, known, using=self.using) if known else {}
        stayed: dict[int, tuple[Row, Row]] = {}
        for pk, before in known.items():
            after = rows.get(pk)
            if before and after:
                stayed[pk] = before, after
                was, now = changed_values(before, after)
                if was:
                    yield _entry(section, pk, after, was, now)
            elif after:
                yield _entry(section, pk, after, None, whole_value(after))
            elif before:
                yield _entry(section, pk, before, whole_value(before), None)
        if order := order_values(section, stayed):
            yield AuditEntry(kind=section.kind, before=order[0], after=order[1])


def _entry(section: Section, pk: int, row: Row, before: Any, after: Any) -> AuditEntry:
    subject = section.subject(row.columns)
    return AuditEntry(kind=section.kind, subject=subject, row=pk, before=before, after=after)
