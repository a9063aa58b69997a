"""Make as many runs as are asked for, as rows in the order of time: the same for the same seed."""

from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count, groupby
from random import Random
from typing import Any

from dashboard.management.scale.patterns import Pattern, Patterns, columns
from routing.models import Run, Span, Text, ToolCall
from routing.models.run import API, BATCH, SIMULATED
from routing.simulation.rhythm import Rhythm

HOUR = 3_600_000_000
DAY = 24 * HOUR
"""Times are microseconds since 1970."""
_SOURCES = (API, BATCH, SIMULATED)
_SHARES = (85, 10, 5)
_LANGUAGES = ("en", "es", "pt")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_RUN, _SPAN, _TEXT, _CALL = columns(Run), columns(Span), columns(Text), columns(ToolCall)

Row = list[Any]
NextId = Callable[[int], int]
"""Returns the next id of a span of a time."""


@dataclass(slots=True)
class Rows:
    """Rows by table, each list in the order in which it is to be written."""

    runs: list[Row] = field(default_factory=list)
    spans: list[Row] = field(default_factory=list)
    texts: list[Row] = field(default_factory=list)
    calls: list[Row] = field(default_factory=list)


@dataclass(slots=True)
class _Copy:
    """A run that is being made; ``ids`` and ``uids`` are those of its steps, 0 of one to come."""

    pattern: Pattern
    begins: int
    number: int
    run: int
    source: str
    keeps_text: bool
    ids: list[int]
    uids: list[str]


@dataclass(frozen=True, slots=True)
class Copying:
    """What is to be made: ``runs`` runs that began between two times, ``texts`` with their words.

    ``zone`` is what the database wants behind a time in UTC. Ids of runs and calls follow on
    ``after_run`` and ``after_call``; those of spans are for ``next_id`` to give.
    """

    patterns: Patterns
    begins: datetime
    ends: datetime
    runs: int
    texts: float
    seed: int
    next_id: NextId
    after_run: int = 0
    after_call: int = 0
    zone: str = ""


def rows_by_hour(wanted: Copying) -> Iterator[Rows]:
    """Yield the rows of each hour: spans come in the order of their times, as they would."""
    chance = Random(wanted.seed)  # noqa: S311 - traffic for a benchmark, no secret
    numbers = count(1)
    calls = count(wanted.after_call + 1)
    waiting: list[tuple[int, int, int, _Copy]] = []
    for hour, begun in groupby(_beginnings(wanted, chance), key=lambda at: at // HOUR):
        rows = Rows()
        for at in begun:
            copy = _copy(wanted, at, next(numbers), chance)
            if at + copy.pattern.lasted > _microseconds(wanted.ends):
                continue  # such a run has not ended yet
            rows.runs.append(_run(copy, wanted.zone))
            waiting += [
                (at + step.after, copy.number, place, copy)
                for place, step in enumerate(copy.pattern.steps)
            ]
        waiting.sort(key=lambda one: one[:3])
        upto = bisect_left(waiting, (hour + 1) * HOUR, key=lambda one: one[0])
        _write(waiting[:upto], rows, wanted, chance, calls)
        del waiting[:upto]
        yield rows
    rest = Rows()
    _write(waiting, rest, wanted, chance, calls)
    yield rest


def _beginnings(wanted: Copying, chance: Random) -> list[int]:
    rhythms = [
        Rhythm(language=language, start=wanted.begins, end=wanted.ends) for language in _LANGUAGES
    ]
    return sorted(
        _microseconds(rhythms[number % len(rhythms)].draw(chance)) + chance.randrange(1_000_000)
        for number in range(wanted.runs)
    )


def _copy(wanted: Copying, begins: int, number: int, chance: Random) -> _Copy:
    middle = _microseconds(wanted.begins + (wanted.ends - wanted.begins) / 2)
    pattern = chance.choice(wanted.patterns.halves[begins >= middle])
    return _Copy(
        pattern=pattern,
        begins=begins,
        number=number,
        run=wanted.after_run + number,
        source=chance.choices(_SOURCES, _SHARES)[0],
        keeps_text=chance.random() < wanted.texts,
        ids=[0] * len(pattern.steps),
        uids=[""] * len(pattern.steps),
    )


def _run(copy: _Copy, zone: str) -> Row:
    row = list(copy.pattern.values)
    row[_RUN["id"]] = copy.run
    row[_RUN["run_id"]] = f"copy-{copy.run}"
    row[_RUN["source"]] = copy.source
    row[_RUN["started_at"]] = _stamp(copy.begins, zone)
    return row


def _write(
    steps: list[tuple[int, int, int, _Copy]],
    rows: Rows,
    wanted: Copying,
    chance: Random,
    calls: Iterator[int],
) -> None:
    for at, _number, place, copy in steps:
        stamp = _stamp(at, wanted.zone)
        rows.spans.append(_span(copy, place, wanted.next_id(at), at, stamp, chance))
        text = copy.pattern.steps[place].text
        if text is not None and copy.keeps_text:
            rows.texts.append(_text(copy, list(text), copy.ids[place], stamp))
        if place == len(copy.ids) - 1:
            made = range(len(copy.pattern.calls))
            rows.calls += (_call(copy, one, next(calls), wanted.zone) for one in made)


def _span(copy: _Copy, place: int, pk: int, at: int, stamp: str, chance: Random) -> Row:
    step = copy.pattern.steps[place]
    row = list(step.values)
    copy.ids[place] = pk
    # As routing.spans.new_uid makes them.
    uid = at // 1000 << 80 | 0x7 << 76 | chance.getrandbits(12) << 64 | 0b10 << 62
    copy.uids[place] = row[_SPAN["uid"]] = f"{uid | chance.getrandbits(62):032x}"
    row[_SPAN["id"]] = pk
    row[_SPAN["run_id"]] = copy.run
    row[_SPAN["selection_id"]] = None if step.selection is None else copy.ids[step.selection]
    row[_SPAN["call"]] = None if step.call is None else copy.uids[step.call]
    row[_SPAN["time"]] = stamp
    row[_SPAN["hour"]] = at // HOUR
    row[_SPAN["source"]] = copy.source
    if row[_SPAN["latency_us"]]:
        row[_SPAN["latency_us"]] = int(row[_SPAN["latency_us"]] * chance.lognormvariate(0, 0.4))
    sure = row[_SPAN["confidence"]]
    if sure is not None:
        row[_SPAN["confidence"]] = round(min(max(sure + chance.gauss(0, 0.03), 0.0), 1.0), 4)
    return row


def _text(copy: _Copy, row: Row, span: int, stamp: str) -> Row:
    row[_TEXT["span_id"]] = span
    row[_TEXT["run_id"]] = copy.run
    row[_TEXT["time"]] = stamp
    if row[_TEXT["task"]]:
        row[_TEXT["task"]] += f" (case {copy.number})"
    return row


def _call(copy: _Copy, place: int, pk: int, zone: str) -> Row:
    call = copy.pattern.calls[place]
    row = list(call.values)
    row[_CALL["id"]] = pk
    row[_CALL["uid"]] = copy.uids[call.proposal]
    row[_CALL["run_id"]] = copy.run
    row[_CALL["selection_id"]] = copy.ids[call.selection]
    row[_CALL["result_id"]] = None if call.result is None else copy.ids[call.result]
    row[_CALL["leased_until"]] = _stamp(copy.begins + call.leased, zone)
    settled = None if call.settled is None else _stamp(copy.begins + call.settled, zone)
    row[_CALL["settled_at"]] = settled
    return row


def _stamp(at: int, zone: str) -> str:
    moment = _EPOCH + timedelta(microseconds=at)
    return moment.replace(tzinfo=None).isoformat(sep=" ") + zone


def _microseconds(moment: datetime) -> int:
    return (moment - _EPOCH) // timedelta(microseconds=1)
