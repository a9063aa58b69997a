"""The tasks that a fit reads, and the catalogs that are made of them."""

from __future__ import annotations

from routing.evaluation.cases import Case
from routing.learning.shipped.material import (
    NOTHING_TASKS,
    Part,
    foreign,
    sample,
    smaller,
    with_examples,
)
from tests.routing.selection.documents import document, tool

NAMES = [f"t{number}" for number in range(12)]


def part(folder: str = "metatool", *, groups: bool = True) -> Part:
    """Return a part of three cases for each of twelve tools in four groups."""
    source = document(
        tools=[tool(name) for name in NAMES],
        groups=[
            {"name": f"g{start}", "description": "", "tools": NAMES[start : start + 3]}
            for start in range(0, 12, 3)
        ]
        if groups
        else [],
    )
    cases = tuple(
        Case(where=folder, task=f"{folder}: {name}, {number}", needs=((name,),))
        for name in NAMES
        for number in range(3)
    )
    return Part(folder=folder, name="cases.jsonl", document=source, cases=cases)


def test_a_sample_is_drawn_by_its_seed_in_order() -> None:
    cases = part().cases
    drawn = sample(cases, 10, seed=0)
    assert len(drawn) == len(set(drawn)) == 10
    assert list(drawn) == sorted(drawn, key=cases.index)
    assert drawn == sample(cases, 10, seed=0) != sample(cases, 10, seed=1)
    assert sample(cases, 100, seed=0) == cases


def test_foreign_tasks_are_those_of_other_families_and_need_nothing() -> None:
    own, kin, other = part("bfcl"), part("bfcl_multiturn"), part("metatool")
    found = foreign(own, (own, kin, other), 20, seed=0)
    assert len(found) == 20 + len(NOTHING_TASKS)
    assert all(case.needs == () for case in found)
    assert {case.task.split(":")[0] for case in found[:20]} == {"metatool"}


def test_examples_are_taken_from_the_cases_and_left_out_of_them() -> None:
    shown = with_examples(part(), of_groups=2, of_tools=1, seed=0, most=100)
    assert shown.derived
    examples = [
        text
        for kind in ("tools", "groups")
        for entry in shown.document[kind]
        for text in entry["examples"]
    ]
    assert all(len(group["examples"]) == 2 for group in shown.document["groups"])
    assert all(len(entry["examples"]) == 1 for entry in shown.document["tools"])
    assert not set(examples) & {case.task for case in shown.cases}
    assert set(examples) | {case.task for case in shown.cases} == {c.task for c in part().cases}
    # What it was made of is as it was.
    assert not any(entry["examples"] for entry in part().document["tools"])


def test_a_smaller_catalog_has_whole_groups_and_the_cases_that_it_is_enough_for() -> None:
    found = smaller(part(), tools=5, seed=0)
    kept = {entry["name"] for entry in found.document["tools"]}
    assert len(kept) == 6  # two whole groups of three
    assert all(len(group["tools"]) == 3 for group in found.document["groups"])
    assert len(found.cases) == 18
    assert all({name for need in case.needs for name in need} <= kept for case in found.cases)
    assert smaller(part(), tools=5, seed=0) == found
    flat = smaller(part(groups=False), tools=5, seed=0)
    assert len(flat.document["tools"]) == 5
