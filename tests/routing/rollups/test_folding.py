"""Counts by the hour: however spans come and are counted, they are what all spans together say."""

import random
from collections import Counter, defaultdict
from contextlib import closing
from datetime import timedelta
from threading import Thread
from typing import Any

import pytest
from django.db import connection, transaction

from routing.models import CountedUpTo, DailyCount, HourlyCount, Run, Span
from routing.rollups import folding, settled, storing
from routing.rollups.folding import fold, fold_all
from routing.rollups.rebuilding import count_all, rebuild
from routing.rollups.sections import Section
from routing.rollups.storing import DAYS, EVER, HOURS, WEEKS, Totals
from routing.spans import hour_of
from tests.dashboard.traffic import NOON, Traffic
from tests.routing.rollups.steps import Steps

pytestmark = pytest.mark.django_db


TABLES = (HOURS, DAYS, WEEKS, EVER)


def recounted() -> list[dict[Any, dict[str, int]]]:
    """Return the counts of each table, from all spans."""
    newest = Span.objects.order_by("-id").values_list("id", flat=True).first() or 0
    sums: list[dict[Any, Counter[str]]] = [defaultdict(Counter) for _ in TABLES]
    for (catalog, section, hour, source), counts in count_all(upto=newest).items():
        days = hour // 24
        for of_table, time in zip(sums, (hour, days, days // 7, 0), strict=True):
            of_table[catalog, section, time, source].update(counts)
    return [
        {
            place: positive
            for place, counts in of_table.items()
            if place[1] in table.sections
            and (positive := {key: count for key, count in counts.items() if count})
        }
        for of_table, table in zip(sums, TABLES, strict=True)
    ]


def kept() -> list[dict[Any, dict[str, int]]]:
    """Return the counts of each table, as they are kept."""
    tables = [
        {table.place(row): row.counts for row in table.model.objects.all()} for table in TABLES
    ]
    return [{place: counts for place, counts in one.items() if counts} for one in tables]


def of(section: Section) -> Counter[str]:
    total: Counter[str] = Counter()
    for row in HourlyCount.objects.filter(section=section):
        total.update(row.counts)
    return total


@pytest.mark.parametrize("seed", range(4))
def test_counts_added_in_any_steps_are_those_of_all_spans(seed: int) -> None:
    steps, chance = Steps(Traffic(), seed=seed), random.Random(seed)
    for _ in range(120):
        steps.step()
        if chance.random() < 0.3:
            fold(now=NOON, most=chance.randint(1, 40))
    fold_all(now=NOON)
    assert of(Section.SELECTIONS)["n"] == len(steps.selections) > 20
    assert any(key.startswith("used_added:") for key in of(Section.TOOLS))
    assert kept() == recounted()
    assert all(n for table in kept() for counts in table.values() for n in counts.values())


def test_nothing_is_counted_twice_or_lost_by_a_fold_that_breaks_off(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    traffic = Traffic()
    traffic.expand(traffic.select(), "stock")
    real = storing.add

    def broken(totals: Totals) -> None:
        real(totals)
        raise KeyboardInterrupt

    monkeypatch.setattr(folding, "add", broken)
    with pytest.raises(KeyboardInterrupt), transaction.atomic():
        fold(now=NOON)
    assert not HourlyCount.objects.exists()
    monkeypatch.undo()
    fold_all(now=NOON)
    fold_all(now=NOON)
    assert of(Section.SELECTIONS) == {
        "n": 1,
        "opened": 1,
        "groups": 1,
        "chose:1": 1,
        "estimated": 1,
        "confidence": 800_000,
        "tokens_selected": 200,
        "tokens_catalog": 1000,
        "decided:embedding": 1,
        "expanded": 1,
        "more_groups": 1,
        "more_tokens": 100,
    }
    assert of(Section.ASKED) == {"group:stock": 1, "from:>stock": 1}


def test_what_comes_late_corrects_its_own_hour() -> None:
    traffic = Traffic()
    long_ago = NOON - timedelta(days=3)
    selection = traffic.select(at=long_ago, offered=[1, 2], groups=["billing"])
    traffic.span(selection, at=long_ago, name=Span.Name.OUTCOME, status="failed")
    fold_all(now=NOON)
    assert of(Section.RUNS) == {"n": 1, "outcome:failed": 1, "silent": 1}
    traffic.span(selection, name=Span.Name.CALL, decision="allowed", tool=4)
    traffic.expand(selection, "stock", at=NOON)
    traffic.span(selection, at=NOON, name=Span.Name.OUTCOME, status="solved")
    fold_all(now=NOON)
    assert of(Section.RUNS) == {"n": 1, "outcome:solved": 1}
    row = HourlyCount.objects.get(section=Section.SELECTIONS)
    assert row.hour == hour_of(long_ago)
    assert (row.counts["expanded"], row.counts["incomplete"]) == (1, 1)
    assert of(Section.BEGAN) == {"runs:billing": 1, "asked:billing>stock": 1}
    assert of(Section.TOOLS)["used_added:#4"] == 1


def test_a_tool_that_a_selection_in_its_stead_names_was_missed() -> None:
    traffic = Traffic()
    selection = traffic.select(offered=[1])
    traffic.span(selection, name=Span.Name.CALL, decision="allowed", tool=1)
    traffic.select(run=selection.run, selection=selection, tool=3, offered=[1, 3])
    fold_all(now=NOON)
    assert of(Section.SELECTIONS)["incomplete"] == 1
    assert of(Section.SELECTIONS)["complete"] == 0


def test_a_rebuild_mends_what_was_wrong_and_counts_what_came_meanwhile() -> None:
    steps = Steps(Traffic(), seed=9)
    for _ in range(60):
        steps.step()
    fold_all(now=NOON)
    right = kept()
    HourlyCount.objects.filter(section=Section.RUNS).delete()
    HourlyCount.objects.update(counts={"n": 7})
    DailyCount.objects.filter(section=Section.ASKED).delete()
    seen: list[tuple[int, int]] = []
    steps.traffic.select()

    rebuild(now=NOON, progress=lambda done, whole: seen.append((done, whole)))

    assert kept() == recounted() != right
    assert seen[-1] == (Run.objects.count(), Run.objects.count())


@pytest.mark.skipif(connection.vendor != "postgresql", reason="one writer at a time")
@pytest.mark.django_db(transaction=True)
def test_a_lower_span_that_is_committed_after_a_higher_one_counts() -> None:
    traffic = Traffic()
    run, other = traffic.run(), traffic.run()

    def write() -> None:
        traffic.select(run=other)
        connection.close()

    def count() -> None:
        fold(now=NOON)
        connection.close()

    with transaction.atomic():
        lower = traffic.select(run=run)
        thread = Thread(target=write)
        thread.start()
        thread.join()
        # Counted elsewhere, while this transaction is still open.
        counting = Thread(target=count)
        counting.start()
        counting.join()
        assert not HourlyCount.objects.exists()
    assert lower.pk < Span.objects.latest("pk").pk
    fold_all(now=NOON)
    assert of(Section.SELECTIONS)["n"] == 2
    assert CountedUpTo.objects.get().span == Span.objects.latest("pk").pk


@pytest.mark.skipif(connection.vendor != "postgresql", reason="one writer at a time")
def test_a_transaction_that_ends_while_it_is_looked_at_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    newest = Traffic().select().pk
    looks = [(10, {7, 8}), (12, {11}), (12, {8}), (12, {8, 11})]
    monkeypatch.setattr(settled, "_running", lambda: looks.pop(0))

    assert settled.settled(CountedUpTo(span=0)) == settled.Settled(span=newest)
    # One of before is still running: the newest that is seen waits for it.
    waits = settled.Settled(span=0, seen=newest, horizon=12)
    assert settled.settled(CountedUpTo(span=0)) == waits


@pytest.mark.skipif(connection.vendor != "postgresql", reason="one writer at a time")
def test_a_transaction_of_another_database_is_not_waited_for_whenever_it_began() -> None:
    where = connection.get_connection_params() | {"dbname": "postgres", "autocommit": True}
    with connection.cursor() as cursor:
        # Read once in this transaction, before the other one begins.
        cursor.execute("SELECT count(*) FROM pg_stat_activity")
    elsewhere, ends_later = (connection.get_new_connection(where) for _ in range(2))
    with closing(elsewhere), closing(ends_later), elsewhere.transaction():
        (one,) = elsewhere.execute("SELECT pg_current_xact_id()::text::bigint").fetchone()
        ends_later.execute("SELECT pg_current_xact_id()")
        horizon, running = settled._running()
        assert horizon > int(one)
        assert int(one) not in running
