"""Deeds that change no row of a draft: a publish, a key, a role, a label."""

import uuid
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from catalog.models import AuditEntry, Catalog
from catalog.models.audit import SUBJECT_LENGTH
from catalog.recording.actor import current_actor


def note_deed(
    *,
    catalog: Catalog | None,
    action: str,
    kind: str,
    subject: str = "",
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
    note: str = "",
    by: User | None = None,
    operation: uuid.UUID | None = None,
    now: datetime | None = None,
) -> AuditEntry:
    """Keep in the audit log what was done, in the caller's transaction.

    It was done by ``by``, or by whoever is ``acting`` where that is not given. What is done to an
    account is of no catalog.

    ``action`` and ``kind`` are stable codes, which the pages have words for. ``before`` and
    ``after`` are small objects of plain values; nothing secret belongs in them. ``operation`` is
    that of the act that this is a part of. What is noted so cannot be undone by ``undo``.
    """
    actor = current_actor()
    person = by or actor.person
    return AuditEntry.objects.create(
        catalog=catalog,
        catalog_name=catalog.name if catalog else "",
        operation=operation or uuid.uuid4(),
        at=now or timezone.now(),
        by=person,
        by_name=person.get_username() if person else actor.by_name,
        via=actor.via,
        action=action,
        kind=kind,
        subject=subject[:SUBJECT_LENGTH],
        before=None if before is None else dict(before),
        after=None if after is None else dict(after),
        note=note[:500],
    )
