"""The moves of labels: which release a label means, and how it comes to mean another.

What may go live, and when, is asked by whoever moves one (``routing.releases``).
"""

from datetime import datetime

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from catalog.models import Catalog, CatalogVersion
from catalog.recording import note_deed
from routing.fitted.carrying import ServedWith
from routing.models import Label, LabelMove, Release
from routing.models.release import LIVE


class StaleBase(Exception):
    """Somebody moved the label after its mover last looked. ``current`` is where it is now."""

    def __init__(self, current: LabelMove | None) -> None:
        super().__init__(f"The label has moved since: it is now at {current and current.release}.")
        self.current = current


class NothingLive(Exception):
    """There is no release there: nothing is live, or none is of the version that was named."""


class UnknownVersion(Exception):
    """The catalog has no such version, or none of its releases."""


def current_move(catalog: Catalog, *, label: str = LIVE) -> LabelMove | None:
    """Return the move that brought a label to where it is now."""
    move = last_move(catalog, label=label)
    return None if move is None or move.removed else move


def last_move(catalog: Catalog, *, label: str) -> LabelMove | None:
    """Return what was done to a label last, be it that it was taken away."""
    moves = LabelMove.objects.filter(catalog=catalog, label=label)
    learned = ("release__calibration", "release__classifier")
    return moves.select_related("release__version__catalog", "by", *learned).first()


def seen_last(catalog: Catalog, *, label: str, base: int | None) -> LabelMove | None:
    """Return the last move of a label; raises ``StaleBase`` where that is not the one seen."""
    last = last_move(catalog, label=label)
    if (last.pk if last else None) != base:
        raise StaleBase(last)
    return last


def release_of(version: CatalogVersion, *, served: ServedWith, now: datetime) -> Release:
    """Return the version's newest release that is served with this, made where there is none."""
    releases = Release.objects.filter(catalog=version.catalog)
    parts = {
        "encoder": served.encoder,
        "calibration": served.calibration,
        "classifier": served.classifier,
    }
    same = releases.filter(version=version, **parts).first()
    if same is not None:
        return same
    newest = releases.first()
    return Release.objects.create(
        catalog=version.catalog,
        number=newest.number + 1 if newest else 1,
        version=version,
        created_at=now,
        **parts,
    )


def make_move(
    *,
    catalog: Catalog,
    label: str,
    release: Release,
    previous: LabelMove | None,
    by: User | None,
    reason: str,
    now: datetime,
    action: str,
    removed: bool = False,
) -> LabelMove:
    """Write a move of a label down, also in the audit log: ``action`` is its code there.

    Raises ``StaleBase`` where another followed ``previous``.
    """
    try:
        with transaction.atomic():
            if label != LIVE:
                Label.objects.get_or_create(catalog=catalog, name=label)
            move = LabelMove.objects.create(
                catalog=catalog,
                label=label,
                release=release,
                previous=previous,
                by=by,
                reason=reason,
                at=now,
                removed=removed,
            )
            was_there = previous is not None and not previous.removed
            note_deed(
                catalog=catalog,
                action=action,
                kind="labels",
                subject=label,
                before=_where(previous.release) if previous and was_there else None,
                after=None if removed else _where(release),
                note=reason,
                by=by,
                now=now,
            )
            return move
    except IntegrityError as error:
        raise StaleBase(last_move(catalog, label=label)) from error


def _where(release: Release) -> dict[str, object]:
    said: dict[str, object] = {
        "version": release.version.number,
        "release": release.number,
        "encoder": release.encoder,
    }
    learned = {"calibration": release.calibration, "classifier": release.classifier}
    return said | {name: row.sha256[:12] for name, row in learned.items() if row is not None}
