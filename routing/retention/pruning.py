"""Drop what is older than it is kept for, again and again until all of it is gone."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from time import monotonic

from django.db import transaction

from routing.models import CountedUpTo, KeptSince, Span
from routing.partitions.days import day_of
from routing.retention.boundary import Boundary, beginning, days_kept
from routing.retention.days import drop_days, droppable
from routing.retention.facts import renew_facts
from routing.retention.rows import Gone, delete_runs
from routing.rollups.folding import fold_for

_EVERY_SPAN = 2**63 - 1
AT_A_TIME = 2.0
"""So many seconds the worker prunes about each minute, until it is done for the day."""


@dataclass(frozen=True, slots=True)
class Due:
    """What is old enough to go."""

    until: datetime
    runs: int
    spans: int
    partitions: int


def due(*, days: int, now: datetime) -> Due:
    """Return what ``prune`` would drop, which counts first what does not count yet."""
    boundary = Boundary(until=beginning(days=days, now=now), counted=_EVERY_SPAN, now=now)
    over = boundary.over()
    return Due(
        until=boundary.until,
        runs=over.count(),
        spans=Span.objects.filter(run__in=over.values("pk")).count(),
        partitions=len(droppable(boundary)),
    )


def prune(
    *,
    days: int,
    now: datetime,
    gone: Gone,
    seconds: float = float("inf"),
    clock: Callable[[], float] = monotonic,
) -> bool:
    """Drop what is older than some days, for about so many seconds; tell whether it is all gone.

    It is added up in ``gone``. What it is broken off in is whole: runs and partitions go each with
    all that belongs to them, or stay. Counts of the hours stay, and from now on no span of before
    is taken (``KeptSince``).
    """
    end = clock() + seconds
    if not fold_for(seconds / 2, now=now, clock=clock):
        return False
    mark = CountedUpTo.objects.get(pk=1)
    boundary = Boundary(until=beginning(days=days, now=now), counted=mark.span, now=now)
    _keep_since(boundary)
    if not drop_days(boundary, gone=gone):
        return False
    if not delete_runs(boundary, gone=gone, stop=lambda: clock() >= end):
        return False
    renew_facts(boundary)
    return True


@transaction.atomic
def _keep_since(boundary: Boundary) -> None:
    """Remember since when spans are kept: what is dropped once does not come back."""
    kept, _ = KeptSince.objects.select_for_update().get_or_create(
        pk=1, defaults={"hour": boundary.hour, "at": boundary.now}
    )
    if kept.hour < boundary.hour:
        kept.hour, kept.at = boundary.hour, boundary.now
        kept.save()


class Pruner:
    """Prunes once a day, some seconds at a time. ``clock`` tells seconds and never goes back."""

    def __init__(self, *, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._done = 0

    def __call__(self, now: datetime) -> None:
        """Do the next part of what is due, where a retention is set and today's is not done."""
        days = days_kept()
        if not days or self._done == day_of(now):
            return
        if prune(days=days, now=now, gone=Gone(), seconds=AT_A_TIME, clock=self._clock):
            self._done = day_of(now)
