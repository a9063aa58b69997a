"""Ask for a check of the draft, of a version or of what was learned."""

from collections.abc import Callable
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from catalog.models import Catalog, CatalogVersion
from catalog.publishing import DraftHasProblems, FrozenDraft, lock
from routing import background, encoding
from routing.gate.rules import rules_of
from routing.models import GateCheck, Release
from routing.moves import NothingLive, current_move

SEED = 0

Start = Callable[[GateCheck], str]
Subject = FrozenDraft | CatalogVersion | Release


def ask(
    *,
    catalog: Catalog,
    subject: Subject,
    by: User | None,
    now: datetime,
    note: str = "",
    start: Start | None = None,
) -> GateCheck:
    """Have the draft, a version, or a release that learned something checked against what is live.

    Returns the check of it that is under way, where there is one; one of another document is
    cancelled. Raises ``NothingLive``, and ``DraftHasProblems`` for a draft that could not be
    published. Without ``start`` nobody is handed it: the caller carries it out.
    """
    if isinstance(subject, FrozenDraft) and subject.problems:
        raise DraftHasProblems(list(subject.problems))
    release = subject if isinstance(subject, Release) else None
    document = subject.version if isinstance(subject, Release) else subject
    with transaction.atomic():
        catalog = lock(catalog)
        live = current_move(catalog)
        if live is None:
            raise NothingLive
        asked = rules_of(catalog).asked()
        open_one = GateCheck.objects.open().filter(catalog=catalog).first()
        if open_one is not None:
            same = (open_one.sha256, open_one.release, open_one.against_id, open_one.asked)
            wanted = (document.sha256, release, live.release_id, asked)
            if same == wanted and start is not None:
                return open_one
            background.cancel(open_one, now=now)
        one = GateCheck.objects.create(
            catalog=catalog,
            version=document if isinstance(document, CatalogVersion) else None,
            release=release,
            sha256=document.sha256,
            against=live.release,
            encoder=encoding.current(),
            asked=asked,
            seed=SEED,
            note=note[:500],
            asked_by=by,
            asked_at=now,
        )
        if start is not None:
            background.hand_over(one, start=start)
    return one
