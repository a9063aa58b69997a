"""Where a run left the path that its case expects; without a database."""

from typing import Any

import pytest

from routing.evaluation.faults import CaseFault
from routing.paths.checking import Kind, check
from routing.paths.expected import read_path
from routing.paths.trail import Step, Trail

ASKED = {"decision": "needs_approval", "approval": "a"}


def trail(*said: Any, **more: Any) -> Trail:
    """Return a run: a name is an allowed call, a pair says more of a proposal, a dict of a step."""
    steps = [Step(span=1, name="tool_route", strategy="auto")]
    for at, one in enumerate(said, start=2):
        if isinstance(one, dict):
            steps.append(Step(span=at, **one))
            continue
        tool, fields = (one, {}) if isinstance(one, str) else one
        allowed = {"decision": "allowed", "is_first": True}
        steps.append(Step(span=at, name="tool_call", tool=tool, **(allowed | fields)))
    return Trail(run=1, run_id="r", number=1, ref="c@1", steps=steps, **more)


def left(expected: dict[str, Any], one: Trail, **more: Any) -> list[tuple[Kind, int | None, str]]:
    found = check(read_path(expected), one, **more).departures
    return [(each.kind, each.span, each.tool) for each in found]


@pytest.mark.parametrize(
    ("expected", "called", "departures"),
    [
        ({"tools_called": ["a", "b"]}, ["b", "x", "a"], []),
        ({"tools_called": ["a", "a"]}, ["a"], [(Kind.MISSING, None, "a")]),
        ({"tools_called": ["a", "b"], "in_order": True}, ["a", "x", "a", "b"], []),
        (
            {"tools_called": ["a", "b", "c"], "in_order": True},
            ["b", "a"],
            [(Kind.OUT_OF_ORDER, 2, "b"), (Kind.MISSING, None, "c")],
        ),
        ({"tools_called": ["a"], "only": True}, ["a", "x", "a"], [(Kind.ANOTHER, 3, "x")]),
        ({"tools_called": []}, [], []),
        ({"tools_called": []}, ["a"], [(Kind.ANOTHER, 2, "a")]),
        ({}, ["a"], []),
    ],
)
def test_calls_are_held_against_what_is_to_be_called(
    expected: dict[str, Any], called: list[str], departures: list[Any]
) -> None:
    assert left(expected, trail(*called)) == departures


def test_a_refused_call_is_none_but_what_is_forbidden_may_not_be_tried() -> None:
    refused = {"decision": "refused", "reason": "invalid_arguments", "is_first": False}
    one = trail(("a", refused), ("pay", {**refused, "reason": "tool_not_offered"}), "pay")

    assert left({"tools_called": ["a"], "tools_not_called": ["pay"]}, one) == [
        (Kind.FORBIDDEN_TRIED, 3, "pay"),
        (Kind.FORBIDDEN, 4, "pay"),
        (Kind.MISSING, None, "a"),
    ]


def test_a_call_that_waits_counts_once_and_one_without_a_person_is_seen() -> None:
    again = {**ASKED, "is_first": False}
    waits = trail(("pay", again), ("pay", again), "pay")
    expected = {"tools_called": ["pay", "pay"], "needs_approval": ["pay"]}

    assert left(expected, waits) == [(Kind.MISSING, None, "pay")]
    assert left(expected, trail("pay", ("pay", again))) == [(Kind.UNAPPROVED, 2, "pay")]
    # A further attempt is the same call.
    assert left({"tools_called": ["a", "a"]}, trail("a", ("a", {"is_first": False}))) == [
        (Kind.MISSING, None, "a")
    ]


def test_another_tool_may_do_as_well() -> None:
    expected = {"tools_called": ["a"], "only": True}
    assert left(expected, trail("z")) == [(Kind.ANOTHER, 2, "z"), (Kind.MISSING, None, "a")]
    assert left(expected, trail("z"), instead={"a": ["z"]}) == []


def test_how_a_run_ends_is_part_of_its_path() -> None:
    expected = {"final_status": "needs_human", "stop_reason": "no_policy"}
    end = {"name": "outcome", "status": "solved"}
    assert left(expected, trail("a")) == [(Kind.UNFINISHED, None, "")]
    ended = trail("a", end, status="solved", stop_reason="done")
    assert left(expected, ended) == [(Kind.STATUS, 3, ""), (Kind.STOP_REASON, 3, "")]
    found = check(read_path(expected), ended).left_at
    assert found is not None
    assert (found.expected, found.found) == ("needs_human", "solved")


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([], "path: an object is required"),
        ({"tool_called": []}, "path: there is no “tool_called” in it"),
        ({"tools_called": "a"}, "path.tools_called: a list of names is required"),
        ({"final_status": "done"}, "path.final_status: one of solved, failed"),
        (
            {"tools_called": ["a"], "tools_not_called": ["a"]},
            "“a” is to be called as well",
        ),
    ],
)
def test_what_is_wrong_with_a_path_is_said(value: Any, said: str) -> None:
    with pytest.raises(CaseFault) as fault:
        read_path(value)
    assert said in str(fault.value)


def test_a_path_is_written_as_it_is_read() -> None:
    said = {"tools_called": ["a"], "in_order": True, "needs_approval": ["a"]}
    assert read_path(said).record() == said
    assert read_path({"tools_called": []}).record() == {"tools_called": [], "only": True}
    assert read_path({}).says_nothing
    assert read_path({"only": True}).tools_called == ()
