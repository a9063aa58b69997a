"""Put what was learned before agents, as a release of the live version, and take it back."""

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from catalog.models import Catalog
from catalog.publishing import lock
from routing.fitted.carrying import ServedWith
from routing.models import FittedModel, LabelMove, Release
from routing.models.release import LIVE
from routing.moves import StaleBase, UnknownVersion, make_move, release_of, seen_last


def go_live_with(
    *,
    catalog: Catalog,
    base: int,
    calibration: FittedModel | None,
    classifier: FittedModel | None,
    by: User | None,
    reason: str,
    now: datetime,
) -> LabelMove:
    """Move ``live`` to a release of the version that it is at, with what was learned.

    Raises ``StaleBase`` where the label was moved since it was at ``base``.
    """
    with transaction.atomic():
        catalog = lock(catalog)
        last = seen_last(catalog, label=LIVE, base=base)
        if last is None:
            raise StaleBase(None)
        served = ServedWith(
            encoder=last.release.encoder, calibration=calibration, classifier=classifier
        )
        return make_move(
            catalog=catalog,
            label=LIVE,
            release=release_of(last.release.version, served=served, now=now),
            previous=last,
            by=by,
            reason=reason,
            now=now,
            action="learn",
        )


def back_to(
    *,
    catalog: Catalog,
    release: Release,
    by: User | None,
    reason: str,
    base: int | None,
    now: datetime,
) -> LabelMove:
    """Move ``live`` back to a release of the same catalog that it was at. Raises ``StaleBase``.

    Raises ``UnknownVersion`` where ``live`` was never at it.
    """
    with transaction.atomic():
        catalog = lock(catalog)
        last = seen_last(catalog, label=LIVE, base=base)
        moves = LabelMove.objects.filter(catalog=catalog, label=LIVE)
        if not moves.filter(release=release).exists():
            raise UnknownVersion(release.version.number)
        return make_move(
            catalog=catalog,
            label=LIVE,
            release=release,
            previous=last,
            by=by,
            reason=reason,
            now=now,
            action="roll_back",
        )
