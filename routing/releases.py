"""Put versions before agents: publish, roll back, and know which release a label means."""

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from catalog.models import Catalog, CatalogVersion
from catalog.publishing import FrozenDraft, freeze_and_check, lock, make_version
from routing import encoding
from routing.models import LabelMove, Release
from routing.models.release import LIVE
from routing.selection import texts_to_embed
from routing.vectors import Progress, ensure_vectors


class StaleBase(Exception):
    """Somebody moved the label after its mover last looked. ``current`` is where it is now."""

    def __init__(self, current: LabelMove | None) -> None:
        super().__init__(f"The label has moved since: it is now at {current and current.release}.")
        self.current = current


class StaleDraft(Exception):
    """The draft has changed since it was reviewed."""


class UnknownVersion(Exception):
    """The catalog has no such version, or none of its releases."""


@dataclass(frozen=True, slots=True)
class Published:
    """What a publish did: ``made`` is false where the draft was already live."""

    version: CatalogVersion
    release: Release
    made: bool


def current_move(catalog: Catalog, *, label: str = LIVE) -> LabelMove | None:
    """Return the move that brought a label to where it is now."""
    moves = LabelMove.objects.current(label=label).filter(catalog=catalog)
    return moves.select_related("release__version__catalog", "by").first()


def publish(
    *,
    catalog: Catalog,
    author: User | None,
    now: datetime,
    note: str = "",
    base: int | None,
    reviewed_sha256: str | None = None,
    patient: bool = True,
    progress: Progress | None = None,
) -> Published:
    """Freeze the draft as a version, make its release and move ``live`` to it, all or nothing.

    ``base`` is the id of the move that the author saw ``live`` at, ``None`` before the first.
    ``reviewed_sha256`` is the hash of the draft that the author read; ``None`` takes the draft as
    it is. Vectors are made before the transaction begins, so that nobody waits for the encoder;
    ``patient`` asks an endpoint for them as long as a job may. Raises ``DraftHasProblems``,
    ``StaleBase``, ``StaleDraft`` or what the encoder raises, and then nothing has changed.
    """
    _prepare_vectors(freeze_and_check(catalog), patient=patient, progress=progress)
    with transaction.atomic():
        catalog = lock(catalog)
        live = current_move(catalog)
        if (live.pk if live else None) != base:
            raise StaleBase(live)
        frozen = freeze_and_check(catalog)
        if reviewed_sha256 is not None and frozen.sha256 != reviewed_sha256:
            raise StaleDraft
        if live is not None and live.release.version.sha256 == frozen.sha256:
            return Published(version=live.release.version, release=live.release, made=False)
        version = make_version(catalog=catalog, frozen=frozen, note=note, author=author, now=now)
        release = _release_of(version, now=now)
        _move(catalog=catalog, release=release, previous=live, by=author, reason=note, now=now)
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

    Raises ``UnknownVersion`` or ``StaleBase``.
    """
    with transaction.atomic():
        catalog = lock(catalog)
        live = current_move(catalog)
        if (live.pk if live else None) != base:
            raise StaleBase(live)
        release = Release.objects.filter(catalog=catalog, version__number=version).first()
        if release is None:
            raise UnknownVersion(version)
        if live is not None and live.release_id == release.pk:
            return live
        return _move(catalog=catalog, release=release, previous=live, by=by, reason=reason, now=now)


def follow_encoder(*, catalog: Catalog, version_sha256: str, base: int, now: datetime) -> LabelMove:
    """Move ``live`` to a release of the version that it is at, with today's encoder.

    The vectors are there already. Raises ``StaleBase`` where ``live`` was moved since it was at
    ``base``, which had a version of this hash.
    """
    with transaction.atomic():
        catalog = lock(catalog)
        live = current_move(catalog)
        if live is None or live.pk != base or live.release.version.sha256 != version_sha256:
            raise StaleBase(live)
        encoder = encoding.current()
        if live.release.encoder == encoder:
            return live
        release = _release_of(live.release.version, now=now)
        reason = f"The encoder changed to {encoder}."
        return _move(
            catalog=catalog, release=release, previous=live, by=None, reason=reason, now=now
        )


def _prepare_vectors(frozen: FrozenDraft, *, patient: bool, progress: Progress | None) -> None:
    if not frozen.problems:
        encoder = encoding.load_encoder(encoding.wanted(), patient=patient)
        ensure_vectors(texts=texts_to_embed(frozen.value), encoder=encoder, progress=progress)


def _release_of(version: CatalogVersion, *, now: datetime) -> Release:
    """Return the version's newest release with today's encoder, making it where there is none."""
    releases = Release.objects.filter(catalog=version.catalog)
    encoder = encoding.current()
    same = releases.filter(version=version, encoder=encoder).first()
    if same is not None:
        return same
    newest = releases.first()
    return Release.objects.create(
        catalog=version.catalog,
        number=newest.number + 1 if newest else 1,
        version=version,
        encoder=encoder,
        created_at=now,
    )


def _move(
    *,
    catalog: Catalog,
    release: Release,
    previous: LabelMove | None,
    by: User | None,
    reason: str,
    now: datetime,
    label: str = LIVE,
) -> LabelMove:
    try:
        with transaction.atomic():
            return LabelMove.objects.create(
                catalog=catalog,
                label=label,
                release=release,
                previous=previous,
                by=by,
                reason=reason,
                at=now,
            )
    except IntegrityError as error:
        raise StaleBase(current_move(catalog, label=label)) from error
