"""How sure a selection is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routing.selection.confidence import MOST_CERTAIN, VALUES, confidence_of, describe
from routing.selection.cut import Kept, keep, needed_values
from routing.selection.features import CONTEXT
from routing.selection.reading import Beliefs
from routing.selection.weights import Logistic, Weights, read_fitted

KINDS = sorted(read_fitted().weights)


def beliefs(shares: list[float]) -> Beliefs:
    """Return beliefs in tools of no group that leave the rest on nothing."""
    size = len(shares)
    return Beliefs(
        places=np.arange(size),
        homes=np.full(size, -1, dtype=np.intp),
        shares=np.array(shares, dtype=np.float32),
        nothing=max(1 - sum(shares), 0.0),
        against=np.array(shares, dtype=np.float32),
        context=np.full(len(CONTEXT), 0.5, dtype=np.float32),
    )


def sure(weights: Weights, shares: list[float], cap: int = 7) -> float:
    believed = beliefs(shares)
    needed = weights.needed.probabilities(needed_values(believed))
    return confidence_of(believed, keep(believed, needed, cap=cap), weights=weights)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=60, deadline=None)
@given(parts=st.lists(st.floats(0, 1), min_size=1, max_size=40), cap=st.integers(1, 9))
def test_it_is_a_probability_and_never_certain(kind: str, parts: list[float], cap: int) -> None:
    shares = sorted((part / (sum(parts) + 0.01) for part in parts), reverse=True)
    assert 0 <= sure(read_fitted().weights[kind], shares, cap) <= MOST_CERTAIN == 0.99


@pytest.mark.parametrize("kind", KINDS)
def test_what_stands_out_is_surer_than_what_does_not(kind: str) -> None:
    weights = read_fitted().weights[kind]
    assert sure(weights, [0.97, 0.01, 0.01]) > sure(weights, [0.05] * 10)


def test_however_sure_the_mapping_is_the_most_is_99_in_a_hundred() -> None:
    certain = Logistic(names=("kept",), weights=(0.0,), constant=50.0)
    shipped = read_fitted().weights["words"]
    weights = Weights(
        name="sure",
        combination=shipped.combination,
        needed=shipped.needed,
        confidence=certain,
    )
    assert sure(weights, [0.9]) == MOST_CERTAIN


def test_nothing_kept_is_nothing_sure() -> None:
    nothing = Kept(numbers=(), needed=np.array([0.5], dtype=np.float32), cut=False)
    weights = read_fitted().weights["words"]
    assert confidence_of(beliefs([0.5]), nothing, weights=weights) == 0


def test_a_description_has_every_value_that_is_fitted_and_says_what_it_should() -> None:
    kept = Kept(numbers=(0, 1), needed=np.array([0.9, 0.5, 0.2], dtype=np.float32), cut=True)
    values = describe(beliefs([0.5, 0.25, 0.125]), kept)
    assert set(VALUES) <= set(values)
    assert values["best"] == pytest.approx(0, abs=1e-5)
    assert values["kept"] == pytest.approx(np.log(3), abs=1e-4)
    assert values["margin"] == pytest.approx(0.25)
    assert values["count"] == pytest.approx(np.log(2))
    assert values["cut"] == 1
    assert values["needed"] == pytest.approx(np.log(1.4 + 1e-3), abs=1e-4)
    assert values["missed"] == pytest.approx(np.log(0.2 + 1e-3), abs=1e-4)
    assert 0 < values["entropy"] < 1
