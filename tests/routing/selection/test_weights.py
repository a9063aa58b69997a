"""What was fitted, as files and in memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from routing.selection import Circumstances, Query, select
from routing.selection.features import CONTEXT, FEATURES
from routing.selection.weights import (
    SHIPPED,
    Combination,
    Fitted,
    Head,
    Logistic,
    NoHead,
    Weights,
    read_fitted,
    unit,
    write_fitted,
)
from tests.routing.selection.documents import names, office
from tests.routing.selection.hashing import hashed


def made(name: str) -> Weights:
    chance = np.random.default_rng(3)
    return Weights(
        name=name,
        combination=Combination(
            features=chance.normal(size=len(FEATURES)).round(3).astype(np.float32),
            by_size=chance.normal(size=len(FEATURES)).round(3).astype(np.float32),
            context=chance.normal(size=len(CONTEXT)).round(3).astype(np.float32),
            constant=0.25,
        ),
        needed=Logistic(names=("a", "b"), weights=(0.5, -1.25), constant=0.125),
        confidence=Logistic(names=("c",), weights=(2.0,), constant=-1.0),
    )


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    head = Head(
        task=np.eye(4, dtype=np.float32) * np.float32(0.5), tool=np.eye(4, dtype=np.float32)
    )
    kinds = ("words", "usem3")
    fitted = Fitted(weights={kind: made(kind) for kind in kinds}, heads={"usem3": head})
    write_fitted(fitted, tmp_path / "new" / "folder")
    read = read_fitted(tmp_path / "new" / "folder")
    assert set(read.weights) == set(kinds)
    for kind in kinds:
        one, other = read.weights[kind], fitted.weights[kind]
        assert one.name == kind
        assert np.allclose(one.combination.features, other.combination.features, atol=1e-4)
        assert np.allclose(one.combination.by_size, other.combination.by_size, atol=1e-4)
        assert np.allclose(one.combination.context, other.combination.context, atol=1e-4)
        assert one.combination.constant == other.combination.constant
        assert (one.needed, one.confidence) == (other.needed, other.confidence)
    found = read.heads["usem3"]
    assert isinstance(found, Head)
    assert np.array_equal(found.task, head.task)
    assert np.array_equal(found.tool, head.tool)
    assert found.task.dtype == np.float32


def test_what_ships_survives_being_written_again(tmp_path: Path) -> None:
    write_fitted(read_fitted(), tmp_path)
    assert (tmp_path / "weights.json").read_text() == (SHIPPED / "weights.json").read_text()
    shipped, again = read_fitted().heads["usem3"], read_fitted(tmp_path).heads["usem3"]
    assert np.array_equal(shipped.task, again.task)
    assert np.array_equal(shipped.tool, again.tool)


def test_every_kind_of_evidence_has_its_weights() -> None:
    fitted = read_fitted()
    assert fitted.weights_for([]).name == "words"
    assert fitted.weights_for(["usem3"]).name == "usem3"
    assert fitted.weights_for(["usem3", "wordllama"]).name == "usem3+wordllama"


def test_an_encoder_that_nothing_was_fitted_to_is_read_as_it_is() -> None:
    fitted = read_fitted()
    assert fitted.weights_for(["strange"]).name == "usem3"
    head = fitted.head_for("strange")
    assert isinstance(head, NoHead)
    vectors = np.array([[3.0, 4.0], [0.0, 0.0]], dtype=np.float32)
    assert head.tasks(vectors).tolist() == pytest.approx(np.array([[0.6, 0.8], [0, 0]]))
    assert np.array_equal(head.tasks(vectors), head.tools(vectors))
    assert isinstance(fitted.head_for("usem3"), Head)


def test_a_catalog_of_such_an_encoder_is_selected_from() -> None:
    index = hashed(office())
    assert index.vectors is not None
    assert isinstance(index.vectors.head, NoHead)
    selection = select(Query(task="settle the bill"), index, Circumstances())
    assert "settle_bill" in names(index, selection)


def test_unit_leaves_rows_of_zeros() -> None:
    rows = unit(np.array([[0, 2], [0, 0]], dtype=np.float32))
    assert rows.tolist() == [[0, 1], [0, 0]]


@pytest.mark.parametrize("constant", [-1000.0, 0.0, 1000.0])
def test_a_mapping_gives_probabilities_one_by_one_and_in_rows(constant: float) -> None:
    mapping = Logistic(names=("a", "b"), weights=(1.0, -2.0), constant=constant)
    rows = np.array([[0.5, 0.25], [2.0, 1.5]], dtype=np.float32)
    in_rows = mapping.probabilities(rows)
    alone = [mapping.probability(dict(zip("ab", row, strict=True))) for row in rows.tolist()]
    assert in_rows.tolist() == pytest.approx(alone, abs=1e-6)
    assert ((in_rows >= 0) & (in_rows <= 1)).all()
