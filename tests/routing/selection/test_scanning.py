"""Cosines of many tools: exact where it counts, near elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

from routing.selection.arrays import FloatArray
from routing.selection.scanning import BEST_BY_WORDS, FARTHEST, MANY, NEAREST, PART, compile_tools
from routing.selection.weights import unit

WIDTH = 64


@pytest.fixture(scope="module")
def vectors() -> FloatArray:
    """Return vectors that differ more in some directions than in others, as those of texts do."""
    chance = np.random.default_rng(1)
    strength = np.exp(-np.arange(WIDTH) / 8)
    return unit((chance.standard_normal((MANY + 50, WIDTH)) * strength).astype(np.float32))


@pytest.fixture(scope="module")
def tasks(vectors: FloatArray) -> FloatArray:
    chance = np.random.default_rng(2)
    noise = chance.standard_normal((2, WIDTH)).astype(np.float32)
    return unit(vectors[:2] + np.float32(0.05) * noise)


def test_the_ends_are_exact_and_the_rest_is_near(vectors: FloatArray, tasks: FloatArray) -> None:
    found = compile_tools(vectors).cosines(tasks, np.zeros((2, len(vectors)), dtype=np.float32))
    exact = tasks @ vectors.T
    assert found.shape == exact.shape
    assert found.dtype == np.float32
    assert np.abs(found - exact).max() < 0.2
    for got, true in zip(found, exact, strict=True):
        order = np.argsort(true)
        ends = [*order[: FARTHEST // 4], *order[-NEAREST // 4 :]]
        np.testing.assert_allclose(got[ends], true[ends], atol=1e-6)
    assert np.abs(found - exact).max() > 1e-3  # or nothing was spared


def test_what_shares_words_and_the_nearest_candidates_are_exact(
    vectors: FloatArray, tasks: FloatArray
) -> None:
    chance = np.random.default_rng(3)
    words = np.zeros((2, len(vectors)), dtype=np.float32)
    said = chance.choice(len(vectors), BEST_BY_WORDS // 2, replace=False)
    words[0, said] = 1
    candidates = np.zeros(len(vectors), dtype=np.bool_)
    few = chance.choice(len(vectors), NEAREST // 4, replace=False)
    candidates[few] = True
    found = compile_tools(vectors).cosines(tasks, words, candidates)
    exact = tasks @ vectors.T
    np.testing.assert_allclose(found[:, said], exact[:, said], atol=1e-6)
    best = few[np.argsort(exact[0, few])[-20:]]
    np.testing.assert_allclose(found[0, best], exact[0, best], atol=1e-6)


def test_a_smaller_catalog_is_compared_exactly_and_no_candidate_is_no_error(
    vectors: FloatArray, tasks: FloatArray
) -> None:
    few = compile_tools(vectors[: MANY - 1])
    assert few.coarse is None
    nothing = np.zeros((2, MANY - 1), dtype=np.float32)
    np.testing.assert_allclose(
        few.cosines(tasks, nothing), tasks @ vectors[: MANY - 1].T, atol=1e-6
    )
    many = compile_tools(vectors)
    none = np.zeros(len(vectors), dtype=np.bool_)
    assert np.isfinite(many.cosines(tasks, np.zeros((2, len(vectors)), np.float32), none)).all()


def test_the_coarse_form_is_a_quarter_of_the_exact_one(vectors: FloatArray) -> None:
    tools = compile_tools(vectors)
    assert tools.coarse is not None
    assert tools.coarse.nbytes * PART == tools.exact.nbytes
    assert tools.coarse.dtype == np.float32
