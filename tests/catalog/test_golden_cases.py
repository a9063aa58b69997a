"""The golden cases name what their catalog holds, and were not copied from it."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from catalog.samples import SAMPLES, load_sample

CASES = Path(__file__).parent.parent / "cases"


def cases_of(name: str) -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = json.loads((CASES / f"{name}.json").read_text(encoding="utf-8"))
    return cases


@pytest.mark.parametrize("name", SAMPLES)
def test_golden_cases_name_what_their_catalog_holds(name: str) -> None:
    sample, cases = load_sample(name), cases_of(name)
    tools = {tool["name"] for tool in sample["tools"]}
    groups = {group["name"] for group in sample["groups"]}
    assert len({case["name"] for case in cases}) == len(cases)
    for case in cases:
        expected = set(case.get("expected_tools", ()))
        assert case["catalog"] == name
        assert case["kind"] in ("clear", "vague", "exact")
        assert expected | set(case.get("not_expected", ())) <= tools, case["name"]
        assert not expected & set(case.get("not_expected", ())), case["name"]
        assert set(case["expected_groups"]) <= groups, case["name"]


@pytest.mark.parametrize("name", SAMPLES)
def test_no_golden_task_is_an_example_of_its_catalog(name: str) -> None:
    sample = load_sample(name)
    examples = {
        example.casefold()
        for kind in ("tools", "groups")
        for item in sample[kind]
        for example in item["examples"]
    }
    assert not examples & {case["task"].casefold() for case in cases_of(name)}


def test_back_office_has_ten_clear_and_ten_vague_tasks_in_each_language() -> None:
    counts = Counter((case["language"], case["kind"]) for case in cases_of("back-office"))
    counts.pop(("en", "exact"))
    languages = ("en", "es", "pt")
    assert counts == {(lang, kind): 10 for lang in languages for kind in ("clear", "vague")}


def test_no_intent_phrase_of_back_office_is_in_a_vague_task() -> None:
    phrases = [
        phrase for rule in load_sample("back-office")["intent_rules"] for phrase in rule["phrases"]
    ]
    for case in cases_of("back-office"):
        if case["kind"] == "vague":
            assert not [phrase for phrase in phrases if phrase in case["task"].casefold()]
