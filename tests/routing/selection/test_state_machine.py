"""A fixed set of tools for each state, and legal moves only."""

from __future__ import annotations

import pytest

from routing.selection import (
    Circumstances,
    IllegalTransition,
    Index,
    Query,
    Selection,
    Strategy,
    select,
)
from tests.routing.selection.documents import lexical, names, office, reasons

PHASES = [
    {"name": "look", "tools": ["check_stock"], "groups": [], "next": ["act"]},
    {"name": "act", "tools": [], "groups": ["stock"], "next": ["look", "done"]},
    {"name": "done", "tools": ["find_payment"], "groups": [], "next": []},
]


@pytest.fixture
def index() -> Index:
    return lexical(office(phases=PHASES, settings={"initial_phase": "look"}))


def move(index: Index, phase: str | None, *, came_from: str | None) -> Selection:
    query = Query(task="settle the bill", phase=phase, strategy=Strategy.STATE_MACHINE)
    return select(query, index, Circumstances(came_from=came_from))


@pytest.mark.parametrize(
    ("came_from", "phase", "tools"),
    [
        (None, None, ["check_stock"]),
        (None, "done", ["find_payment"]),
        ("look", "look", ["check_stock"]),
        ("look", "act", ["check_stock", "reserve_stock"]),
        ("act", "done", ["find_payment"]),
        ("done", "done", ["find_payment"]),
    ],
)
def test_a_legal_move_serves_the_tools_of_the_phase_whatever_the_task(
    index: Index, came_from: str | None, phase: str | None, tools: list[str]
) -> None:
    selection = move(index, phase, came_from=came_from)

    assert names(index, selection) == [*tools, "ask_user"]
    assert selection.decided_by is Strategy.STATE_MACHINE
    assert (selection.confidence, selection.fallback) == (1.0, None)
    assert reasons(selection)["settle_bill"] == "not_in_phase"


@pytest.mark.parametrize(
    ("came_from", "phase", "said"),
    [
        ("look", "done", "'look' does not lead to 'done'; it leads to 'act'"),
        ("done", "look", "'done' is the last one"),
        ("done", None, "'done' is the last one"),
    ],
)
def test_a_move_that_the_machine_does_not_have_is_refused(
    index: Index, came_from: str, phase: str | None, said: str
) -> None:
    with pytest.raises(IllegalTransition, match=said):
        move(index, phase, came_from=came_from)


def test_other_strategies_know_no_transitions(index: Index) -> None:
    query = Query(task="x", phase="done", strategy=Strategy.PHASE)
    assert select(query, index, Circumstances(came_from="look")).phase == "done"


def test_without_phases_the_default_tools_are_served() -> None:
    index = lexical(office())
    selection = move(index, None, came_from=None)
    assert names(index, selection) == ["find_payment", "check_stock", "ask_user"]
    assert (selection.fallback, selection.failure) == ("no_match", None)


def test_a_phase_whose_tools_are_all_off_serves_the_default_tools(index: Index) -> None:
    query = Query(task="x", phase="act", strategy=Strategy.STATE_MACHINE)
    off = Circumstances(switched_off=frozenset({"check_stock", "reserve_stock"}), came_from="look")
    selection = select(query, index, off)
    assert names(index, selection) == ["find_payment", "ask_user"]
    assert selection.fallback == "no_match"
