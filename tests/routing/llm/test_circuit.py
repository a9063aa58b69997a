"""The circuit before a router model, by a clock of the test's own."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from catalog.models import Catalog
from routing.circuits import close, open_by_hand
from routing.llm.circuit import CatalogGuard, LeftAlone, Ticket, forget_outcomes
from routing.models import Circuit
from tests.samples import NOW

MODEL = "openai:small"
LEFT_ALONE = "left alone for a while after repeated failures"


class Clock:
    """A clock that is set by hand, in seconds."""

    seconds = 0.0

    def __call__(self) -> datetime:
        """Tell the time."""
        return NOW + timedelta(seconds=self.seconds)


@pytest.fixture
def catalog(db: None) -> Catalog:
    return Catalog.objects.create(name="one", title="One")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def guard(catalog: Catalog, clock: Clock) -> CatalogGuard:
    return CatalogGuard(catalog.pk, clock=clock)


def ask(guard: CatalogGuard) -> Ticket:
    return guard.admit(model=MODEL, seconds=5)


def outcomes(guard: CatalogGuard, *failed: bool) -> None:
    for each in failed:
        guard.settle(ask(guard), failed=each)


def test_it_opens_when_half_of_enough_questions_failed(guard: CatalogGuard) -> None:
    outcomes(guard, False, False, True, True)
    assert not Circuit.objects.exists()
    outcomes(guard, True)
    with pytest.raises(LeftAlone, match=LEFT_ALONE):
        ask(guard)
    row = Circuit.objects.get()
    assert (row.kind, row.target, row.by_hand) == ("router", MODEL, False)
    assert row.reason == "3 of 5 within 60 s failed."


def test_a_success_never_opens_it_and_old_failures_do_not_count(
    guard: CatalogGuard, clock: Clock
) -> None:
    outcomes(guard, True, True, True, True, False)
    clock.seconds = 61
    outcomes(guard, True)
    assert not Circuit.objects.exists()


def test_another_process_leaves_the_model_alone_too(guard: CatalogGuard, catalog: Catalog) -> None:
    outcomes(guard, True, True, True, True, True)
    forget_outcomes()
    with pytest.raises(LeftAlone):
        ask(CatalogGuard(catalog.pk, clock=guard.clock))
    other = Catalog.objects.create(name="two", title="Two")
    assert ask(CatalogGuard(other.pk, clock=guard.clock)).probe_until is None


def test_after_the_pause_one_probe_shows_whether_it_is_well(
    guard: CatalogGuard, clock: Clock
) -> None:
    outcomes(guard, True, True, True, True, True)
    clock.seconds = 30
    probe = ask(guard)
    assert probe.probe_until is not None
    with pytest.raises(LeftAlone):
        ask(guard)
    guard.settle(probe, failed=True)
    clock.seconds = 89
    with pytest.raises(LeftAlone):
        ask(guard)
    clock.seconds = 90
    guard.settle(ask(guard), failed=False)
    outcomes(guard, True, True, True, True)
    assert not Circuit.objects.unclosed().exists()


def test_a_question_from_before_it_opened_is_not_heard(guard: CatalogGuard, clock: Clock) -> None:
    late = [ask(guard) for _ in range(9)]
    outcomes(guard, True, True, True, True, True)
    for ticket in late:
        guard.settle(ticket, failed=True)
    clock.seconds = 30
    guard.settle(ask(guard), failed=False)
    assert ask(guard).probe_until is None
    assert Circuit.objects.count() == 1


def test_a_person_switches_a_model_off_and_on(guard: CatalogGuard, catalog: Catalog) -> None:
    row = open_by_hand(
        catalog=catalog,
        kind="router",
        target=MODEL,
        reason="too dear",
        until=None,
        by=None,
        now=NOW,
    )
    with pytest.raises(LeftAlone, match="switched off by hand"):
        ask(guard)
    assert close(catalog=catalog, pk=row.pk, by=None, now=NOW)
    assert ask(guard).probe_until is None
