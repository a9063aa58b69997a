"""Which versions went live in a period: what a chart's steps are read against."""

from dataclasses import dataclass
from datetime import datetime

from dashboard.metrics.hourly import Scope
from dashboard.metrics.periods import Period
from routing.models import LabelMove
from routing.models.release import LIVE

SHOWN = 10


@dataclass(frozen=True, slots=True)
class Move:
    """The live label of a catalog came to a version; ``by`` and ``reason`` may be empty."""

    catalog: str
    version: int
    published: bool
    at: datetime
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class Moves:
    """The newest moves of a period, and how many older ones are not among them."""

    newest: tuple[Move, ...]
    older: int


def moves_in(*, scope: Scope, period: Period) -> Moves:
    """Return what went live in a period, newest first. One query."""
    rows = list(
        LabelMove.objects.filter(
            catalog__in=scope.catalogs,
            label=LIVE,
            at__gte=period.first_moment,
            at__lt=period.end_moment,
        )
        .order_by("-at", "-id")
        .values_list(
            "catalog__name",
            "release__version__number",
            "release__version__created_at",
            "at",
            "by__username",
            "reason",
        )
    )
    newest = tuple(
        Move(
            catalog=catalog,
            version=version,
            published=made_at == at,
            at=at,
            by=by or "",
            reason=reason,
        )
        for catalog, version, made_at, at, by, reason in rows[:SHOWN]
    )
    return Moves(newest=newest, older=len(rows) - len(newest))
