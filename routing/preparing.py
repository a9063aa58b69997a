"""Publish at once, or in the background where many vectors are to be made first.

A preparation is a row that the worker works off: the vectors, batch by batch, then the move of the
label with every check of a publish that is made at once. Whatever stops the worker in between,
what was made is kept and the next worker goes on.
"""

import logging
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Case, When

from catalog.models import Catalog
from catalog.publishing import DraftHasProblems, freeze_and_check
from routing import encoding
from routing.background import Watch, ask_once, carrying_out, end
from routing.encoding import EncoderFailed
from routing.gate.standing import GateClosed, demand
from routing.models import LabelMove, Preparation, Release
from routing.models.release import LIVE
from routing.moves import StaleBase, seen_last
from routing.releases import Published, StaleDraft, follow_encoder, publish_prepared
from routing.selection import texts_to_embed
from routing.vectors import count_missing, ensure_vectors

# Vectors that a web request makes itself: of an encoder of this machine, and of an endpoint.
MOST_AT_ONCE = 500
MOST_OF_AN_ENDPOINT = 64
FAILED_WAITS = timedelta(minutes=10)

_log = logging.getLogger(__name__)
Start = Callable[[Preparation], str]
"""Hands a preparation to the worker and returns the name of the task."""


def publish_or_prepare(
    *,
    catalog: Catalog,
    author: User | None,
    now: datetime,
    note: str,
    base: int | None,
    reviewed_sha256: str,
    start: Start,
    label: str = LIVE,
) -> Published | Preparation:
    """Publish the draft, or have the worker do it where too many vectors are missing.

    Returns the preparation that is open already, where there is one. Raises as ``publish`` does;
    what is stale, or what the gate keeps, is refused before anything is prepared.
    """
    frozen = freeze_and_check(catalog)
    last = seen_last(catalog, label=label, base=base)
    if frozen.sha256 != reviewed_sha256:
        raise StaleDraft
    if frozen.problems:
        raise DraftHasProblems(list(frozen.problems))
    if label == LIVE:
        demand(catalog=catalog, sha256=frozen.sha256, live=last, now=now)
    texts = texts_to_embed(frozen.value)
    missing = count_missing(texts=texts, encoder_name=encoding.wanted())
    if missing <= most_at_once():
        try:
            if missing:
                ensure_vectors(
                    texts=texts, encoder=encoding.load_encoder(encoding.wanted(), patient=False)
                )
            return publish_prepared(
                catalog=catalog,
                author=author,
                now=now,
                note=note,
                base=base,
                reviewed_sha256=reviewed_sha256,
                label=label,
            )
        except EncoderFailed as error:
            _log.warning("%s is published by the worker: %s", catalog, error)
    return _ask(
        kind=Preparation.Kind.PUBLISH,
        label=label,
        by=author,
        reviewed=reviewed_sha256,
        made=len(texts) - missing,
        total=len(texts),
        start=start,
        catalog=catalog,
        now=now,
        note=note,
        base=base,
    )


def most_at_once() -> int:
    """Return how many vectors a web request makes itself."""
    endpoint = encoding.wanted().startswith(encoding.ENDPOINT)
    return MOST_OF_AN_ENDPOINT if endpoint else MOST_AT_ONCE


def follow_setting(*, now: datetime, start: Start) -> list[Preparation]:
    """Begin to move labels from releases of another encoder to that of the settings.

    One label of a catalog at a time, ``live`` first. One that failed is tried again after minutes.
    """
    wanted = encoding.current()
    moves = LabelMove.objects.current(label=None).filter(catalog__archived=False)
    behind = moves.exclude(release__encoder=wanted).select_related("catalog", "release__version")
    live_first = Case(When(label=LIVE, then=0), default=1)
    waiting = Preparation.objects.filter(kind=Preparation.Kind.ENCODER, encoder=wanted)
    recent = waiting.filter(finished_at__gt=now - FAILED_WAITS)
    begun = []
    for move in behind.order_by(live_first, "pk"):
        if waiting.open().filter(catalog=move.catalog).exists():
            continue
        if recent.filter(base=move.pk).exists():
            continue
        texts = texts_to_embed(move.release.version.parsed())
        missing = count_missing(texts=texts, encoder_name=encoding.wanted())
        begun.append(
            _ask(
                kind=Preparation.Kind.ENCODER,
                label=move.label,
                catalog=move.catalog,
                by=None,
                reviewed=move.release.version.sha256,
                base=move.pk,
                note="",
                made=len(texts) - missing,
                total=len(texts),
                now=now,
                start=start,
            )
        )
    return begun


def _ask(
    *,
    kind: Preparation.Kind,
    label: str,
    catalog: Catalog,
    by: User | None,
    reviewed: str,
    base: int | None,
    note: str,
    made: int,
    total: int,
    now: datetime,
    start: Start,
) -> Preparation:
    asked = Preparation(
        catalog=catalog,
        kind=kind,
        label=label,
        encoder=encoding.current(),
        base=base,
        reviewed=reviewed,
        note=note,
        asked_by=by,
        asked_at=now,
        made=made,
        total=total,
    )
    return ask_once(asked, start=start, catalog=catalog, kind=kind)


def carry_out(
    preparation: Preparation, *, clock: Callable[[], datetime], stopping: Callable[[], bool]
) -> None:
    """Make the vectors of a preparation, then move its label; write down how it ended.

    Raises ``Stopping`` after the batch in which ``stopping`` came true; nothing is lost then.
    """
    watch = Watch(one=preparation, stopping=stopping)
    try:
        with carrying_out(preparation, clock=clock):
            _make_vectors(preparation, progress=watch)
            with transaction.atomic():  # who is killed between the two has done neither
                end(preparation, at=clock(), release=_release(preparation, now=clock()))
    except StaleBase:
        end(preparation, at=clock(), problem=Preparation.Problem.STALE_BASE)
    except StaleDraft:
        end(preparation, at=clock(), problem=Preparation.Problem.STALE_DRAFT)
    except DraftHasProblems as error:
        end(preparation, at=clock(), problem=Preparation.Problem.DRAFT, detail=str(error))
    except GateClosed as error:
        end(preparation, at=clock(), problem=Preparation.Problem.GATE, detail=str(error))


def _make_vectors(preparation: Preparation, *, progress: Callable[[int, int], None]) -> None:
    # What is stale already need not be made ready.
    last = seen_last(preparation.catalog, label=preparation.label, base=preparation.base)
    value = _value(preparation, last)
    encoder = encoding.load_encoder(encoding.wanted(), patient=True)
    ensure_vectors(texts=texts_to_embed(value), encoder=encoder, progress=progress)


def _release(preparation: Preparation, *, now: datetime) -> Release:
    """Move the label of a preparation whose vectors are there."""
    catalog, label = preparation.catalog, preparation.label
    if preparation.kind == Preparation.Kind.PUBLISH:
        return publish_prepared(
            catalog=catalog,
            author=preparation.asked_by,
            now=now,
            note=preparation.note,
            base=preparation.base,
            reviewed_sha256=preparation.reviewed,
            label=label,
        ).release
    if preparation.base is None:
        raise StaleBase(None)
    return follow_encoder(
        catalog=catalog,
        version_sha256=preparation.reviewed,
        base=preparation.base,
        now=now,
        label=label,
    ).release


def _value(preparation: Preparation, last: LabelMove | None) -> Mapping[str, Any]:
    """Return the document whose vectors are to be made."""
    if preparation.kind == Preparation.Kind.ENCODER and last is not None:
        return last.release.version.parsed()
    frozen = freeze_and_check(preparation.catalog)
    if frozen.sha256 != preparation.reviewed:
        raise StaleDraft
    return frozen.value
