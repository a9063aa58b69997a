"""Judging by the counts of the database: once, whole, and the same whenever it is done."""

import itertools
import random
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from threading import Barrier
from unittest.mock import Mock

import pytest
from django.core.management import call_command
from django.db import DatabaseError, IntegrityError, connection, transaction
from django_tasks_db.models import DBTaskResult
from pytest_django import DjangoAssertNumQueries

from catalog.models import Catalog
from catalog.roles import Role
from dashboard.alerts import evaluating, telling
from dashboard.alerts.editing import drop_rule, end_silence, save_rule, silence, switch_rule
from dashboard.alerts.evaluating import evaluate, evaluate_since
from dashboard.alerts.rules import DEFAULTS, WEEK, Comparison, Metric, Rule
from dashboard.models import AlertChange, AlertDelivery, AlertRule, AlertState, AlertTarget
from routing.spans import hour_of
from tests.alerted import alerted, count_hour, count_hours
from tests.drafts import empty_catalog
from tests.members import member

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 30, 12, 5, tzinfo=UTC)
HOUR = timedelta(hours=1)
PRESENT = hour_of(NOW)
RULE = Rule(
    "own-1", Metric.FALLBACKS, Comparison.ABOVE, 0.3, 0.2, window=2, minimum=50, title="Unsure"
)


@pytest.fixture
def desk(db: None) -> Catalog:
    """Return a catalog with one rule: the defaults are switched off, and it has one of its own."""
    catalog = empty_catalog("desk")
    for rule in DEFAULTS:
        switch_rule(catalog=catalog, key=rule.key, enabled=False, now=NOW)
    save_rule(catalog=catalog, rule=RULE, now=NOW)
    return catalog


@pytest.fixture
def hook(desk: Catalog) -> AlertTarget:
    return AlertTarget.objects.create(
        catalog=desk, kind="webhook", address="https://example.com/", secret="s"
    )


def fall_back(catalog: Catalog, share: float, *hours: int) -> None:
    for hour in hours:
        count_hour(catalog, hour, {"n": 200, "fallback:no_match": round(200 * share)})


def test_a_clock_that_was_a_year_ahead_keeps_no_rule_from_being_judged(desk: Catalog) -> None:
    evaluate(NOW + timedelta(days=365))
    assert AlertState.objects.get().upto == PRESENT + 365 * 24
    fall_back(desk, 0.6, *range(PRESENT - 4, PRESENT))
    evaluate(NOW)
    state = AlertState.objects.get()
    assert (state.state, state.upto) == ("firing", PRESENT)
    # A worker whose clock is behind by a little judges nothing twice.
    evaluate(NOW - timedelta(hours=1))
    assert AlertState.objects.get().upto == PRESENT


def trail() -> list[tuple[str, str, str]]:
    rows = AlertChange.objects.order_by("id")
    return [(row.before, row.after, row.cause) for row in rows]


def events() -> list[str]:
    return list(AlertDelivery.objects.order_by("id").values_list("event", flat=True))


def test_it_fires_and_is_over_and_each_is_told_once(desk: Catalog, hook: AlertTarget) -> None:
    fall_back(desk, 0.6, *range(PRESENT - 4, PRESENT))
    evaluate(NOW)
    evaluate(NOW + timedelta(minutes=1))

    state = AlertState.objects.get()
    assert (state.state, state.upto, state.since, state.told) == ("firing", PRESENT, NOW, True)
    assert (state.seen["value"], state.seen["cases"]) == (0.6, 400)
    assert trail() == [("unknown", "firing", "")]
    assert events() == ["alert.fired"]
    [job] = DBTaskResult.objects.all()
    assert job.task_path == "dashboard.tasks.send_alert"

    fall_back(desk, 0.25, *range(PRESENT, PRESENT + 3))
    for hours in (1, 2, 3):  # between the levels nothing changes
        evaluate(NOW + hours * HOUR)
    assert len(trail()) == 1
    fall_back(desk, 0.05, *range(PRESENT + 3, PRESENT + 6))
    evaluate(NOW + 4 * HOUR)
    assert len(trail()) == 1  # one look is not two in a row
    evaluate(NOW + 5 * HOUR)
    assert trail()[1:] == [("firing", "ok", "")]
    assert events() == ["alert.fired", "alert.cleared"]


def test_too_few_keep_the_state(desk: Catalog) -> None:
    count_hour(desk, PRESENT - 1, {"n": 49, "fallback:no_match": 49})
    evaluate(NOW)
    state = AlertState.objects.get()
    assert (state.state, state.seen["few"]) == ("unknown", True)
    assert trail() == []


def test_of_two_workers_one_judges(desk: Catalog, hook: AlertTarget) -> None:
    fall_back(desk, 0.6, *range(PRESENT - 4, PRESENT))
    for _round in range(2):  # of a rule that was never judged, and of one that was
        [(catalog, first)] = evaluating._due(upto=PRESENT)
        [(_catalog, second)] = evaluating._due(upto=PRESENT)
        assert len(evaluating.judge(catalog, first, now=NOW)) == 1
        assert evaluating.judge(catalog, second, now=NOW) == []
        assert len(events()) == len(trail()) == 1
        AlertState.objects.update(upto=None, state="ok", told=False)
        AlertDelivery.objects.all().delete()
        AlertChange.objects.all().delete()


@pytest.mark.django_db(transaction=True)
def test_four_workers_at_the_same_moment_tell_once(desk: Catalog, hook: AlertTarget) -> None:
    fall_back(desk, 0.6, *range(PRESENT - 4, PRESENT))
    evaluate(NOW - HOUR)  # a state to compare with, of one look
    AlertChange.objects.all().delete()
    AlertDelivery.objects.all().delete()
    AlertState.objects.update(state="ok", told=False, streak=1)
    together = Barrier(4)

    def work(_number: int) -> None:
        together.wait(timeout=30)
        try:
            evaluate(NOW)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as workers:
        list(workers.map(work, range(4)))
    assert trail() == [("ok", "firing", "")]
    assert events() == ["alert.fired"]


def test_a_crash_leaves_nothing_behind(
    desk: Catalog, hook: AlertTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    fall_back(desk, 0.6, *range(PRESENT - 4, PRESENT))
    with monkeypatch.context() as patched:
        # The last of what is written with a change: the task of its message.
        patched.setattr(telling, "send_alert", Mock(enqueue=Mock(side_effect=KeyboardInterrupt)))
        with pytest.raises(KeyboardInterrupt):
            evaluate(NOW)
    assert (trail(), events(), AlertState.objects.count()) == ([], [], 0)

    evaluate(NOW)
    assert (trail(), events()) == ([("unknown", "firing", "")], ["alert.fired"])


def test_a_silence_holds_back_and_lets_go(desk: Catalog, hook: AlertTarget) -> None:
    by = member(desk, Role.EDITOR)
    until = NOW + 2 * HOUR
    silence(catalog=desk, key=RULE.key, until=until, reason="Known.", by=by, now=NOW)
    fall_back(desk, 0.6, *range(PRESENT - 4, PRESENT + 4))
    evaluate(NOW)
    assert AlertChange.objects.get().silenced
    assert events() == []
    evaluate(until)
    assert events() == ["alert.fired"]

    silence(catalog=desk, key=RULE.key, until=until + HOUR, reason="Known.", by=by, now=until)
    end_silence(catalog=desk, key=RULE.key, now=until)
    evaluate(until)
    assert events() == ["alert.fired"]


def test_a_rule_that_is_changed_is_over_and_judged_anew(desk: Catalog, hook: AlertTarget) -> None:
    fall_back(desk, 0.6, *range(PRESENT - 4, PRESENT))
    evaluate(NOW)
    switch_rule(catalog=desk, key=RULE.key, enabled=False, now=NOW)
    evaluate(NOW)
    switch_rule(catalog=desk, key=RULE.key, enabled=True, now=NOW)
    evaluate(NOW)
    drop_rule(catalog=desk, key=RULE.key, now=NOW)
    evaluate(NOW)
    over = ("firing", "unknown", "rule")
    assert trail() == [("unknown", "firing", ""), over] * 2
    assert events() == ["alert.fired", "alert.cleared"] * 2
    assert not AlertRule.objects.filter(key=RULE.key).exists()


def test_a_worker_that_was_away_judges_what_it_missed(desk: Catalog, hook: AlertTarget) -> None:
    fall_back(desk, 0.05, PRESENT - 2, PRESENT - 1)
    evaluate(NOW)
    fall_back(desk, 0.6, *range(PRESENT, PRESENT + 5))
    fall_back(desk, 0.05, *range(PRESENT + 5, PRESENT + 10))
    evaluate(NOW + 10 * HOUR)
    fired, over = AlertChange.objects.filter(upto__gt=PRESENT).order_by("id")
    assert (fired.after, over.after) == ("firing", "ok")
    assert fired.afterwards
    assert fired.at == datetime.fromtimestamp(fired.upto * 3600, tz=UTC)
    assert events() == []  # it is over: there is nothing to hear of


def test_the_past_is_judged_as_it_would_have_been(desk: Catalog) -> None:
    """Judge hour after hour as counts come in, and all at once when they are there."""
    fallen = Rule("own-2", Metric.CONFIDENCE, Comparison.FALLEN, 0.1, 0.05, 6, 50, in_a_row=1)
    later = empty_catalog("later")
    for catalog in (desk, later):
        save_rule(catalog=catalog, rule=fallen, now=NOW)
        save_rule(catalog=catalog, rule=RULE, now=NOW)
    chance, first = random.Random(8), PRESENT - 20
    rows = {}
    for hour in range(PRESENT - WEEK - 50, PRESENT):
        share = 0.8 if hour > first and hour // 8 % 2 else 0.05
        n = chance.choice([0, 40, 80])
        fell = sum(chance.random() < share for _ in range(n))
        rows[hour] = {"n": n, "estimated": n, "confidence": (n - fell) * 10**6}
        rows[hour]["fallback:no_match"] = fell
    start = datetime.fromtimestamp(first * 3600, tz=UTC)
    for catalog in (desk, later):
        for rule in DEFAULTS:
            switch_rule(catalog=catalog, key=rule.key, enabled=False, now=NOW)
        past = {hour: n for hour, n in rows.items() if catalog == later or hour < first}
        count_hours(catalog, past)

    # Nothing was counted in the centuries before, which take no time.
    nothing = empty_catalog("nothing")
    assert not evaluate_since(nothing, since=datetime(1, 1, 2, tzinfo=UTC), now=NOW)
    changes = evaluate_since(later, since=start, now=NOW)
    assert {(one.key, one.after) for one in changes} >= {
        (key, state) for key in ("own-1", "own-2") for state in ("firing", "ok")
    }
    assert not AlertDelivery.objects.exists()
    assert not evaluate_since(later, since=start, now=NOW)  # once is enough

    for hour in range(first, PRESENT):
        count_hour(desk, hour, rows[hour])
        over = datetime.fromtimestamp((hour + 1) * 3600 + 60, tz=UTC)
        evaluate_since(desk, since=start, now=over)
    fields = ("key", "upto", "before", "after", "seen")
    mine = desk.alert_changes.order_by("upto", "key").values_list(*fields)
    assert list(mine) == list(later.alert_changes.order_by("upto", "key").values_list(*fields))


def test_traffic_of_a_simulation_ends_without_an_alarm(db: None) -> None:
    made, real = empty_catalog("made"), empty_catalog("real")
    counts = {hour: {"n": 50} for hour in range(PRESENT - 200, PRESENT - 6)}
    count_hours(made, counts, source="simulated")
    count_hours(real, counts)
    evaluate(NOW)
    firing = AlertState.objects.filter(state="firing").values_list("catalog__name", "key")
    assert list(firing) == [("real", "traffic")]


def test_what_takes_long_is_left_to_the_next_time(db: None) -> None:
    for name in ("a", "b", "c"):
        empty_catalog(name)
    for judged in (1, 2, 3):
        evaluate(NOW, seconds=1, clock=itertools.count().__next__)
        assert AlertState.objects.values("catalog").distinct().count() == judged


def test_nothing_due_costs_few_queries(
    desk: Catalog, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    fall_back(desk, 0.2, *range(PRESENT - 4, PRESENT))
    empty_catalog("other")
    evaluate(NOW)
    # Two to see that no span came; catalogs, rules, states; what was not told, what was not sent.
    # PostgreSQL is asked, too, what still runs.
    with django_assert_num_queries(7 + (connection.vendor == "postgresql")):
        evaluate(NOW)


def test_history_is_never_rewritten(desk: Catalog) -> None:
    change = alerted(desk, now=NOW)
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        AlertChange.objects.filter(pk=change.pk).update(after="ok")
    with pytest.raises(IntegrityError), transaction.atomic():
        AlertState.objects.create(catalog=desk, key="fallbacks")


def test_the_command_judges_now_and_the_past(
    desk: Catalog, hook: AlertTarget, capsys: pytest.CaptureFixture[str]
) -> None:
    present = hour_of(datetime.now(tz=UTC))
    fall_back(desk, 0.6, *range(present - 30, present))
    since = datetime.fromtimestamp((present - 20) * 3600, tz=UTC)
    call_command("evaluate_alerts", f"--since={since.isoformat()}")
    assert capsys.readouterr().out.endswith("desk firing: Unsure\n")
    assert events() == []
    call_command("evaluate_alerts")
    assert events() == []
