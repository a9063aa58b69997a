"""The steps of a fit: the head, the combination, the logistic mapping."""

from __future__ import annotations

import numpy as np
import pytest

from routing.learning.shipped import combination, head
from routing.learning.shipped.combination import Seen, fit_combination
from routing.learning.shipped.head import Pairs, fit_head
from routing.learning.shipped.logistic import fit_logistic
from routing.selection.features import CONTEXT, FEATURES
from routing.selection.weights import Head, unit


def pairs(family: str, *, seed: int) -> Pairs:
    """Return tasks that each are near to the tool next to the one that they need."""
    chance = np.random.default_rng(seed)
    tools = unit(chance.normal(size=(6, 12)).astype(np.float32))
    needs = [[place % 6] for place in range(60)]
    tasks = unit(
        np.stack([tools[(need[0] + 1) % 6] for need in needs])
        + chance.normal(0, 0.05, (60, 12)).astype(np.float32)
    )
    return Pairs(family=family, tasks=tasks, tools=tools, needs=needs, equals=[[]] * 60, weight=1.0)


def right(found: Head, known: Pairs) -> float:
    nearest = (found.tasks(known.tasks) @ found.tools(known.tools).T).argmax(axis=1)
    return float(
        np.mean([near == need[0] for near, need in zip(nearest, known.needs, strict=True)])
    )


def test_a_head_brings_tasks_to_the_tools_that_they_need(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(head, "RATE", 1e-2)
    monkeypatch.setattr(head, "STEPS", 300)
    known = pairs("one", seed=1)
    identity = Head(task=np.eye(12, dtype=np.float32), tool=np.eye(12, dtype=np.float32))
    found = fit_head([known], seed=0)
    assert right(identity, known) < 0.1
    assert right(found, known) > 0.9
    again = fit_head([known], seed=0)
    assert np.array_equal(found.task, again.task)
    assert not np.array_equal(found.task, fit_head([known], seed=1).task)


def test_what_would_do_as_well_is_no_negative(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(head, "STEPS", 1)
    known = pairs("one", seed=1)
    others = [[other for other in range(6) if other != need[0]] for need in known.needs]
    alike = Pairs(
        family="one",
        tasks=known.tasks,
        tools=known.tools,
        needs=known.needs,
        equals=others,
        weight=1.0,
    )
    # With nothing to be told from, there is nothing to learn.
    assert np.allclose(fit_head([alike], seed=0).task, np.eye(12))


def seen(*, seed: int) -> Seen:
    """Return tasks in which the tool of the highest ``semantic`` is needed, or none at all."""
    chance = np.random.default_rng(seed)
    features = chance.normal(size=(200, 5, len(FEATURES))).astype(np.float32)
    context = np.zeros((200, len(CONTEXT)), dtype=np.float32)
    wanted = np.zeros((200, 6), dtype=np.float32)
    column, vague = FEATURES.index("semantic"), CONTEXT.index("vague")
    for row in range(200):
        if row % 4 == 0:
            context[row, vague] = 1
            wanted[row, -1] = 1
        else:
            wanted[row, features[row, :, column].argmax()] = 1
    there = np.ones((200, 5), dtype=np.bool_)
    return Seen(features=features, there=there, wanted=wanted, context=context, weight=1.0)


def test_a_combination_finds_the_feature_that_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(combination, "STEPS", 600)
    unused = ("lexical", *combination.SET)
    found = fit_combination([seen(seed=2)], unused=unused, seed=0)
    weights = dict(zip(FEATURES, found.features.tolist(), strict=True))
    assert max(weights, key=lambda name: abs(weights[name])) == "semantic"
    assert weights["semantic"] > 0
    assert weights["lexical"] == 0
    # "Nothing" is believed where the context says so.
    assert found.context[CONTEXT.index("vague")] > 1
    again = fit_combination([seen(seed=2)], unused=unused, seed=0)
    assert np.array_equal(found.features, again.features)
    assert found.constant == again.constant


def test_a_weight_that_is_set_is_not_fitted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(combination, "STEPS", 5)
    monkeypatch.setattr(combination, "SET", {"group": 4.0})
    found = fit_combination([seen(seed=2)], unused=(), seed=0)
    assert found.features[FEATURES.index("group")] == 4
    without = fit_combination([seen(seed=2)], unused=("group",), seed=0)
    assert without.features[FEATURES.index("group")] == 0


def test_a_logistic_mapping_is_found_again() -> None:
    chance = np.random.default_rng(0)
    rows = chance.normal(size=(4_000, 2))
    chances = 1 / (1 + np.exp(-(1.5 * rows[:, 0] - 0.5 * rows[:, 1] + 0.25)))
    wanted = chance.random(4_000) < chances
    found = fit_logistic(rows.tolist(), wanted.tolist(), [1.0] * 4_000, names=("a", "b"), hold=1.0)
    assert found.names == ("a", "b")
    assert found.weights == pytest.approx((1.5, -0.5), abs=0.15)
    assert found.constant == pytest.approx(0.25, abs=0.1)
    held = fit_logistic(rows.tolist(), wanted.tolist(), [1.0] * 4_000, names=("a", "b"), hold=1e6)
    assert np.abs(held.weights).max() < 0.01


def test_rows_that_count_more_weigh_more() -> None:
    rows, wanted = [[0.0], [0.0]], [True, False]
    found = fit_logistic(rows, wanted, [3.0, 1.0], names=("a",), hold=1.0)
    assert found.probability({"a": 0.0}) == pytest.approx(0.75, abs=1e-3)
