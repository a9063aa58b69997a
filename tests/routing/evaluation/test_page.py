"""The page about all sets, from outcomes that are written out."""

from __future__ import annotations

from typing import Any

from routing.evaluation.outcomes import DEPTH, Outcomes, gathered
from routing.evaluation.page import quality_page
from routing.evaluation.sets import EvaluatedSet
from tests.routing.evaluation.outcomes import outcome

UNANSWERED: dict[str, Any] = {
    "met": (0,) * DEPTH,
    "ndcg": 0.0,
    "covered": False,
    "tools": 0,
    "proposed_covered": False,
    "proposed_tools": 0,
    "fallback": True,
}


def of(*fields: dict[str, Any]) -> Outcomes:
    return gathered([outcome(**given) for given in fields])


def ranking(**sets: dict[str, Outcomes]) -> dict[str, list[str]]:
    """Return the cells of the strategies in the table of rankings, by row."""
    evaluated = [
        EvaluatedSet(folder=name, part="", tools=5, outcomes=outcomes)
        for name, outcomes in sets.items()
    ]
    page = quality_page(evaluated, main="auto", about=[], command="command", seed=1)
    table = page.partition("## Ranking")[2].partition("## What")[0]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("| ")]
    return {row[0]: row[3:] for row in rows}


def test_a_set_that_a_strategy_has_no_answer_to_is_a_dash_and_in_no_mean() -> None:
    right, wrong = of({}, {}), of({}, UNANSWERED)

    shown = ranking(
        grouped={"auto": right, "hierarchical": right},
        mixed={"auto": right, "hierarchical": wrong},
        flat={"auto": right, "hierarchical": of(UNANSWERED, UNANSWERED)},
    )

    assert shown["flat"] == ["1.000 / 1.000 / 1.000", "-"]
    assert shown["mixed"] == ["1.000 / 1.000 / 1.000", ".500 / .500 / .500"]
    assert shown["mean of 3 sets"] == [
        "1.000 / 1.000 / 1.000",
        ".750 / .750 / .750 (2 sets)",
    ]


def test_what_auto_answered_in_a_strategys_stead_is_not_its_own() -> None:
    stood_in = of({"failed": True}, {"failed": True})

    shown = ranking(office={"auto": of({}, {}), "classifier": stood_in})

    assert shown["office"] == ["1.000 / 1.000 / 1.000", "-"]
    assert shown["mean of 1 sets"] == ["1.000 / 1.000 / 1.000", "-"]


def test_proposing_the_wrong_tools_is_an_answer() -> None:
    missed = of({**UNANSWERED, "proposed_tools": 3})

    shown = ranking(office={"auto": of({}), "rules": missed})

    assert shown["office"] == ["1.000 / 1.000 / 1.000", ".000 / .000 / .000"]
