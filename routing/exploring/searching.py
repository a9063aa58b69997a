"""Look for runs, hour by hour, and stop when a page is full or enough was looked at."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from time import monotonic

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Left

from routing.exploring.asking import Asked
from routing.exploring.conditions import conditions
from routing.exploring.hours import Hour, hours_to_search
from routing.models import Run, Text
from routing.partitions.until import days_with_steps
from routing.spans import hour_of

PAGE = 50
FIRST = 100
"""About so many runs are looked at with the first query: it tells how long a look takes."""
AT_ONCE = 1_000
"""At most about so many runs are looked at with one query."""
GROWTH = 3
"""At most so many times as many runs are looked at with the next query."""
APART = 4
"""Of the time that one query reaches over, at least one in so many parts is looked at."""
PIECE = 250
"""An hour of more runs than these is looked at in pieces."""
MOST = 5_000
"""About so many runs are looked at for one page."""
_Place = tuple[int, datetime]
_TASK_LENGTH = 200
_MOMENT = timedelta(microseconds=1)
_HOUR = timedelta(hours=1)


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


@dataclass(frozen=True, slots=True)
class _Piece:
    """An hour, or a part of it, in which about so many runs began."""

    start: datetime
    end: datetime
    runs: int


def search(
    asked: Asked,
    *,
    before: Mark | None = None,
    page: int = PAGE,
    most: int = MOST,
    patience: float = math.inf,
    clock: Callable[[], float] = monotonic,
) -> Found:
    """Return runs that are asked for and began before a mark.

    Hours of which the counts say that there is none are not looked at: what has not been counted
    yet is not found, unless nothing but a time and an outcome is asked for. It gives up after about
    ``most`` runs, or where the next hour would take it over ``patience`` seconds of ``clock``, as
    the last look went; what was found by then is in the page.
    """
    pace = _Pace(ends=clock() + patience)
    start = min(before.at, asked.until) if before else asked.until
    # Beside the run of a mark there may be others of the same moment; before a time there are none.
    latest = start if before and before.run else start - _MOMENT
    if not asked.by_steps:
        return _page(
            list(_ids(asked, before, asked.since, asked.until)[: page + 1]), page, asked.catalog
        )
    found: list[_Place] = []
    looked_at = 0
    pieces = _pieces(hours_to_search(asked, upto=hour_of(latest)), latest)
    for some in _together(pieces, pace, most):
        if looked_at >= most or (looked_at and pace.fits < some[0].runs):
            return Found(_shown(found, asked.catalog), next=Mark(some[0].end), gave_up=True)
        began = clock()
        found += _in_pieces(asked, before, some)[: page + 1 - len(found)]
        if len(found) > page:
            break
        of_look = sum(piece.runs for piece in some)
        looked_at += of_look
        pace.went(of_look, began=began, now=clock())
    return _page(found, page, asked.catalog)


def _page(found: list[_Place], page: int, catalog: int) -> Found:
    runs = _shown(found[:page], catalog)
    last = runs[-1] if runs and len(found) > page else None
    return Found(runs, next=Mark(last.started_at, last.pk) if last else None)


def _ids(
    asked: Asked, before: Mark | None, since: datetime, until: datetime
) -> "QuerySet[Run, _Place]":
    """Return the runs of a time by their ids and when each began: an index has those.

    The time is said once: of two bounds SQLite may walk along the wider one.
    """
    start, end = max(since, asked.since), min(until, asked.until)
    rows = Run.objects.all()
    if before is not None:
        end = min(end, before.at + _MOMENT)
        rows = rows.filter(Q(started_at__lt=before.at) | Q(started_at=before.at, pk__lt=before.run))
    rows = rows.filter(conditions(replace(asked, since=start, until=end)))
    rows = rows.filter(started_at__gte=start, started_at__lt=end)
    return rows.order_by("-started_at", "-id").values_list("pk", "started_at")


def _in_pieces(
    asked: Asked, before: Mark | None, pieces: Sequence[_Piece]
) -> "QuerySet[Run, _Place]":
    """Return the runs of some pieces, newest first, by their ids and when each began."""
    stretches = list(_stretches(pieces))
    runs = _ids(asked, before, stretches[-1][0], stretches[0][1])
    return runs.filter(_within(stretches)) if len(stretches) > 1 else runs


def _shown(found: Sequence[_Place], catalog: int) -> list[Run]:
    """Return runs with what a list shows of them, in the order of their places."""
    if not found:
        return []
    tasks = Text.objects.filter(run=OuterRef("pk")).exclude(task="").order_by("span_id")
    began = [at for _, at in found]
    days = days_with_steps(catalog=catalog, since=min(began), until=max(began) + _MOMENT)
    tasks = tasks.filter(days.every)
    rows = Run.objects.filter(pk__in=[pk for pk, _ in found])
    rows = rows.select_related("key", "release__version")
    rows = rows.defer("release__version__document")
    rows = rows.annotate(task=Subquery(tasks.values(start=Left("task", _TASK_LENGTH))[:1]))
    runs = {run.pk: run for run in rows}
    return [runs[pk] for pk, _ in found if pk in runs]


@dataclass(slots=True)
class _Pace:
    """How many runs ``fit`` into a look that ends in time, if it goes as the last one went.

    ``next`` is how many the next look takes in: the last may have been a lucky one.
    """

    ends: float
    fits: int = AT_ONCE
    next: int = field(default_factory=lambda: FIRST)

    def went(self, runs: int, *, began: float, now: float) -> None:
        """Learn from a look at so many runs that took from one second of the clock to another."""
        left, took = max(self.ends - now, 0), now - began
        self.fits = int(min(AT_ONCE, runs * left / took)) if took else AT_ONCE
        self.next = min(self.fits, GROWTH * runs)


def _pieces(hours: Iterable[Hour], latest: datetime) -> Iterator[_Piece]:
    """Yield the hours, those of many runs in pieces; what is after ``latest`` is left out."""
    for hour in hours:
        end, many = _end_of(hour), max(-(-hour.runs // PIECE), 1)
        for number in range(many):
            piece = _Piece(
                start=end - _HOUR * (number + 1) / many,
                end=end - _HOUR * number / many,
                runs=max(hour.runs // many, 1),
            )
            if piece.start <= latest:
                yield piece


def _together(pieces: Iterable[_Piece], pace: _Pace, most: int) -> Iterator[list[_Piece]]:
    """Yield what is looked at with one query: near each other, of about as many runs as fit.

    A database walks along all runs from the first piece to the last.
    """
    some: list[_Piece] = []
    length, runs = timedelta(), 0
    for piece in pieces:
        own = piece.end - piece.start
        if some and some[0].end - piece.start > APART * (length + own):
            yield some
            some, length, runs = [], timedelta(), 0
        some.append(piece)
        length, runs = length + own, runs + piece.runs
        if runs >= min(pace.next, most):
            yield some
            some, length, runs = [], timedelta(), 0
    if some:
        yield some


def _within(stretches: Iterable[tuple[datetime, datetime]]) -> Q:
    where = Q()
    for start, end in stretches:
        where |= Q(started_at__gte=start, started_at__lt=end)
    return where


def _stretches(pieces: Iterable[_Piece]) -> Iterator[tuple[datetime, datetime]]:
    """Yield the stretches of time that pieces, newest first, make up."""
    start = end = None
    for piece in pieces:
        if start is not None and end is not None and piece.end != start:
            yield start, end
            end = None
        start, end = piece.start, end or piece.end
    if start is not None and end is not None:
        yield start, end


def _end_of(hour: Hour) -> datetime:
    return datetime.fromtimestamp((hour.hour + 1) * 3600, tz=UTC)
