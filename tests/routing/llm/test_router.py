"""A router: its breaker, and what it makes of what a provider does."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from routing.llm.asking import Router
from routing.llm.breaker import Breaker, Limits
from routing.llm.configuring import RouterSettings
from routing.llm.prompt import Question, question
from routing.llm.replies import Reply, RouterFailure

GOOD = Reply(text='{"groups": [], "confidence": 0.5}', ending="complete", tokens_in=9, tokens_out=1)
REFUSED = Reply(text="", ending="refused", tokens_in=9, tokens_out=1)
LEFT_ALONE = "left alone for a while after repeated failures"
ASKED = question(task="x", history=[], groups=["stock"], described={})


class Scripted:
    """A provider that does what it is told to, and counts."""

    def __init__(self) -> None:
        self.next: Callable[[], Reply] = lambda: GOOD
        self.asked = 0

    def reply(self, question: Question) -> Reply:
        """Do it."""
        self.asked += 1
        return self.next()

    def close(self) -> None:
        """Nothing is open."""


class Clock:
    """A clock that is set by hand."""

    now = 0.0

    def __call__(self) -> float:
        """Tell the time."""
        return self.now


def scripted() -> tuple[Router, Scripted, Clock]:
    provider, clock = Scripted(), Clock()
    router = Router(
        settings=RouterSettings(provider="openai", model="small"),
        provider=provider,
        breaker=Breaker(name="openai:small", limits=Limits(fewest=3, pause=30)),
        clock=clock,
    )
    return router, provider, clock


def fail() -> Reply:
    raise RouterFailure("no answer within 5 s")


def test_a_model_that_fails_again_and_again_is_left_alone_until_a_probe_succeeds() -> None:
    router, provider, clock = scripted()
    provider.next = fail
    assert [router.answer(ASKED).failure for _ in range(5)] == [
        *["no answer within 5 s"] * 3,
        *[LEFT_ALONE] * 2,
    ]
    assert provider.asked == 3
    clock.now = 30
    assert router.answer(ASKED).failure == "no answer within 5 s"
    clock.now = 59
    assert router.answer(ASKED).failure == LEFT_ALONE
    clock.now, provider.next = 60, lambda: GOOD
    assert router.answer(ASKED).failure is None
    assert router.answer(ASKED).failure is None
    assert provider.asked == 6


def test_a_refusal_says_nothing_of_the_next_task() -> None:
    router, provider, _ = scripted()
    provider.next = lambda: REFUSED
    failures = {router.answer(ASKED).failure for _ in range(9)}
    assert failures == {"the model refused to answer"}
    assert provider.asked == 9


def test_what_nobody_foresaw_counts_as_a_failure_and_is_raised() -> None:
    router, provider, _ = scripted()

    def burst() -> Reply:
        raise ZeroDivisionError

    provider.next = burst
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            router.answer(ASKED)
    assert router.answer(ASKED).failure == LEFT_ALONE


def test_without_prices_there_is_no_cost() -> None:
    router, _, _ = scripted()
    answer = router.answer(ASKED)
    assert (answer.tokens_in, answer.cost) == (9, None)
