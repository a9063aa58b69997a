"""A router: what it makes of what a provider does, and what its circuit hears of that."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from routing.llm.asking import Router
from routing.llm.circuit import LeftAlone, Ticket
from routing.llm.configuring import RouterSettings
from routing.llm.prompt import Question, question
from routing.llm.replies import Reply, RouterFailure
from tests.routing.llm.conftest import LetThrough

GOOD = Reply(text='{"groups": [], "confidence": 0.5}', ending="complete", tokens_in=9, tokens_out=1)
REFUSED = Reply(text="", ending="refused", tokens_in=9, tokens_out=1)
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


def scripted() -> tuple[Router, Scripted, LetThrough]:
    provider = Scripted()
    router = Router(
        settings=RouterSettings(provider="openai", model="small"), provider=provider, clock=Clock()
    )
    return router, provider, LetThrough()


def fail() -> Reply:
    raise RouterFailure("no answer within 5 s")


def test_the_circuit_hears_how_each_question_ended() -> None:
    router, provider, circuit = scripted()
    assert router.answer(ASKED, circuit).failure is None
    provider.next = fail
    assert router.answer(ASKED, circuit).failure == "no answer within 5 s"
    assert circuit.settled == [False, True]


def test_a_model_that_is_left_alone_is_not_asked() -> None:
    router, provider, _ = scripted()

    class Stopped(LetThrough):
        def admit(self, *, model: str, seconds: float) -> Ticket:
            raise LeftAlone(f"{model} is off for {seconds:.0f} s")

    circuit = Stopped()
    assert router.answer(ASKED, circuit).failure == "openai:small is off for 5 s"
    assert (provider.asked, circuit.settled) == (0, [])


def test_a_refusal_says_nothing_of_the_next_task() -> None:
    router, provider, circuit = scripted()
    provider.next = lambda: REFUSED
    assert router.answer(ASKED, circuit).failure == "the model refused to answer"
    assert circuit.settled == [False]


def test_what_nobody_foresaw_counts_as_a_failure_and_is_raised() -> None:
    router, provider, circuit = scripted()

    def burst() -> Reply:
        raise ZeroDivisionError

    provider.next = burst
    with pytest.raises(ZeroDivisionError):
        router.answer(ASKED, circuit)
    assert circuit.settled == [True]


def test_without_prices_there_is_no_cost() -> None:
    router, _, circuit = scripted()
    answer = router.answer(ASKED, circuit)
    assert (answer.tokens_in, answer.cost) == (9, None)
