"""How the calls of a run are planned."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from catalog.samples import SAMPLES, load_sample
from routing.simulation.manners import Fate, Manners, Slip, Word, planned_manners
from routing.simulation.plan import LEFT_WAITING, NEED_A_PERSON, plan_month

STEPS = [("find", "settle"), ("check",)]
START = datetime(2026, 3, 2, 6, 0, tzinfo=UTC)
WITHHELD = {"adjust_stock", "issue_refund", "terminate_contract"}
"""Tools that need an approval and that no agent gets so far with, or no task is about alone."""


def planned(seed: int, *, catalog: str = "back-office", patient: bool = False) -> Manners:
    return planned_manners(catalog=catalog, steps=STEPS, patient=patient, random=Random(seed))


def test_each_step_calls_its_tools_in_their_order() -> None:
    manners = planned(1)
    assert [[call.tool for call in calls] for calls in manners.steps] == [
        ["find", "settle"],
        ["check"],
    ]
    assert len(manners.blind) == 2


def test_all_that_may_happen_is_planned_now_and_then() -> None:
    many = [planned(seed) for seed in range(3000)]
    calls = [call for manners in many for step in manners.steps for call in step]
    fates = Counter(call.fate for call in calls)
    assert set(fates) == set(Fate)
    assert fates[Fate.DONE] > 0.85 * len(calls)
    assert {call.slip for call in calls} == set(Slip)
    assert {call.word for call in calls} == set(Word)
    assert {manners.budget and manners.budget["calls"] for manners in many} == {None, 1, 2}
    assert any(manners.outage for manners in many)
    assert len({call.seed for call in calls}) == len(calls)


def test_only_where_routes_forbid_something_is_an_agent_tempted() -> None:
    assert not any(planned(seed).tempted for seed in range(100))
    tempted = [planned(seed, catalog="refunds").tempted for seed in range(100)]
    assert {call.tool for call in tempted if call} == {"issue_refund"}
    assert None in tempted


def test_a_patient_run_gets_as_far_as_the_person_and_waits() -> None:
    for seed in range(100):
        manners = planned(seed, catalog="refunds", patient=True)
        calls = [call for step in manners.steps for call in step]
        assert {(call.fate, call.slip, call.word) for call in calls} == {
            (Fate.DONE, Slip.NONE, Word.SILENCE)
        }
        assert (manners.tempted, manners.budget, manners.outage) == (None, None, False)
        assert not any(manners.blind)


def test_the_tools_of_a_person_s_concern_are_those_of_the_samples() -> None:
    for catalog in SAMPLES:
        asked = {tool["name"] for tool in load_sample(catalog)["tools"] if tool["needs_approval"]}
        assert NEED_A_PERSON[catalog] == asked - WITHHELD


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("days_later", [0, 6])
def test_the_newest_runs_that_need_a_person_wait_for_one(seed: int, days_later: int) -> None:
    end = START + timedelta(days=28 + days_later)  # a Monday morning, and a Sunday's
    start = end - timedelta(days=28)
    runs = list(plan_month(seed=seed, start=start, tasks=6000, days=28))
    waiting = [
        run
        for run in runs
        if any(
            call.tool in NEED_A_PERSON[run.catalog] and call.word is Word.SILENCE
            for step in run.manners.steps
            for call in step
        )
        and end - timedelta(hours=20) <= run.begins < end - timedelta(minutes=30)
    ]
    assert len(waiting) >= LEFT_WAITING
    newest = waiting[-LEFT_WAITING:]
    assert all(step.asks for run in newest for step in run.steps)
