"""The plan of a month: repeatable, and with the rhythm of working days."""

from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from routing.simulation.plan import SHARES, PlannedRun, half_of, plan_month

PINNED_KIND = ("back-office", "pt")
START = datetime(2026, 3, 2, 6, 0, tzinfo=UTC)  # a Monday


def planned(*, seed: int = 1, tasks: int = 3000, days: int = 28) -> list[PlannedRun]:
    return list(plan_month(seed=seed, start=START, tasks=tasks, days=days))


def test_equal_arguments_give_an_equal_plan() -> None:
    assert planned(tasks=300) == planned(tasks=300)


def test_another_seed_gives_another_plan() -> None:
    assert planned(tasks=50, seed=2) != planned(tasks=50)


def test_arrivals_are_what_they_were_when_they_were_first_drawn() -> None:
    # A second run compares what is on record with the plan: a new library must not change it.
    run = planned(tasks=300)[100]
    assert run.begins == datetime(2026, 3, 10, 11, 14, 6, tzinfo=UTC)
    assert (run.catalog, run.language) == PINNED_KIND


def test_runs_are_numbered_in_the_order_they_begin() -> None:
    runs = planned(tasks=500)
    assert [run.number for run in runs] == list(range(1, 501))
    assert [run.begins for run in runs] == sorted(run.begins for run in runs)
    assert runs[0].begins >= START
    assert runs[-1].begins < START + timedelta(days=28)


def test_catalogs_and_languages_have_their_shares() -> None:
    runs = planned()
    counts = Counter((run.catalog, run.language) for run in runs)
    for catalog, shares in SHARES.items():
        for language, share in shares.items():
            assert counts[catalog, language] == pytest.approx(3000 * share, rel=0.35)
    assert sum(share for shares in SHARES.values() for share in shares.values()) == pytest.approx(1)


def test_working_days_are_busy_and_sundays_quiet() -> None:
    days = Counter(run.begins.weekday() for run in planned())
    assert min(days[day] for day in range(5)) > 4 * days[5]
    assert days[5] > days[6]


def test_nights_are_quiet() -> None:
    hours = Counter(run.begins.hour for run in planned())
    assert sum(hours[hour] for hour in (2, 3, 4)) < 0.02 * hours.total()
    assert sum(hours[hour] for hour in range(8, 18)) > 0.7 * hours.total()


def test_the_portal_opens_half_way() -> None:
    half = half_of(start=START, days=28)
    portal = [run for run in planned() if "/p-" in run.template]
    assert len(portal) > 100
    assert all(run.begins >= half for run in portal)


def test_the_history_grows_by_what_each_step_left() -> None:
    run = next(run for run in planned() if len(run.steps) == 3)
    assert run.history_before(0) == ()
    assert run.history_before(2) == (run.steps[0].note, run.steps[1].note)


def test_less_than_an_hour_is_no_month() -> None:
    with pytest.raises(ValueError, match="an hour"):
        planned(days=0)
