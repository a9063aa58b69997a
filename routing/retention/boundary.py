"""What is old enough to go."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet

from routing.models import Approval, KeptSince, Run, Span, ToolCall
from routing.partitions.days import day_of
from routing.partitions.since import ids_since
from routing.rollups.sections import HOURS_A_DAY


@dataclass(frozen=True, slots=True)
class Boundary:
    """Runs go that began before ``until``, the beginning of a day in UTC, and are over since then.

    A span above ``counted`` does not count yet, and keeps its run. At ``now`` a call may be out or
    an approval be waited for, which keeps it too.
    """

    until: datetime
    counted: int
    now: datetime

    @property
    def hour(self) -> int:
        """Return the first hour that is kept, in whole hours since 1970 UTC."""
        return day_of(self.until) * HOURS_A_DAY

    def over(self) -> QuerySet[Run]:
        """Return the runs that go."""
        of_run = {"run": OuterRef("pk")}
        later = Span.objects.filter(
            Q(time__gte=self.until) | Q(pk__gt=self.counted),
            pk__gte=ids_since(self.until),
            **of_run,
        )
        calls = ToolCall.objects.filter(leased_until__gt=self.now, status="", **of_run)
        waiting = Approval.objects.waiting(now=self.now).filter(**of_run)
        approved = Approval.objects.filter(
            state=Approval.State.APPROVED, used_by=None, expires_at__gt=self.now, **of_run
        )
        runs = Run.objects.filter(started_at__lt=self.until)
        for kept in (later, calls, waiting, approved):
            runs = runs.filter(~Exists(kept))
        return runs


def beginning(*, days: int, now: datetime) -> datetime:
    """Return since when spans are kept that are kept for some days, today not counted.

    That is 1970 at the earliest. Raises ``ValueError`` for less than a day.
    """
    if days < 1:
        raise ValueError("Spans are kept for a day at least.")
    return datetime.fromtimestamp(0, tz=UTC) + timedelta(days=max(0, day_of(now) - days))


def days_kept() -> int:
    """Return for how many days spans are kept; 0 for ever."""
    days: int = settings.SPANS_KEPT_DAYS
    return max(days, 0)


def kept_since() -> datetime | None:
    """Return the time before which spans were dropped, ``None`` where none were."""
    kept = KeptSince.objects.filter(pk=1).first()
    return None if kept is None else datetime.fromtimestamp(kept.hour * 3600, tz=UTC)
