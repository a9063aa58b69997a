"""Remarks on a draft: made, settled, taken up again, and read with what each is about."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User

from catalog.access import Action, may
from catalog.models import Catalog, Comment
from catalog.models.part import Part
from catalog.recording.sections import SECTION_OF, SECTIONS


@dataclass(frozen=True, slots=True)
class Remark:
    """A comment with the part that it is about, ``None`` where that is the draft or is gone."""

    comment: Comment
    part: Part | None
    may_settle: bool

    @property
    def is_of_lost_part(self) -> bool:
        """Tell whether the part was deleted since."""
        return bool(self.comment.kind) and self.part is None


def part_of(*, catalog: Catalog, kind: str, row: int) -> Part | None:
    """Return the part of a section and row; ``None`` where the catalog has none."""
    section = SECTIONS.get(kind)
    if section is None or not section.ordered:
        return None
    found: Part | None = section.model._default_manager.filter(  # noqa: SLF001 - Django's public name
        catalog=catalog, pk=row
    ).first()
    return found


def add_comment(
    *, catalog: Catalog, part: Part | None, text: str, by: User, now: datetime
) -> Comment:
    """Make a remark on a draft, or on a part of it."""
    return Comment.objects.create(
        catalog=catalog,
        kind=SECTION_OF[type(part)].kind if part else "",
        row=part.pk if part else None,
        subject=str(part)[:200] if part else "",
        text=text,
        by=by,
        by_name=by.get_username(),
        at=now,
    )


def may_settle(*, catalog: Catalog, comment: Comment, person: User) -> bool:
    """Tell whether a person may settle a comment: whoever edits may, and whoever made it."""
    return may(catalog, Action.EDIT) or comment.by_id == person.pk


def settle(*, comment: Comment, by: User, now: datetime, settled: bool) -> None:
    """Settle a comment, or take it up again; what already is so stays so."""
    if settled == (comment.settled_at is not None):
        return
    comment.settled_at = now if settled else None
    comment.settled_by_name = by.get_username() if settled else ""
    comment.save(update_fields=["settled_at", "settled_by_name"])


def remarks(*, catalog: Catalog, comments: Iterable[Comment], person: User) -> list[Remark]:
    """Return comments with their parts. One query for each section that any is of."""
    listed = list(comments)
    rows: dict[str, list[int]] = defaultdict(list)
    for comment in listed:
        if comment.row is not None:
            rows[comment.kind].append(comment.row)
    parts: dict[tuple[str, int], Any] = {}
    for kind, pks in rows.items():
        model = SECTIONS[kind].model
        for part in model._default_manager.filter(catalog=catalog, pk__in=pks):  # noqa: SLF001
            part.catalog = catalog
            parts[kind, part.pk] = part
    return [
        Remark(
            comment,
            parts.get((comment.kind, comment.row or 0)),
            may_settle(catalog=catalog, comment=comment, person=person),
        )
        for comment in listed
    ]


def remarks_on(*, part: Part, person: User) -> Sequence[Remark]:
    """Return the open comments on a part."""
    kind = SECTION_OF[type(part)].kind
    comments = part.catalog.comments.open().filter(kind=kind, row=part.pk)
    return [
        Remark(one, part, may_settle(catalog=part.catalog, comment=one, person=person))
        for one in comments
    ]
