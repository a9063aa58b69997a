"""The breaker of a router model, by a clock of the test's own."""

from __future__ import annotations

from routing.llm.breaker import Breaker, Limits, State, Ticket

LIMITS = Limits(rate=0.5, fewest=4, window=60, pause=30)


def breaker() -> Breaker:
    return Breaker(name="openai:small", limits=LIMITS)


def outcomes(one: Breaker, *failed: bool, now: float) -> None:
    for each in failed:
        one.settle(admitted(one, now=now), failed=each, now=now)


def admitted(one: Breaker, *, now: float) -> Ticket:
    ticket = one.admit(now=now)
    assert ticket is not None
    return ticket


def test_it_opens_when_half_of_enough_outcomes_failed() -> None:
    one = breaker()
    outcomes(one, True, True, True, now=0)
    assert one.state(now=0) is State.CLOSED
    outcomes(one, False, now=1)
    assert one.state(now=1) is State.OPEN
    assert one.admit(now=1) is None


def test_it_stays_closed_under_the_rate() -> None:
    one = breaker()
    outcomes(one, False, False, False, True, True, False, now=0)
    assert one.state(now=0) is State.CLOSED


def test_failures_of_long_ago_do_not_count() -> None:
    one = breaker()
    outcomes(one, True, True, True, now=0)
    outcomes(one, True, now=61)
    assert one.state(now=61) is State.CLOSED


def test_after_the_pause_one_probe_is_let_through() -> None:
    one = breaker()
    outcomes(one, True, True, True, True, now=0)
    assert one.admit(now=29.9) is None
    assert one.state(now=30) is State.HALF_OPEN
    assert admitted(one, now=30).is_probe
    assert one.admit(now=31) is None


def test_a_probe_that_succeeds_closes_it_and_one_that_fails_opens_it_again() -> None:
    one = breaker()
    outcomes(one, True, True, True, True, now=0)
    one.settle(admitted(one, now=30), failed=True, now=32)
    assert one.admit(now=61) is None
    one.settle(admitted(one, now=62), failed=False, now=63)
    assert one.state(now=63) is State.CLOSED
    outcomes(one, True, True, True, now=64)
    assert one.state(now=64) is State.CLOSED


def test_an_attempt_from_before_it_opened_is_not_taken_for_the_probe() -> None:
    one = breaker()
    late = admitted(one, now=0)
    outcomes(one, True, True, True, True, now=0)
    probe = admitted(one, now=30)
    one.settle(late, failed=False, now=31)
    assert one.state(now=31) is State.HALF_OPEN
    assert one.admit(now=31) is None
    one.settle(probe, failed=False, now=32)
    assert one.state(now=32) is State.CLOSED
