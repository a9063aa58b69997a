"""The golden cases of tests/cases, written before the code was tuned."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from routing.selection import (
    Channel,
    Circumstances,
    Index,
    ModelAnswer,
    Query,
    Selection,
    Strategy,
    select,
)

CASES = [
    case
    for path in sorted((Path(__file__).parents[2] / "cases").glob("*.json"))
    for case in json.loads(path.read_text())
]
EXACT = [case for case in CASES if case["kind"] == "exact"]
LANGUAGES = ("en", "es", "pt")


def query(case: dict[str, Any]) -> Query:
    channel = case.get("channel")
    strategy = case.get("strategy")
    return Query(
        task=case["task"],
        history=tuple(text_of(item) for item in case.get("history") or ()),
        phase=case.get("phase"),
        channel=Channel(**channel) if channel else None,
        route=case.get("route"),
        strategy=Strategy(strategy) if strategy else None,
    )


def text_of(item: str | dict[str, Any]) -> str:
    if isinstance(item, str):
        return item
    content = item["content"] or ""
    if isinstance(content, str):
        return content
    return " ".join(part["text"] for part in content if "text" in part)


def answer(case: dict[str, Any], samples: dict[str, Index]) -> Selection:
    said = case.get("model_answer")
    model_answer = ModelAnswer.from_record(said) if said else None
    circumstances = Circumstances(model_answer=model_answer, came_from=case.get("came_from"))
    return select(query(case), samples[case["catalog"]], circumstances)


@pytest.mark.parametrize("case", EXACT, ids=[f"{case['catalog']}-{case['name']}" for case in EXACT])
def test_an_exact_case_holds(case: dict[str, Any], samples: dict[str, Index]) -> None:
    selection = answer(case, samples)
    index = samples[case["catalog"]]
    served = {index.tools[tool] for tool in selection.tools}
    if "expected_groups" in case:
        assert list(selection.groups) == case["expected_groups"]
    if "decided_by" in case:
        assert selection.decided_by.value == case["decided_by"]
    assert set(case.get("expected_tools", ())) <= served
    assert not set(case.get("not_expected", ())) & served
    selected = set(selection.tools) - set(index.always_on)
    assert selection.strategy is Strategy.ALL or len(selected) <= selection.max_tools


def test_every_strategy_has_a_case() -> None:
    """Those that name none go by their catalog's own, which is ``auto``."""
    asked = {case["strategy"] for case in EXACT if case.get("strategy")}
    assert asked | {Strategy.AUTO} == set(Strategy)


@pytest.mark.parametrize("language", LANGUAGES)
def test_clear_tasks_open_the_right_group(
    language: str, samples: dict[str, Index], capsys: pytest.CaptureFixture[str]
) -> None:
    cases = [case for case in CASES if (case["language"], case["kind"]) == (language, "clear")]
    chosen = [case for case in cases if case["catalog"] == "back-office"]
    right = [
        case for case in chosen if set(case["expected_groups"]) <= set(answer(case, samples).groups)
    ]
    alone = [
        case for case in right if list(answer(case, samples).groups) == case["expected_groups"]
    ]
    with capsys.disabled():
        share = f"{len(right)} of {len(chosen)} clear tasks open their group"
        print(f"\n{language}: {share}, {len(alone)} no other")
    assert len(chosen) >= 10
    assert len(right) >= 0.9 * len(chosen)


@pytest.mark.parametrize("language", LANGUAGES)
def test_vague_tasks_get_the_default_tools(
    language: str, samples: dict[str, Index], capsys: pytest.CaptureFixture[str]
) -> None:
    cases = [case for case in CASES if (case["language"], case["kind"]) == (language, "vague")]
    chosen = [case for case in cases if case["catalog"] == "back-office"]
    held = [case for case in chosen if holds_back(answer(case, samples), samples["back-office"])]
    with capsys.disabled():
        print(f"\n{language}: {len(held)} of {len(chosen)} vague tasks get the default tools")
    assert len(chosen) >= 10
    assert len(held) >= 0.7 * len(chosen)


def test_tasks_in_spanish_open_the_groups_of_a_catalog_described_in_spanish(
    samples: dict[str, Index],
) -> None:
    chosen = [case for case in CASES if (case["catalog"], case["kind"]) == ("contratos", "clear")]
    right = [
        case for case in chosen if set(case["expected_groups"]) <= set(answer(case, samples).groups)
    ]
    assert len(right) >= 0.9 * len(chosen) > 0


def holds_back(selection: Selection, index: Index) -> bool:
    fell_back = selection.fallback is not None and selection.fallback.value in (
        "low_confidence",
        "no_match",
    )
    return fell_back and all(index.reads[tool] for tool in selection.tools)
