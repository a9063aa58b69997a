"""Runs are found by what happened in them, as a look at every span finds them."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from itertools import count
from typing import Any

import pytest

from routing.exploring.asking import ANY, UNFINISHED, Asked
from routing.exploring.searching import Mark, parse_mark, search
from routing.models import HourlyCount, Run, Span
from routing.rollups.folding import fold_all
from routing.spans import write_span
from tests.dashboard.traffic import NOON, Traffic
from tests.routing.rollups.steps import Steps

pytestmark = pytest.mark.django_db
SINCE = NOON - timedelta(days=4)

Plain = Callable[[Run, list[Span]], bool]


def some(name: str, is_so: Callable[[Span], Any]) -> Plain:
    return lambda run, spans: any(span.name == name and is_so(span) for span in spans)


FILTERS: dict[str, tuple[dict[str, Any], Plain]] = {
    "everything": ({}, lambda run, spans: True),
    "an outcome": ({"outcome": "solved"}, lambda run, spans: run.outcome == "solved"),
    "none yet": ({"outcome": UNFINISHED}, lambda run, spans: not run.outcome),
    "not made up": ({"simulated": False}, lambda run, spans: run.source != "simulated"),
    "a group": ({"group": "stock"}, some("tool_route", lambda s: "stock" in s.groups)),
    "a first group": (
        {"began": "stock"},
        lambda run, spans: "stock" in next((s.groups for s in spans if s.name == "tool_route"), []),
    ),
    "no release": ({"releases": ()}, lambda run, spans: False),
    "no name": ({"group": 'sto"ck\\'}, lambda run, spans: False),
    "no part of a name": ({"group": "sto"}, lambda run, spans: False),
    "asked for": ({"asked_group": "stock"}, some("tool_route_expand", lambda s: True)),
    "expanded": ({"expanded": True}, some("tool_route_expand", lambda s: True)),
    "called": ({"tool": "#2"}, lambda run, spans: False),  # the release has no tools
    "refused": ({"refused": ANY}, some("tool_call", lambda s: s.decision == "refused")),
    "a refusal": (
        {"refused": "tool_not_offered"},
        some("tool_call", lambda s: s.reason == "tool_not_offered"),
    ),
    "a result": ({"status": "ok"}, some("tool_result", lambda s: s.status == "ok")),
    "any fallback": ({"fallback": ANY}, some("tool_route", lambda s: s.fallback)),
    "a fallback": ({"fallback": "no_match"}, some("tool_route", lambda s: s.fallback)),
    "confident": (
        {"min_confidence": 0.7},
        some("tool_route", lambda s: s.confidence is not None and s.confidence >= 0.7),
    ),
    "unsure": (
        {"min_confidence": 0.21, "max_confidence": 0.48},
        some("tool_route", lambda s: s.confidence is not None and 0.21 <= s.confidence <= 0.48),
    ),
    "silent": (
        {"silent": True},
        lambda run, spans: (
            run.outcome == "failed" and not any(s.name == "tool_route_expand" for s in spans)
        ),
    ),
    "two things": (
        {"group": "billing", "outcome": "failed"},
        lambda run, spans: (
            run.outcome == "failed"
            and any("billing" in s.groups for s in spans if s.name == "tool_route")
        ),
    ),
}


@pytest.fixture
def traffic() -> Traffic:
    return Traffic()


@pytest.fixture
def busy(traffic: Traffic) -> Asked:
    steps = Steps(traffic, seed=3)
    for _ in range(170):
        steps.step()
    for run in Run.objects.all():
        outcomes = run.spans.filter(name=Span.Name.OUTCOME).order_by("id")
        run.outcome = outcomes.values_list("status", flat=True).last() or ""
        run.save(update_fields=["outcome"])
    other = Traffic("another")
    other.select()
    fold_all(now=NOON)
    return Asked(traffic.catalog.pk, since=SINCE, until=NOON + timedelta(days=1))


def pages(asked: Asked, *, page: int = 15, most: int = 40) -> Iterator[list[Run]]:
    mark: Mark | None = None
    while True:
        found = search(asked, before=mark, page=page, most=most)
        yield list(found.runs)
        if found.next is None:
            return
        mark = parse_mark(str(found.next))


def plainly(asked: Asked, is_so: Plain) -> list[Run]:
    rows = Run.objects.filter(catalog=asked.catalog).order_by("-started_at", "-id")
    return [run for run in rows if is_so(run, list(run.spans.order_by("id")))]


def test_each_filter_finds_what_a_look_at_every_span_finds(
    busy: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("routing.exploring.searching.PIECE", 3)  # most hours fall into pieces
    every = plainly(busy, lambda run, spans: True)
    assert len(every) > 40
    for name, (fields, is_so) in FILTERS.items():
        expected = plainly(busy, is_so)
        found = [run for page in pages(replace(busy, **fields)) for run in page]
        assert found == expected, name
    told = [name for name, (_, is_so) in FILTERS.items() if len(plainly(busy, is_so)) > 0]
    assert len(told) == len(FILTERS) - 4


def test_pages_neither_repeat_nor_skip_while_runs_begin(traffic: Traffic, busy: Asked) -> None:
    expected = plainly(busy, lambda run, spans: True)
    seen: list[Run] = []
    for page in pages(busy):
        seen += page
        traffic.select(at=NOON)
        fold_all(now=NOON)
    assert seen == expected


def test_hours_without_it_are_not_looked_at(traffic: Traffic, busy: Asked) -> None:
    rare = traffic.select(at=NOON - timedelta(days=3), groups=["rare"], groups_count=1)
    fold_all(now=NOON)
    found = search(replace(busy, group="rare"), most=1)
    assert [run.pk for run in found.runs] == [rare.run_id]
    assert found.next is None
    HourlyCount.objects.filter(section="facts").delete()
    assert not search(replace(busy, group="rare")).runs


def test_it_stops_after_enough_and_says_where_to_go_on(traffic: Traffic, busy: Asked) -> None:
    write_span(
        run=traffic.select(at=NOON - timedelta(days=2)).run,
        name=Span.Name.ROUTE,
        now=NOON - timedelta(days=2),
        words={"task": "Where is the red parcel?"},
    )
    fold_all(now=NOON)
    asked = replace(busy, text="RED parcel")
    first = search(asked, most=1)
    assert first.gave_up
    assert not first.runs
    assert [run for page in pages(asked, most=1) for run in page]


def test_it_stops_when_its_time_is_over_and_shows_what_was_found(
    busy: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("routing.exploring.searching.FIRST", 1)
    monkeypatch.setattr("routing.exploring.searching.AT_ONCE", 1)
    asked = replace(busy, expanded=True)
    every = [run for page in pages(asked) for run in page]
    seconds = count()
    seen: list[Run] = []
    mark = None
    rounds = 0
    while mark or not seen:
        found = search(asked, before=mark, patience=3, clock=lambda: next(seconds))
        seen += found.runs
        mark = found.next
        assert bool(mark) == found.gave_up
        rounds += 1
    assert seen == every
    assert rounds > 2


def test_it_goes_on_from_an_hour_of_few_runs_to_one_of_many(
    traffic: Traffic, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("routing.exploring.searching.FIRST", 1)
    for hours, runs in ((1, 1), (2, 8)):
        for _ in range(runs):
            traffic.select(at=NOON - timedelta(hours=hours))
    fold_all(now=NOON)
    asked = Asked(traffic.catalog.pk, since=SINCE, until=NOON, decided_by="embedding")
    found = search(asked, patience=60)
    assert (len(found.runs), found.gave_up) == (9, False)


def test_a_page_ends_and_goes_on_within_an_hour_of_many_runs(
    traffic: Traffic, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("routing.exploring.searching.PIECE", 2)
    for minutes in range(1, 13):
        traffic.select(at=NOON - timedelta(minutes=5 * minutes))
    fold_all(now=NOON)
    asked = Asked(traffic.catalog.pk, since=SINCE, until=NOON, decided_by="embedding")
    first = search(asked, most=4)
    assert first.gave_up
    assert first.next is not None
    assert first.next.at > NOON - timedelta(hours=1)
    every = [run.pk for page in pages(asked, most=4) for run in page]
    assert every == list(Run.objects.order_by("-started_at").values_list("pk", flat=True))


def test_times_bound_it(traffic: Traffic, busy: Asked) -> None:
    inside = traffic.select(at=NOON - timedelta(days=3, minutes=20)).run
    traffic.select(at=NOON - timedelta(days=3, minutes=21))
    fold_all(now=NOON)
    until = NOON - timedelta(days=3, minutes=19)
    found = search(replace(busy, since=inside.started_at, until=until))
    assert list(found.runs) == [inside]


@pytest.mark.parametrize("text", ["", "x.1", "1", "1.", ".5", "-1.2", "1.2.3", "9" * 30 + ".1"])
def test_a_mark_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no mark"):
        parse_mark(text)


def test_a_mark_goes_through_a_url() -> None:
    mark = Mark(NOON + timedelta(microseconds=7), 12)
    assert parse_mark(str(mark)) == mark
