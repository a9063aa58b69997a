"""What falls, by each rule, of tasks tried on both sides."""

from dataclasses import replace
from typing import Any

from routing.gate.rules import CASE, TASK, Rules
from routing.gate.verdict import falls
from routing.gate_checks.reporting import report_of
from routing.gate_checks.rows import Row, Served, read, written

RIGHT = Served(there=True, covered=True, right=True, tools=4, tokens=100, groups=("a",), first="x")
WRONG = replace(RIGHT, covered=False, right=False, missing=(0,), first="y")
QUIET = Rules(
    mode="block",
    datasets=(),
    part="",
    replayed=0,
    any_lost=False,
    most_of_a_tool=None,
    most_lost=100.0,
    most_larger=None,
    most_diverted=None,
    chosen=True,
)


def row(before: Served = RIGHT, after: Served = RIGHT, **more: Any) -> Row:
    said = {"kind": CASE, "ref": 1, "key": "k", "weight": 1.0, "needs": ("x",), "dropped": ()}
    return Row(**{**said, "gone": (), "come": (), **more}, before=before, after=after)


def codes(rows: list[Row], **rules: Any) -> list[str]:
    return [fall.code for fall in falls(report_of(rows, seed=0), replace(QUIET, **rules))]


def lost(count: int, *, of: int, gained: int = 0) -> list[Row]:
    kept = of - count - gained
    return [
        *(row(after=WRONG) for _ in range(count)),
        *(row(before=WRONG) for _ in range(gained)),
        *(row() for _ in range(kept)),
    ]


def test_one_lost_task_falls_where_none_may() -> None:
    assert codes(lost(1, of=9)) == []
    assert codes(lost(1, of=9), any_lost=True) == ["lost"]
    assert codes([row(before=WRONG)], any_lost=True) == []


def test_a_tool_falls_by_a_share_of_those_that_got_it() -> None:
    assert codes(lost(3, of=20), most_of_a_tool=10) == ["tool"]
    assert codes(lost(2, of=4), most_of_a_tool=10) == []  # too few to say anything
    assert codes(lost(3, of=40), most_of_a_tool=10) == []
    assert codes(lost(5, of=20, gained=3), most_of_a_tool=10) == []


def test_coverage_falls_by_more_than_points_and_by_more_than_accident() -> None:
    assert codes(lost(6, of=100), most_lost=5) == ["coverage"]
    assert codes(lost(6, of=100), most_lost=7) == []
    assert codes(lost(5, of=50), most_lost=5) == []  # p = 0.0625
    assert codes(lost(9, of=50, gained=4), most_lost=5) == []


def test_larger_answers_and_diverted_tasks_fall_where_they_count() -> None:
    more = [row(after=replace(RIGHT, tools=5))]
    assert codes(more, most_larger=24.9) == ["larger"]
    assert codes(more, most_larger=25) == []
    away: dict[str, Any] = {"kind": TASK, "gone": ("a",), "come": ("b",)}
    tasks = [row(**away, weight=3.0), row(kind=TASK, weight=1.0)]
    assert codes(tasks, most_diverted=74) == ["diverted"]
    assert codes(tasks, most_diverted=75) == []
    assert codes([]) == ["nothing"]


def test_tasks_go_from_here_to_there() -> None:
    rows = [
        row(gone=("a",), come=("b",)),
        row(gone=("a",), after=replace(WRONG, groups=(), fallback="low_confidence")),
        row(dropped=("x",), after=WRONG),
        row(come=("c",)),
        row(gone=("a",), after=Served(there=False)),
    ]
    said = report_of(rows, seed=0)["diverted"]
    assert {(*way["before"][1], way["after"][0], *way["after"][1]) for way in said} == {
        ("a", "groups", "b"),
        ("a", "fallback", "low_confidence"),
        ("x", "tools", "y"),
        ("a", "nothing"),
    }
    assert [read(written(one)) for one in rows] == rows
