"""Periods and their days, whatever the clocks do."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from dashboard.metrics.periods import DAYS, comparison, moment
from tests.dashboard.traffic import hour

# Clocks go back in Madrid on 25 October 2026; in Santiago, at midnight, forward on 6 September.
MADRID, SANTIAGO = ZoneInfo("Europe/Madrid"), ZoneInfo("America/Santiago")
ZONES = [UTC, MADRID, SANTIAGO, ZoneInfo("Asia/Kolkata"), ZoneInfo("Pacific/Auckland")]
AUTUMN = datetime(2026, 11, 10, 22, 40, tzinfo=UTC)


@pytest.mark.parametrize("zone", ZONES, ids=str)
@pytest.mark.parametrize("name", ["7d", "30d", "90d"])
@pytest.mark.parametrize("now", [AUTUMN, datetime(2026, 4, 6, 3, 0, tzinfo=UTC)], ids=str)
def test_every_hour_lies_in_the_day_in_which_it_begins(
    name: str, now: datetime, zone: ZoneInfo
) -> None:
    period = comparison(name=name, now=now, zone=zone).now
    hours = range(period.start, period.end)
    folded = period.fold((hour, hour) for hour in hours)
    assert sum(len(day) for day in folded) == len(hours)
    for begins, day in zip(period.bucket_moments, folded, strict=True):
        assert {moment(hour, zone=zone).date() for hour in day} == {begins.date()}
    assert len({begins.date() for begins in period.bucket_moments}) == DAYS[name]


def test_a_day_has_25_hours_where_the_clocks_go_back_and_23_where_they_go_forward() -> None:
    def lengths(period_end: datetime, zone: ZoneInfo) -> dict[str, int]:
        period = comparison(name="30d", now=period_end, zone=zone).now
        days = period.fold((hour, hour) for hour in range(period.start, period.end))
        moments = period.bucket_moments
        return {f"{m:%m-%d}": len(day) for m, day in zip(moments[:-1], days[:-1], strict=True)}

    madrid = lengths(AUTUMN, MADRID)
    assert madrid.pop("10-25") == 25
    assert set(madrid.values()) == {24}
    santiago = lengths(datetime(2026, 9, 20, 15, 0, tzinfo=UTC), SANTIAGO)
    assert santiago.pop("09-06") == 23
    assert set(santiago.values()) == {24}


def test_a_period_of_days_begins_with_a_day_and_ends_with_the_hour_that_it_is() -> None:
    period = comparison(name="7d", now=AUTUMN, zone=MADRID).now
    assert period.first_moment == datetime(2026, 11, 4, tzinfo=MADRID)
    assert period.last_moment == datetime(2026, 11, 10, 23, tzinfo=MADRID)
    assert period.contains(hour("2026-11-10T22:00Z"))
    assert not period.contains(hour("2026-11-10T23:00Z"))
    assert not period.contains(hour("2026-11-03T22:00Z"))


def test_the_period_before_ends_at_the_same_time_of_its_last_day() -> None:
    now = datetime(2026, 10, 27, 9, 20, tzinfo=UTC)  # 10:20 in winter time
    before = comparison(name="7d", now=now, zone=MADRID).before
    assert before.first_moment == datetime(2026, 10, 14, tzinfo=MADRID)
    assert before.last_moment == datetime(2026, 10, 20, 10, tzinfo=MADRID)  # in summer time
    assert before.last_moment.utcoffset() == timedelta(hours=2)


def test_a_day_is_24_hours_of_an_hour_each_and_the_24_before() -> None:
    found = comparison(name="24h", now=AUTUMN, zone=MADRID)
    assert found.now.end == hour("2026-11-10T23:00Z")
    assert found.now.start == found.before.end == found.now.end - 24
    assert Counter(len(h) for h in found.now.fold((h, h) for h in range(10**6))) == {1: 24}


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(KeyError):
        comparison(name="31d", now=AUTUMN, zone=UTC)
