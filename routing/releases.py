"""Put versions before agents: publish, roll back, move a label, follow the encoder."""

from dataclasses import dataclass
from datetime import datetime
from typing import TypeGuard

from django.contrib.auth.models import User
from django.db import transaction

from catalog.models import Catalog, CatalogVersion
from catalog.publishing import FrozenDraft, freeze_and_check, lock, make_version
from routing import encoding
from routing.fitted.carrying import ServedWith, served_with
from routing.gate.standing import demand, demand_of_version
from routing.models import LabelMove, Release
from routing.models.release import LIVE
from routing.moves import StaleBase, UnknownVersion, current_move, make_move, release_of, seen_last
from routing.selection import texts_to_embed
from routing.vectors import Progress, ensure_vectors


class StaleDraft(Exception):
    """The draft has changed since it was reviewed."""


@dataclass(frozen=True, slots=True)
class Published:
    """What a publish did: ``made`` is false where the draft was already live."""

    version: CatalogVersion
    release: Release
    made: bool


def publish(
    *,
    catalog: Catalog,
    author: User | None,
    now: datetime,
    note: str = "",
    base: int | None,
    reviewed_sha256: str | None = None,
    label: str = LIVE,
    patient: bool = True,
    progress: Progress | None = None,
) -> Published:
    """Freeze the draft as a version, make its release and move a label to it, all or nothing.

    ``base`` is the id of the last move of the label that the author saw, ``None`` before the first.
    ``reviewed_sha256`` is the hash of the draft that the author read; ``None`` takes the draft as
    it is. Vectors are made before the transaction begins, so that nobody waits for the encoder;
    ``patient`` asks an endpoint for them as long as a job may. Raises ``DraftHasProblems``,
    ``StaleBase``, ``StaleDraft``, ``GateClosed`` (of ``routing.gate.standing``) where the catalog
    asks for a check that says so, or what the encoder raises, and then nothing has changed.
    """
    _prepare_vectors(freeze_and_check(catalog), patient=patient, progress=progress)
    return publish_prepared(
        catalog=catalog,
        author=author,
        now=now,
        note=note,
        base=base,
        reviewed_sha256=reviewed_sha256,
        label=label,
    )


def publish_prepared(
    *,
    catalog: Catalog,
    author: User | None,
    now: datetime,
    note: str = "",
    base: int | None,
    reviewed_sha256: str | None,
    label: str = LIVE,
) -> Published:
    """Do what ``publish`` does with a draft whose vectors are there already."""
    with transaction.atomic():
        catalog = lock(catalog)
        last = seen_last(catalog, label=label, base=base)
        frozen = freeze_and_check(catalog)
        if reviewed_sha256 is not None and frozen.sha256 != reviewed_sha256:
            raise StaleDraft
        if _is_at(last, frozen.sha256):
            return Published(version=last.release.version, release=last.release, made=False)
        if label == LIVE:
            demand(catalog=catalog, sha256=frozen.sha256, live=last, now=now)
        version = make_version(catalog=catalog, frozen=frozen, note=note, author=author, now=now)
        release = release_of(version, served=served_now(catalog, frozen, label=label), now=now)
        make_move(
            catalog=catalog,
            label=label,
            release=release,
            previous=last,
            by=author,
            reason=note,
            now=now,
            action="publish",
        )
    return Published(version=version, release=release, made=True)


def roll_back(
    *,
    catalog: Catalog,
    version: int,
    by: User | None,
    reason: str,
    base: int | None,
    now: datetime,
) -> LabelMove:
    """Move ``live`` to the newest release of an earlier version. The draft stays as it is.

    What was live once is never kept from it by the gate.

    Raises ``UnknownVersion`` or ``StaleBase``.
    """
    return move_label(
        catalog=catalog, label=LIVE, version=version, by=by, reason=reason, base=base, now=now
    )


def move_label(
    *,
    catalog: Catalog,
    label: str,
    version: int,
    by: User | None,
    reason: str,
    base: int | None,
    now: datetime,
) -> LabelMove:
    """Move a label to the newest release of any version; a new label comes to be by it.

    Raises ``UnknownVersion``, ``StaleBase``, or ``GateClosed`` where ``live`` was never at it and
    the catalog asks for a check first.
    """
    with transaction.atomic():
        catalog = lock(catalog)
        last = seen_last(catalog, label=label, base=base)
        release = _release_again(catalog, label=label, version=version)
        if last is not None and not last.removed and last.release_id == release.pk:
            return last
        if label == LIVE:
            demand_of_version(catalog=catalog, version=release.version, live=last, now=now)
        is_back = label == LIVE and last is not None and version < last.release.version.number
        return make_move(
            catalog=catalog,
            label=label,
            release=release,
            previous=last,
            by=by,
            reason=reason,
            now=now,
            action="roll_back" if is_back else "move_label",
        )


def served_now(catalog: Catalog, frozen: FrozenDraft, *, label: str = LIVE) -> ServedWith:
    """Return what a draft would be served with if it were published to a label now.

    What the label's release learned is carried on as far as it still holds; a label that is nowhere
    follows ``live``.
    """
    move = current_move(catalog, label=label) or current_move(catalog)
    return served_with(frozen.value, after=move.release if move else None)


def follow_encoder(
    *, catalog: Catalog, version_sha256: str, base: int, now: datetime, label: str = LIVE
) -> LabelMove:
    """Move a label to a release of the version that it is at, with today's encoder.

    The vectors are there already. Raises ``StaleBase`` where the label was moved since it was at
    ``base``, which had a version of this hash.
    """
    with transaction.atomic():
        catalog = lock(catalog)
        last = seen_last(catalog, label=label, base=base)
        if not _is_at(last, version_sha256):
            raise StaleBase(last)
        encoder = encoding.current()
        if last.release.encoder == encoder:
            return last
        version = last.release.version
        served = served_with(version.parsed(), after=last.release)
        return make_move(
            catalog=catalog,
            label=label,
            release=release_of(version, served=served, now=now),
            previous=last,
            by=None,
            reason=f"The encoder changed to {encoder}.",
            now=now,
            action="switch_encoder",
        )


def _is_at(move: LabelMove | None, sha256: str) -> TypeGuard[LabelMove]:
    return move is not None and not move.removed and move.release.version.sha256 == sha256


def _prepare_vectors(frozen: FrozenDraft, *, patient: bool, progress: Progress | None) -> None:
    if not frozen.problems:
        encoder = encoding.load_encoder(encoding.wanted(), patient=patient)
        ensure_vectors(texts=texts_to_embed(frozen.value), encoder=encoder, progress=progress)


def _release_again(catalog: Catalog, *, label: str, version: int) -> Release:
    """Return the release of a version that a label was at last, else the version's newest.

    A newer one may be there that was tried and rolled back. Raises ``UnknownVersion``.
    """
    moves = LabelMove.objects.filter(catalog=catalog, label=label, removed=False)
    was_at = moves.filter(release__version__number=version).select_related("release").first()
    if was_at is not None:
        return was_at.release
    newest = Release.objects.filter(catalog=catalog, version__number=version).first()
    if newest is None:
        raise UnknownVersion(version)
    return newest
