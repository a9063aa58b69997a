"""Every figure of the metrics, against a plain recomputation from the same spans."""

import random
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from dashboard.metrics.asking import matrix
from dashboard.metrics.both import Both
from dashboard.metrics.calls import calls
from dashboard.metrics.hourly import Scope
from dashboard.metrics.periods import comparison
from dashboard.metrics.quantiles import quantile
from dashboard.metrics.reliability import reliability
from dashboard.metrics.tallies import latencies, runs, tally
from dashboard.metrics.tool_use import ToolUse, tool_uses
from routing.models import Span
from routing.rollups.folding import catch_up
from routing.rollups.sections import Section
from tests.dashboard.traffic import Traffic

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 10, 12, 30, tzinfo=UTC)
# The clocks go back in Madrid on 25 October and in New York on 1 November; a day of Tokyo is halves
# of two days of UTC.
ZONES = [ZoneInfo(name) for name in ("Europe/Madrid", "America/New_York", "Asia/Tokyo")]
GROUPS, TOOLS = ["billing", "stock", "logistics"], range(6)


def fill(traffic: Traffic, *, count: int, days: int, seed: int) -> None:
    """Write random runs over the days up to now: selections, requests, calls and results."""
    chance = random.Random(seed)
    for _ in range(count):
        at = NOW - timedelta(seconds=chance.random() * days * 86400)
        run = traffic.run(at=at, source=chance.choice(["api", "simulated"]))
        for _step in range(chance.randint(1, 2)):
            served = chance.sample(GROUPS, chance.randint(0, 2))
            selection = traffic.select(
                at=at,
                run=run,
                source=run.source,
                groups=served,
                groups_count=len(served),
                offered=chance.sample(TOOLS, 3),
                confidence=chance.choice([None, round(chance.random(), 3)]),
                fallback="" if served else "low_confidence",
                latency_us=int(10 ** chance.uniform(2, 5)),
            )
            for _more in range(chance.randint(0, 4)):
                at = min(at + timedelta(minutes=chance.randint(0, 50)), NOW)
                follow(traffic, selection, at, chance)
        if chance.random() < 0.7:
            status = chance.choice(["solved", "failed", "needs_human"])
            traffic.span(selection, name=Span.Name.OUTCOME, at=at, status=status)


def follow(traffic: Traffic, selection: Span, at: datetime, chance: random.Random) -> None:
    """Write one span that follows a selection."""
    kind, tool = chance.choice(["ask", "call", "call", "refused", "result"]), chance.choice(TOOLS)
    if kind == "ask":
        traffic.expand(selection, chance.choice(GROUPS), at=at, offered=[tool])
    elif kind == "call":
        traffic.span(selection, name=Span.Name.CALL, at=at, decision="allowed", tool=tool)
    elif kind == "refused":
        reason = chance.choice(["tool_not_offered", "missing_scope"])
        traffic.span(
            selection, name=Span.Name.CALL, at=at, decision="refused", reason=reason, tool=tool
        )
    else:
        status = chance.choice(["ok", "fatal_error"])
        traffic.span(selection, name=Span.Name.RESULT, at=at, status=status, tool=tool)


class Plain:
    """The same figures for the spans of a time, one after another."""

    def __init__(self, every: list[Span], inside: Callable[[Span], bool]) -> None:
        self.every = every
        self.following: dict[int, list[Span]] = {}
        for span in self.every:
            if span.selection_id:
                self.following.setdefault(span.selection_id, []).append(span)
        self.selections = {s.pk: s for s in self.every if s.name == "tool_route"}
        self.spans = [s for s in self.every if inside(s)]
        self.inside = inside

    def named(self, name: str) -> list[Span]:
        return [span for span in self.spans if span.name == name]

    def label(self, selection: Span) -> bool | None:
        """Tell whether a selection had offered all that was called after it."""
        told = []
        for span in self.following.get(selection.pk, ()):
            if span.decision == "allowed":
                told.append(span.tool in selection.offered)
            elif span.reason == "tool_not_offered":
                told.append(False)
        return all(told) if told else None

    def labelled(self) -> list[tuple[Span, bool]]:
        found = [(span, self.label(span)) for span in self.named("tool_route")]
        return [(span, label) for span, label in found if label is not None]

    def pairs(self) -> tuple[Counter[str], Counter[tuple[str, str]]]:
        """Count the runs that began with a group, and those of them that asked for another."""
        first: dict[int, Span] = {}
        asked: dict[int, set[str]] = {}
        for span in self.every:
            if span.name == "tool_route":
                first.setdefault(span.run_id, span)
            elif span.name == "tool_route_expand":
                asked.setdefault(span.run_id, set()).add(span.group)
        began: Counter[str] = Counter()
        pairs: Counter[tuple[str, str]] = Counter()
        for run, selection in first.items():
            if self.inside(selection):
                for group in selection.groups or [""]:
                    began[group] += 1
                    pairs.update((group, other) for other in asked.get(run, ()))
        return began, pairs

    def tools(self) -> dict[str, ToolUse]:
        counts: dict[str, Counter[str]] = {f"#{tool}": Counter() for tool in TOOLS}
        for span in self.spans:
            for tool in span.offered:
                counts[f"#{tool}"]["offered" if span.name == "tool_route" else "added"] += 1
            if span.name != "tool_call":
                continue
            if span.decision == "allowed":
                counts[f"#{span.tool}"]["used"] += 1
                served = self.selections[span.selection_id or 0].offered
                counts[f"#{span.tool}"]["used_added"] += span.tool not in served
            missed = span.reason == "tool_not_offered"
            counts[f"#{span.tool}"]["missed" if missed else "tried"] += 1
        return {name: ToolUse(name, **found) for name, found in counts.items()}

    def silent(self) -> int:
        """Count the runs that began inside, failed, and never asked for a group."""
        asking = {span.run_id for span in self.every if span.name == "tool_route_expand"}
        ended = {span.run_id: span.status for span in self.every if span.name == "outcome"}
        begun = {span.run_id for span in self.every if self.inside(span) and began(span)}
        return sum(
            ended.get(run) in {"failed", "needs_human"} and run not in asking for run in begun
        )


def began(span: Span) -> bool:
    return span.name == "tool_route" and span.time == span.run.started_at


def between(first: datetime, end: datetime) -> Callable[[Span], bool]:
    return lambda span: first <= span.time < end


def on(day: date, zone: ZoneInfo) -> Callable[[Span], bool]:
    return lambda span: span.time.astimezone(zone).date() == day


def counted(values: Iterable[str]) -> dict[str, int]:
    return dict(Counter(values))


@pytest.mark.parametrize(("zone", "seed"), [*zip(ZONES, (3, 4, 5), strict=True)], ids=str)
def test_every_figure_agrees_with_a_plain_recomputation(zone: ZoneInfo, seed: int) -> None:
    traffic = Traffic(now=NOW)
    fill(traffic, count=90, days=62, seed=seed)
    assert catch_up(now=NOW)
    periods = comparison(name="30d", now=NOW, zone=zone)
    scope = Scope(catalogs=(traffic.catalog.pk,))
    read: dict[Section, Both] = {
        section: Both(section, scope=scope, periods=periods) for section in Section
    }

    every = list(Span.objects.order_by("pk").select_related("run"))
    for side, period in (("now", periods.now), ("before", periods.before)):
        plain = Plain(every, between(period.first_moment, period.end_moment))
        agrees(plain, {section: getattr(found, side) for section, found in read.items()})
    for at, begins in enumerate(periods.now.bucket_moments):
        plain = Plain(every, on(begins.date(), zone))
        by_day(plain, read, at)

    now, then = (
        Plain(every, between(period.first_moment, period.end_moment))
        for period in (periods.now, periods.before)
    )
    (runs_of, pairs), (runs_before, pairs_before) = now.pairs(), then.pairs()
    for origin in matrix(read[Section.BEGAN]).origins:
        assert origin.runs == runs_of[origin.group]
        for cell in origin.cells:
            key = (origin.group, cell.asked)
            assert (cell.now.part, cell.now.whole) == (pairs[key], runs_of[origin.group])
            before = (pairs_before[key], runs_before[origin.group])
            assert (cell.before.part, cell.before.whole) == before
    expected = now.tools()
    used_before = {name: use.used for name, use in then.tools().items()}
    for use in tool_uses(read[Section.TOOLS], known=list(expected)):
        plainly = expected[use.name]
        assert use == replace(plainly, used_before=used_before[use.name])


def agrees(plain: Plain, counts: dict[Section, Counter[str]]) -> None:
    """Compare what is only shown for a whole period."""
    proposed = [one for one in plain.labelled() if not one[0].fallback]
    labelled = [(span, label) for span, label in proposed if span.confidence is not None]
    for one in reliability(counts[Section.CONFIDENCE]):
        inside = [
            (span.confidence, label)
            for span, label in labelled
            if one.low <= round(span.confidence or 0, 6) < one.high + (one.high == 1)
        ]
        assert one.complete.whole == len(inside)
        assert one.complete.part == sum(label for _confidence, label in inside)
        if inside:
            mean = sum(confidence or 0 for confidence, _label in inside) / len(inside)
            assert one.stated == pytest.approx(mean, abs=1e-6)


def by_day(plain: Plain, read: dict[Section, Both], at: int) -> None:
    """Compare the bucket at a place with the spans of its day."""
    selections = plain.named("tool_route")
    sums = tally(read[Section.SELECTIONS].buckets[at])
    labels = [label for _span, label in plain.labelled()]
    assert (sums.coverage.part, sums.coverage.whole) == (sum(labels), len(labels))
    sizes = [len(span.offered) for span in selections]
    assert sums.mean_size == (sum(sizes) / len(sizes) if sizes else None)
    assert sums.tokens_catalog == sum(span.tokens_catalog for span in selections)
    carried = [
        ([s for s in plain.following.get(span.pk, ()) if s.group] or [span])[-1].tokens_selected
        for span in selections
    ]
    assert sums.tokens_carried == sum(carried)

    found = calls(read[Section.CALLS].buckets[at])
    proposed = plain.named("tool_call")
    assert found.decided == counted(span.decision for span in proposed)
    assert found.refused == counted(span.reason for span in proposed if span.reason)
    assert found.results == counted(span.status for span in plain.named("tool_result"))
    assert runs(read[Section.RUNS].buckets[at]).silent == plain.silent()

    slowest = max((span.latency_us for span in selections), default=None)
    longest = quantile(latencies(read[Section.LATENCY].buckets[at]), share=1.0)
    if slowest is None:
        assert longest is None
    else:
        assert slowest <= (longest or 0) <= slowest * 9 / 8 + 2
