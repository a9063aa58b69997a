"""Look for runs, hour by hour, and stop when a page is full or enough was looked at."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Left

from routing.exploring.asking import Asked
from routing.exploring.conditions import conditions
from routing.exploring.hours import Hour, hours_to_search
from routing.models import Run, Span, Text
from routing.spans import hour_of

PAGE = 50
AT_ONCE = 500
"""About so many runs are looked at with one query."""
MOST = 5_000
"""About so many runs are looked at for one page."""
_TASK_LENGTH = 200
_MOMENT = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Mark:
    """A place in the order of runs, newest first: before a moment, or at it and of a lower id."""

    at: datetime
    run: int = 0

    def __str__(self) -> str:
        return f"{(self.at - _EPOCH) // _MOMENT}.{self.run}"


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def parse_mark(text: str) -> Mark:
    """Return the mark that ``str`` made a text of. Raises ``ValueError`` for any other text."""
    at, _, run = text.partition(".")
    if not (at + run).isascii() or not at.isdecimal() or not run.isdecimal() or len(text) > 40:
        raise ValueError("no mark")
    try:
        return Mark(_EPOCH + int(at) * _MOMENT, min(int(run), 2**63 - 1))
    except OverflowError as error:
        raise ValueError("no mark") from error


@dataclass(frozen=True, slots=True)
class Found:
    """Some runs, newest first, each with its ``task``.

    ``next`` is where to go on, ``None`` where everything was looked at. ``gave_up`` tells that the
    page is not full because enough was looked at; there may be more further back.
    """

    runs: Sequence[Run]
    next: Mark | None = None
    gave_up: bool = False


def search(
    asked: Asked, *, before: Mark | None = None, page: int = PAGE, most: int = MOST
) -> Found:
    """Return runs that are asked for and began before a mark.

    Hours of which the counts say that there is none are not looked at: what has not been counted
    yet is not found, unless nothing but a time and an outcome is asked for.
    """
    start = min(before.at, asked.until) if before else asked.until
    # Beside the run of a mark there may be others of the same moment; before a time there are none.
    upto = hour_of(start if before and before.run else start - _MOMENT)
    runs = _runs(asked, before)
    if not asked.by_steps:
        return _page(list(runs[: page + 1]), page)
    found: list[Run] = []
    looked_at = 0
    for hours in _together(hours_to_search(asked, upto=upto), min(AT_ONCE, most)):
        if looked_at >= most:
            return Found(found, next=Mark(_end_of(hours[0])), gave_up=True)
        found += runs.filter(_within(hours))[: page + 1 - len(found)]
        looked_at += sum(hour.runs for hour in hours)
        if len(found) > page:
            break
    return _page(found, page)


def _page(found: list[Run], page: int) -> Found:
    last = found[page - 1] if len(found) > page else None
    return Found(found[:page], next=Mark(last.started_at, last.pk) if last else None)


def _runs(asked: Asked, before: Mark | None) -> QuerySet[Run]:
    rows = Run.objects.filter(conditions(asked), started_at__gte=asked.since)
    rows = rows.filter(started_at__lt=asked.until)
    if before is not None:
        same_moment = Q(started_at=before.at, pk__lt=before.run)
        rows = rows.filter(Q(started_at__lt=before.at) | same_moment)
    tasks = Text.objects.filter(run=OuterRef("pk"), span__name=Span.Name.ROUTE).order_by("span_id")
    rows = rows.select_related("key", "release__version").defer("release__version__document")
    rows = rows.annotate(task=Subquery(tasks.values(start=Left("task", _TASK_LENGTH))[:1]))
    return rows.order_by("-started_at", "-id")


def _together(hours: Iterable[Hour], most: int) -> Iterator[list[Hour]]:
    """Yield hours that are looked at with one query: of about ``most`` runs."""
    some: list[Hour] = []
    for hour in hours:
        some.append(hour)
        if sum(one.runs for one in some) >= most:
            yield some
            some = []
    if some:
        yield some


def _within(hours: Sequence[Hour]) -> Q:
    where = Q()
    for start, end in _stretches(hours):
        where |= Q(started_at__gte=start, started_at__lt=end)
    return where


def _stretches(hours: Sequence[Hour]) -> Iterator[tuple[datetime, datetime]]:
    """Yield the stretches of time that hours, newest first, make up."""
    end = _end_of(hours[0])
    for hour, earlier in zip(hours, [*hours[1:], None], strict=True):
        if earlier is None or earlier.hour != hour.hour - 1:
            yield _end_of(hour) - timedelta(hours=1), end
            if earlier is not None:
                end = _end_of(earlier)


def _end_of(hour: Hour) -> datetime:
    return datetime.fromtimestamp((hour.hour + 1) * 3600, tz=UTC)
