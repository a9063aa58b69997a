"""A catalog's own confidence is held near the shipped one, taken where it is nearer the truth."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from routing.evaluation.confidence import calibration_error
from routing.learning import deciding
from routing.learning.calibration import Observed, fit_calibration, said
from routing.learning.held import fit_held
from routing.selection import Circumstances, ConfidenceSource, Index, Query, Strategy, select
from routing.selection.calibration import (
    SHIPPED,
    Calibration,
    NoCalibration,
    Way,
    from_bytes,
    mark_of,
    to_bytes,
)
from routing.selection.weights import Logistic
from tests.routing.learning.labelled import cases, catalog, compiled

TOOLS = 20


@pytest.fixture(scope="module")
def index() -> Index:
    return compiled(catalog(TOOLS))


def observed(count: int, *, shift: float, seed: int = 3) -> Observed:
    """Return selections whose shipped logits are too high by ``shift``."""
    chance = np.random.default_rng(seed)
    logits = chance.normal(1.0, 1.5, size=count)
    complete = chance.random(count) < 1 / (1 + np.exp(-(logits - shift)))
    return Observed(
        way=Way.GROUPS,
        names=(SHIPPED,),
        values=logits[:, None],
        shipped=1 / (1 + np.exp(-logits)),
        complete=complete,
    )


def test_many_cases_move_the_mapping_to_what_is_so_and_few_hardly(index: Index) -> None:
    seen, other = observed(2_000, shift=1.2), observed(4_000, shift=1.2, seed=4)
    fitted = fit_calibration(index, seen, seed=0).calibration

    assert fitted is not None
    before = calibration_error(other.shipped, other.complete)
    after = calibration_error(said(fitted.logistic, other.values), other.complete)
    assert before is not None
    assert after is not None
    assert after < 0.03
    assert before > 0.15

    few = fit_held(seen.values[:6], seen.complete[:6], names=(SHIPPED,), near=SHIPPED, hold=16.0)
    assert few.weights[0] == pytest.approx(1, abs=0.25)


def test_no_cases_of_a_kind_is_no_mapping(index: Index) -> None:
    right = observed(60, shift=-30)

    found = fit_calibration(index, right, seed=0)

    assert found.calibration is None
    assert "of the rarer kind" in str(found.reason)


def test_it_is_served_where_it_is_of_the_index_and_left_out_elsewhere(index: Index) -> None:
    task = cases(range(TOOLS), 1, seed=9)[0].task
    source = catalog(TOOLS)
    query = Query(task=task, strategy=Strategy.EMBEDDING)

    def confidence(calibration: Calibration) -> tuple[float, ConfidenceSource]:
        selection = select(query, compiled(source, calibration=calibration), Circumstances())
        return selection.confidence, selection.confidence_source

    always = Logistic(names=(SHIPPED,), weights=(0.0,), constant=0.0)
    mine = Calibration(
        way=Way.TOOLS,
        encoder="by-words",
        weights=mark_of(index.weights),
        logistic=always,
        cases=50,
        seed=0,
    )
    assert confidence(mine) == (0.5, ConfidenceSource.FITTED)
    assert from_bytes(to_bytes(mine)) == mine
    foreigners: tuple[dict[str, Any], ...] = (
        {"encoder": "other"},
        {"weights": "of another update"},
        {"way": Way.HIERARCHICAL},
    )
    for foreign in foreigners:
        other = Calibration(**{**_fields(mine), **foreign})
        assert confidence(other)[1] == ConfidenceSource.SHIPPED
    with pytest.raises(NoCalibration):
        from_bytes(b'{"format": 7}')


def test_a_mapping_that_is_right_already_is_left(index: Index, monkeypatch: Any) -> None:
    for shift, taken in ((0.0, False), (1.5, True)):
        both = [observed(400, shift=shift), observed(300, shift=shift, seed=5)]
        monkeypatch.setattr(deciding, "observe", lambda *_, both=both, **__: both.pop(0))

        _, part = deciding.calibrate(index, (), (), seed=0)

        assert part.taken is taken, part.reason
        assert part.cases == 700
        assert ("may be chance" in str(part.reason)) is not taken


def _fields(calibration: Calibration) -> dict[str, Any]:
    names = ("way", "encoder", "weights", "logistic", "cases", "seed")
    return {name: getattr(calibration, name) for name in names}
