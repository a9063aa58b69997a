"""What the overview counts, against a plain recomputation from the same spans."""

import random
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from pytest_django import DjangoAssertNumQueries

from dashboard.metrics import hourly
from dashboard.metrics.hourly import Scope
from dashboard.metrics.moves import moves_in
from dashboard.metrics.overview import Overview, overview
from dashboard.metrics.periods import Comparison, comparison, moment
from dashboard.metrics.tallies import Tally, latencies
from routing.models import LabelMove, Run, Span
from routing.rollups.folding import catch_up
from routing.rollups.sections import Section
from routing.spans import hour_of
from tests.alerted import count_hour
from tests.dashboard.traffic import NOON, Traffic
from tests.drafts import empty_catalog

pytestmark = pytest.mark.django_db
# The clocks go back in Madrid on 25 October, a month before the end of the periods used here.
MADRID, NEW_YORK = ZoneInfo("Europe/Madrid"), ZoneInfo("America/New_York")
# Its days are those that counts are kept by.
OF_COUNTS = ZoneInfo("UTC")


def week(now: datetime = NOON) -> Comparison:
    return comparison(name="7d", now=now, zone=UTC)


def measure(*traffic: Traffic, simulated: bool = True) -> Overview:
    assert catch_up(now=NOON)
    scope = Scope(catalogs=tuple(t.catalog.pk for t in traffic), simulated=simulated)
    return overview(scope=scope, periods=week())


def fill(traffic: Traffic, *, count: int, days: int, seed: int) -> None:
    """Write random traffic over the days up to now, none of it in the future."""
    chance = random.Random(seed)
    for _ in range(count):
        at = traffic.now - timedelta(seconds=chance.random() * days * 86400)
        source = chance.choice(["api", "simulated"])
        outcome = chance.choice(["", "solved", "failed", "needs_human", "abandoned"])
        fallback = chance.choice(["", "", "low_confidence", "no_match", "strategy_failed"])
        selection = traffic.select(
            at=at,
            run=traffic.run(at=at, outcome=outcome, source=source),
            source=source,
            confidence=chance.choice([None, round(chance.random(), 2), 1.0]),
            decided_by=chance.choice(["rules", "embedding", "phase"]),
            fallback=fallback,
            groups_count=0 if fallback else chance.randint(1, 3),
            tokens_selected=chance.randint(100, 900),
            tokens_catalog=chance.randint(900, 9000),
            latency_us=int(10 ** chance.uniform(1, 6)),
        )
        asked_at = at
        for group in chance.choice([[], [], ["stock"], ["stock", "billing"]]):
            asked_at = min(asked_at + timedelta(minutes=chance.randint(0, 90)), traffic.now)
            traffic.expand(selection, group, at=asked_at)


def mean(values: list[float]) -> float | None:
    return round(sum(values) / len(values), 9) if values else None


def figures_of(tally: Tally) -> dict[str, Any]:
    return {
        "selections": tally.selections,
        "mean_confidence": rounded(tally.mean_confidence),
        "fallbacks": tally.fallbacks,
        "decided_by": tally.decided_by,
        "groups_per_task": rounded(tally.groups_per_task),
        "expanded": tally.expanded,
        "tokens_saved": tally.tokens_saved,
    }


def rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 9)


class Recomputed:
    """The same figures for a period, one span after another, with the days of the calendar."""

    def __init__(self, first: datetime, end: datetime, zone: ZoneInfo) -> None:
        spans = list(Span.objects.order_by("pk"))
        self.zone = zone
        self.selections = [s for s in spans if s.name == "tool_route" and first <= s.time < end]
        self.asked: dict[int | None, list[Span]] = {}
        for span in spans:
            if span.name == "tool_route_expand":
                self.asked.setdefault(span.selection_id, []).append(span)
        expansions = [s for s in spans if s.name == "tool_route_expand" and first <= s.time < end]
        self.asked_for = Counter((self.day(s), s.group) for s in expansions)
        self.runs = [run for run in Run.objects.all() if first <= run.started_at < end]
        self.asking_runs = {s.run_id for s in spans if s.name == "tool_route_expand"}

    def day(self, span: Span) -> date:
        return span.time.astimezone(self.zone).date()

    def on(self, day: date | None) -> list[Span]:
        return [s for s in self.selections if day in (None, self.day(s))]

    def figures(self, day: date | None = None) -> dict[str, Any]:
        spans = self.on(day)
        asked = [self.asked[s.pk] for s in spans if s.pk in self.asked]
        groups = [(self.asked[s.pk][-1] if s.pk in self.asked else s).groups_count for s in spans]
        tokens = [
            s.tokens_catalog - (self.asked[s.pk][-1] if s.pk in self.asked else s).tokens_selected
            for s in spans
        ]
        return {
            "selections": len(spans),
            "mean_confidence": mean([s.confidence for s in spans if s.confidence is not None]),
            "fallbacks": Counter(s.fallback for s in spans if s.fallback),
            "decided_by": Counter(s.decided_by for s in spans),
            "groups_per_task": mean([count for count in groups if count]),
            "expanded": len(asked),
            "tokens_saved": sum(tokens),
        }


@pytest.mark.parametrize(("zone", "seed"), [(MADRID, 1), (NEW_YORK, 2), (OF_COUNTS, 3)], ids=str)
def test_it_agrees_with_a_plain_recomputation(zone: ZoneInfo, seed: int) -> None:
    traffic = Traffic(now=datetime(2026, 11, 10, 12, 30, tzinfo=UTC))
    fill(traffic, count=150, days=62, seed=seed)
    periods = comparison(name="30d", now=traffic.now, zone=zone)
    scope = Scope(catalogs=(traffic.catalog.pk,))
    assert catch_up(now=traffic.now)
    found = overview(scope=scope, periods=periods)

    for side, period in ((found.now, periods.now), (found.before, periods.before)):
        expected = Recomputed(period.first_moment, period.end_moment, zone)
        figures = expected.figures()
        assert figures["selections"] > 20
        assert figures_of(side.tally) == figures
        assert side.runs.by_outcome == Counter(run.outcome for run in expected.runs)
        assert side.runs.silent == sum(
            run.outcome in {"failed", "needs_human"} and run.pk not in expected.asking_runs
            for run in expected.runs
        )
        exact = sorted(span.latency_us for span in expected.selections)
        low, high = exact[len(exact) // 2 - 1], exact[len(exact) // 2]
        assert low * 31 / 32 <= (side.latency_p50 or 0) <= high * 33 / 32

    expected = Recomputed(periods.now.first_moment, periods.now.end_moment, zone)
    days = [begins.date() for begins in periods.now.bucket_moments]
    for tally, bins, day in zip(found.buckets, found.confidences_by_bucket, days, strict=True):
        figures = expected.figures(day)
        assert figures_of(tally) == figures
        known = [s.confidence for s in expected.on(day) if s.confidence is not None]
        counted = Counter(min(int(round(value * 100) // 5), 19) for value in known)
        both = [served + back for served, back in zip(bins.served, bins.fell_back, strict=True)]
        assert both == [counted[number] for number in range(20)]
    for group, counts in found.asked_for.items():
        assert counts == [expected.asked_for[day, group] for day in days]
    assert sum(map(sum, found.asked_for.values())) == sum(expected.asked_for.values())


def test_the_number_of_queries_does_not_grow(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    traffic = Traffic()
    scope = Scope(catalogs=(traffic.catalog.pk,))
    for count in (5, 60):
        fill(traffic, count=count, days=14, seed=count)
        measure(traffic)
        with django_assert_num_queries(5):
            overview(scope=scope, periods=week())


def test_nothing_is_no_division_by_zero() -> None:
    found = measure(Traffic())
    assert found.now.tally.mean_confidence is None
    assert found.now.tally.fallback_share is None
    assert found.now.tally.groups_per_task is None
    assert found.now.tally.tokens_saved_share is None
    assert found.now.runs.solved_share is None
    assert found.now.latency_p95 is None
    assert found.asked_for == {}
    assert len(found.buckets) == 7


@pytest.mark.parametrize(
    ("confidence", "number"),
    [(0.0, 0), (0.0499, 0), (0.05, 1), (0.15, 3), (0.5999, 11), (0.6, 12), (0.95, 19), (1.0, 19)],
)
def test_a_confidence_at_an_edge_lies_in_the_upper_bin(confidence: float, number: int) -> None:
    traffic = Traffic()
    traffic.select(confidence=confidence)
    assert measure(traffic).confidences.served.index(1) == number


def test_default_tools_served_are_told_apart_and_a_failed_strategy_is_not_one_of_them() -> None:
    traffic = Traffic()
    traffic.select(confidence=0.4, fallback="low_confidence")
    traffic.select(confidence=0.1, fallback="no_match")
    traffic.select(confidence=0.9, fallback="strategy_failed")
    found = measure(traffic).confidences
    assert (sum(found.fell_back), sum(found.served)) == (2, 1)


def test_an_assumed_confidence_is_in_no_chart_of_confidence() -> None:
    traffic = Traffic()
    traffic.select(confidence=None, confidence_source="assumed", decided_by="rules")
    traffic.select(confidence=0.5)
    found = measure(traffic)
    assert found.now.tally.selections == 2
    assert found.now.tally.mean_confidence == 0.5
    assert sum(found.confidences.served) == 1


@pytest.mark.parametrize("latency", [0, 1, 63, 64, 100, 999, 4096, 33_333, 1_000_000, 150_000_000])
def test_a_latency_is_known_to_an_eighth(latency: int) -> None:
    traffic = Traffic()
    traffic.select(latency_us=latency)
    assert catch_up(now=NOON)
    scope, week_now = Scope(catalogs=(traffic.catalog.pk,)), week().now
    rows = hourly.hours_of(Section.LATENCY, scope=scope, start=week_now.start, end=week_now.end)
    bins = latencies(rows[0].counts)
    assert bins[0].low <= latency < bins[0].high
    assert bins[0].high - bins[0].low <= max(1, latency / 8)


def test_simulated_traffic_is_counted_apart_and_can_be_left_out() -> None:
    traffic = Traffic()
    traffic.select()
    made_up = traffic.select(source="simulated", confidence=0.1, latency_us=9_000_000)
    traffic.expand(made_up)
    every, real = measure(traffic), measure(traffic, simulated=False)
    assert (every.now.tally.selections, real.now.tally.selections) == (2, 1)
    assert (every.simulated, real.simulated) == (1, 1)
    assert (every.now.runs.began, real.now.runs.began) == (2, 1)
    assert (sum(every.confidences.served), sum(real.confidences.served)) == (2, 1)
    assert (every.now.tally.expanded, real.now.tally.expanded) == (1, 0)
    assert (list(every.asked_for), list(real.asked_for)) == (["stock"], [])
    assert (real.now.latency_p95 or 0) < 4000


def test_only_the_catalogs_of_the_scope_are_counted() -> None:
    shop, desk = Traffic("shop"), Traffic("desk")
    shop.select()
    desk.expand(desk.select(), "refunds")
    assert measure(shop).now.tally.selections == 1
    assert measure(shop).asked_for == {}
    both = measure(shop, desk)
    assert both.now.tally.selections == both.now.runs.began == 2
    assert list(both.asked_for) == ["refunds"]


def test_a_selection_that_asked_twice_is_expanded_once_and_costs_what_both_added() -> None:
    traffic = Traffic()
    selection = traffic.select(tokens_selected=200, tokens_catalog=1000, groups_count=1)
    traffic.expand(selection, "stock")
    traffic.expand(selection, "billing")
    tally = measure(traffic).now.tally
    assert (tally.expanded, tally.expansion_rate) == (1, 1.0)
    assert tally.tokens_saved == 600
    assert (tally.groups_selected, tally.groups_per_task) == (1.0, 3.0)


def test_an_expansion_belongs_to_the_period_of_its_selection() -> None:
    traffic = Traffic()
    last_week = traffic.select(at=week().now.first_moment - timedelta(minutes=1))
    traffic.expand(last_week, at=week().now.first_moment + timedelta(minutes=1))
    found = measure(traffic)
    assert found.now.tally.expanded == 0
    # The charts of both weeks end at the same time of day, so last night is in neither.
    assert found.before.tally.expanded == 0
    assert sum(found.asked_for["stock"]) == 1


def test_the_silent_failure_asked_for_nothing() -> None:
    traffic = Traffic()
    for outcome in ("solved", "failed", "needs_human", "abandoned", ""):
        traffic.select(run=traffic.run(outcome=outcome))
    asked = traffic.select(run=traffic.run(outcome="failed"))
    traffic.expand(asked)
    runs = measure(traffic).now.runs
    assert (runs.began, runs.ended, runs.silent) == (6, 5, 2)
    assert runs.silent_share == pytest.approx(0.4)


def test_there_was_traffic_however_long_ago() -> None:
    traffic = Traffic()
    scope = Scope(catalogs=(traffic.catalog.pk,))
    assert not hourly.has_traffic(scope=scope)
    traffic.select(at=NOON - timedelta(days=900))
    assert hourly.has_traffic(scope=scope)

    dropped = empty_catalog("dropped")  # of which the counts alone are left
    count_hour(dropped, hour_of(NOON), {"n": 3})
    assert hourly.has_traffic(scope=Scope(catalogs=(dropped.pk,)))


def test_moves_tell_a_publish_from_a_return_and_count_what_they_leave_out() -> None:
    traffic = Traffic(now=NOON - timedelta(days=3))
    move = None
    for number in range(13):
        move = LabelMove.objects.create(
            catalog=traffic.catalog,
            label="live",
            release=traffic.release,
            previous=move,
            reason=f"Move {number}",
            at=traffic.now + timedelta(hours=number),
        )
    period = week().now
    found = moves_in(scope=Scope(catalogs=(traffic.catalog.pk,)), period=period)
    assert found.older == 3
    assert [m.reason for m in found.newest] == [f"Move {n}" for n in range(12, 2, -1)]
    assert not any(m.published for m in found.newest)
    first = moves_in(
        scope=Scope(catalogs=(traffic.catalog.pk,)),
        period=comparison(name="24h", now=traffic.now, zone=UTC).now,
    )
    assert [(m.reason, m.published) for m in first.newest] == [("Move 0", True)]


def test_hours_are_read_as_hours() -> None:
    assert moment(0) == datetime(1970, 1, 1, tzinfo=UTC)
    assert moment(495_000, zone=MADRID).utcoffset() == timedelta(hours=2)
