"""Take an operation back: put each part that it changed to what it was, if nobody went on since."""

import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import IntegrityError
from django.utils.translation import gettext as _

from catalog.models import AuditEntry, Catalog
from catalog.recording.blocks import recorded
from catalog.recording.ledger import Operation
from catalog.recording.rows import References, Row, read_rows, same
from catalog.recording.sections import SECTIONS, Link, Section, users_of
from catalog.recording.values import ORDER, changed_values, references_of, row_of
from catalog.recording.writing import Plan, Rewrite, write_rows

UNDO = "undo"


class CannotUndo(Exception):
    """The draft stays as it is; ``reason`` says to a person why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def undoable(entries: Iterable[AuditEntry]) -> bool:
    """Tell whether these entries of one operation are of a kind that can be taken back."""
    parts = [entry for entry in entries if entry.kind in SECTIONS]
    return bool(parts) and not any(
        entry.kind == "settings" and entry.before is None for entry in parts
    )


def undo(*, catalog: Catalog, operation: uuid.UUID, now: datetime | None = None) -> Operation:
    """Put what an operation changed to what it was, as an operation that can be undone itself.

    A part is put back field by field: what the operation did not change of it stays as it is. Rows
    that were deleted come back as the same rows, in their places and with all that referred to
    them. Raises ``CannotUndo`` where something that it changed has been changed again, deleted,
    or is in use since; the reason says what, and by whom. Nothing has changed then.
    """
    try:
        with recorded(catalog=catalog, action=UNDO, note=str(operation), now=now) as done:
            entries = list(catalog.audit_entries.filter(operation=operation).order_by("id"))
            if not undoable(entries):
                raise CannotUndo(_("This is nothing that can be undone here."))
            reversal = _Reversal(catalog, entries, done.using)
            reversal.check()
            write_rows(catalog=catalog, plan=reversal.plan, before_deleting=reversal.check_uses)
    except IntegrityError as taken:
        raise CannotUndo(
            _("A name that would come back is taken by another part by now.")
        ) from taken
    return done


class _Reversal:
    """What taking an operation back wants of each row."""

    def __init__(self, catalog: Catalog, entries: Sequence[AuditEntry], using: str) -> None:
        self._catalog = catalog
        self._using = using
        self._last = entries[-1].pk
        self._changed: dict[tuple[str, int], str] = {}  # kind and row: subject
        self.plan: Plan = {
            kind: self._reverse(section, [entry for entry in entries if entry.kind == kind])
            for kind, section in SECTIONS.items()
        }

    def _reverse(self, section: Section, entries: list[AuditEntry]) -> dict[int, Rewrite]:
        of_parts = {entry.row: entry for entry in entries if entry.row is not None}
        orders = [entry for entry in entries if entry.row is None]
        pks = [*of_parts, *(pk for entry in orders for pk, *_rest in entry.after[ORDER])]
        now = read_rows(section, dict.fromkeys(pks), using=self._using) if pks else {}
        wanted: dict[int, Row | None] = dict(now)
        for pk, entry in of_parts.items():
            wanted[pk] = self._wanted(section, entry, now.get(pk))
        for entry in orders:
            self._put_in_order(section, entry, now, wanted)
        return {pk: Rewrite(now.get(pk), wanted[pk]) for pk in wanted}

    def _wanted(self, section: Section, entry: AuditEntry, now: Row | None) -> Row | None:
        if entry.before is None:
            if now is None or any(changed_values(row_of(section, entry.after), now)):
                self._note(section, entry)
            return None
        if entry.after is None:
            if now is not None:
                self._note(section, entry)
            return row_of(section, entry.before)
        if now is None:
            self._note(section, entry)
            return None
        return self._put_back(section, entry, now)

    def _put_back(self, section: Section, entry: AuditEntry, now: Row) -> Row:
        columns, links = dict(now.columns), dict(now.links)
        named = {link.field: link for link in section.links}
        for name, value in entry.after.items():
            if name in named:
                was, came = references_of(entry.before[name]), references_of(value)
                if not _stands(now.links[name], was, came):
                    self._note(section, entry)
                kept = {pk: one for pk, one in now.links[name].items() if pk not in came}
                links[name] = {**kept, **was}
            else:
                if not same(now.columns[name], value):
                    self._note(section, entry)
                columns[name] = entry.before[name]
        return Row(columns, links)

    def _put_in_order(
        self,
        section: Section,
        entry: AuditEntry,
        now: Mapping[int, Row],
        wanted: dict[int, Row | None],
    ) -> None:
        before = {pk: position for pk, _name, position in entry.before[ORDER]}
        for pk, name, position in entry.after[ORDER]:
            row = wanted.get(pk)
            if row is None:
                continue  # what is gone has no place
            if now[pk].columns["position"] != position:
                self._changed[section.kind, pk] = name
            wanted[pk] = Row({**row.columns, "position": before[pk]}, row.links)

    def _note(self, section: Section, entry: AuditEntry) -> None:
        self._changed[section.kind, entry.row or 0] = entry.subject

    def check(self) -> None:
        """Raise ``CannotUndo`` where a part was changed since, or refers to what is gone."""
        if self._changed:
            raise CannotUndo(self._said_changed())
        for section, link in ((s, link) for s in SECTIONS.values() for link in s.links):
            missing = self._missing(section, link)
            if missing:
                raise CannotUndo(
                    _("“%(name)s”, which would be referred to again, is no longer there.")
                    % {"name": missing}
                )

    def _missing(self, section: Section, link: Link) -> str | None:
        new = {
            target: reference.name
            for one in self.plan[section.kind].values()
            if one.wanted
            for target, reference in one.wanted.links[link.field].items()
            if one.now is None or target not in one.now.links[link.field]
        }
        there = {pk for pk, one in self.plan[link.to].items() if one.wanted}
        left = sorted(new.keys() - there)
        if not left:
            return None
        model = SECTIONS[link.to].model
        rows = model.objects.using(self._using).filter(catalog=self._catalog, pk__in=left)
        gone = set(left) - set(rows.values_list("pk", flat=True))
        return new[min(gone)] if gone else None

    def check_uses(self) -> None:
        """Raise ``CannotUndo`` where something that was made is used by now."""
        for kind, rewrites in self.plan.items():
            ends = [pk for pk, one in rewrites.items() if not one.wanted]
            for section, link in users_of(kind) if ends else ():
                rows: Any = link.through._base_manager.using(self._using)  # noqa: SLF001
                uses = rows.filter(**{f"{link.target}__in": ends}).exclude(
                    **{f"{link.owner}__in": self._ends_of(section)}
                )
                for used in uses.select_related(link.owner, link.target)[:1]:
                    raise CannotUndo(
                        _("“%(name)s” is used by “%(user)s” since.")
                        % {"name": getattr(used, link.target), "user": getattr(used, link.owner)}
                    )

    def _ends_of(self, section: Section) -> list[int]:
        return [pk for pk, one in self.plan[section.kind].items() if not one.wanted]

    def _said_changed(self) -> str:
        """Say which parts were changed since and by whom; of many the first."""
        names = ", ".join(f"“{name or _('the settings')}”" for name in self._names()[:5])
        whose = [entry.by_name or entry.get_via_display() for entry in self._since()]
        people = ", ".join(dict.fromkeys(whose))
        if not people:
            return _("%(names)s changed since.") % {"names": names}
        return _("%(names)s changed since, by %(people)s.") % {"names": names, "people": people}

    def _names(self) -> list[str]:
        return list(dict.fromkeys(self._changed.values()))

    def _since(self) -> Iterator[AuditEntry]:
        later = self._catalog.audit_entries.filter(pk__gt=self._last)
        for kind in {kind for kind, _pk in self._changed}:
            rows = [pk for of_kind, pk in self._changed if of_kind == kind][:500]
            own = later.filter(kind=kind, row__in=rows) | later.filter(kind=kind, row=None)
            yield from own.order_by("id")[:5]


def _stands(now: References, was: References, came: References) -> bool:
    """Tell whether a link still is as the operation left it, in what it changed of it."""
    for pk in came:
        if pk not in now or (pk in was and now[pk].identity != came[pk].identity):
            return False
    return all(pk in came or pk not in now for pk in was)
