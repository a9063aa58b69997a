"""What counting takes: all spans from nothing, and new ones as they come."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max

from dashboard.management.scale.timing import Clock
from routing.models import CountedUpTo, Span
from routing.rollups.folding import fold_all
from routing.rollups.rebuilding import Progress, rebuild


@dataclass(frozen=True, slots=True)
class Counted:
    """How many spans were counted, in how many seconds."""

    spans: int
    seconds: float

    @property
    def microseconds(self) -> float:
        """Return what a span took."""
        return self.seconds / max(self.spans, 1) * 1e6


def count_from_nothing(
    *, now: datetime, clock: Clock, progress: Progress = lambda done, whole: None
) -> Counted:
    """Count every span that there is, in place of the counts."""
    newest = Span.objects.aggregate(newest=Max("pk"))["newest"] or 0
    CountedUpTo.objects.update_or_create(
        pk=1, defaults={"span": newest, "seen": 0, "horizon": 0, "at": now}
    )
    started = clock()
    rebuild(now=now, progress=progress)
    return Counted(spans=Span.objects.count(), seconds=clock() - started)


def count_new(*, now: datetime, clock: Clock) -> Counted:
    """Count the spans that are new, as the worker does."""
    mark = CountedUpTo.objects.get(pk=1).span
    new = Span.objects.filter(pk__gt=mark).count()
    started = clock()
    fold_all(now=now)
    return Counted(spans=new, seconds=clock() - started)
