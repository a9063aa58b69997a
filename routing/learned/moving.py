"""Put what was learned before agents, as a release of the live version, and take it back."""

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from catalog.models import Catalog
from catalog.publishing import lock
from routing.fitted.carrying import ServedWith
from routing.gate.standing import demand_of_release
from routing.models import FittedModel, LabelMove, Release
from routing.models.gate import REASON_LENGTH
from routing.models.release import LIVE
from routing.moves import StaleBase, UnknownVersion, make_move, release_of, seen_last


def release_with(
    *,
    catalog: Catalog,
    base: int,
    calibration: FittedModel | None,
    classifier: FittedModel | None,
    now: datetime,
) -> Release:
    """Return a release of the live version with what was learned; it is not live by that.

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
        return release_of(last.release.version, served=served, now=now)


def put_live(
    *,
    catalog: Catalog,
    release: Release,
    base: int | None,
    by: User | None,
    reason: str,
    now: datetime,
) -> LabelMove:
    """Move ``live`` to a release of its version that learned something, where the gate is open.

    Raises ``GateClosed``, and ``StaleBase`` where the label was moved since it was at ``base``, or
    is at another version.
    """
    with transaction.atomic():
        catalog = lock(catalog)
        last = seen_last(catalog, label=LIVE, base=base)
        if last is None or last.release.version_id != release.version_id:
            raise StaleBase(last)
        if last.release_id == release.pk:
            return last
        demand_of_release(catalog=catalog, release=release, live=last, now=now)
        return make_move(
            catalog=catalog,
            label=LIVE,
            release=release,
            previous=last,
            by=by,
            reason=reason[:REASON_LENGTH],
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
