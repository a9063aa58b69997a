"""Requests a minute, counted by all processes of a key together."""

from datetime import timedelta
from threading import Barrier, Thread

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from routing.keys import make_key
from routing.limits import RateExceeded, RateLimits
from routing.models import ApiKey, RateWindow
from tests.samples import NOW


def let_through(limits: RateLimits, key: ApiKey, *, tries: int, seconds: float = 0) -> int:
    """Return how many of some requests at one moment are let through."""
    passed = 0
    for _ in range(tries):
        try:
            limits.spend(key=key, now=NOW + timedelta(seconds=seconds))
        except RateExceeded:
            continue
        passed += 1
    return passed


@pytest.fixture
def key(db: None) -> ApiKey:
    return make_key(name="agent", now=NOW, rate_limit=100).key


def test_a_key_without_a_limit_costs_nothing(db: None) -> None:
    key = make_key(name="agent", now=NOW).key
    with CaptureQueriesContext(connection) as queries:
        assert let_through(RateLimits(), key, tries=1000) == 1000
    assert len(queries) == 0


@pytest.mark.parametrize("limit", [1, 7, 50, 100, 119])
def test_a_minute_holds_exactly_the_limit(db: None, limit: int) -> None:
    key = make_key(name="agent", now=NOW, rate_limit=limit).key
    limits = RateLimits()
    assert let_through(limits, key, tries=limit + 20) == limit
    assert let_through(limits, key, tries=limit + 20, seconds=60) == limit


def test_processes_share_a_minute(key: ApiKey) -> None:
    processes = [RateLimits() for _ in range(3)]
    assert sum(let_through(one, key, tries=40) for one in processes) == 100
    # What one has spent the last of, no other has.
    assert [let_through(one, key, tries=1) for one in processes] == [0, 0, 0]


def test_what_a_process_has_taken_and_does_not_need_is_a_block_at_most(key: ApiKey) -> None:
    idle, busy = RateLimits(), RateLimits()
    let_through(idle, key, tries=1)
    assert let_through(busy, key, tries=200) == 98


def test_the_next_minute_is_told_and_comes(key: ApiKey) -> None:
    limits = RateLimits()
    let_through(limits, key, tries=100)
    with pytest.raises(RateExceeded, match="100 requests a minute") as refused:
        limits.spend(key=key, now=NOW + timedelta(seconds=42))
    assert refused.value.retry_after == 18
    limits.spend(key=key, now=NOW + timedelta(seconds=42 + refused.value.retry_after))


def test_most_requests_ask_nothing_and_none_asks_twice_for_what_is_spent(key: ApiKey) -> None:
    limits = RateLimits()
    with CaptureQueriesContext(connection) as queries:
        let_through(limits, key, tries=1000)
    # 50 blocks, one look for more, and the minutes before put away once.
    assert len(queries) <= 52


def test_minutes_that_are_over_are_put_away(key: ApiKey) -> None:
    other = make_key(name="other", now=NOW, rate_limit=1).key
    limits = RateLimits()
    for minute in range(5):
        let_through(limits, key, tries=10, seconds=60 * minute)
    let_through(limits, other, tries=1)
    assert RateWindow.objects.filter(key=key).count() == 1
    assert RateWindow.objects.filter(key=other).count() == 1


@pytest.mark.django_db(transaction=True)
def test_threads_of_processes_at_once_let_no_more_through_than_the_limit() -> None:
    key = make_key(name="agent", now=NOW, rate_limit=100).key
    barrier, passed = Barrier(6), list[int]()
    processes = [RateLimits(), RateLimits()]

    def run(limits: RateLimits) -> None:
        barrier.wait()
        passed.append(let_through(limits, key, tries=40))
        connection.close()

    threads = [Thread(target=run, args=[processes[n % 2]]) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # A thread may be told that nothing is left while another is about to keep its block.
    assert 90 <= sum(passed) <= 100
