"""The close look at a task's candidates."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from routing.selection import Index
from routing.selection.evidence import gather
from routing.selection.features import CANDIDATES, CONTEXT, FEATURES, Close, look_closely
from tests.routing.selection.documents import document, lexical, office, tool
from tests.routing.selection.hashing import hashed

TASK = "settle the bill of the payment"


def look(
    index: Index, task: str = TASK, *, without: tuple[str, ...] = (), groups: bool = True
) -> Close:
    candidates = index.enabled & index.selectable
    candidates = candidates.copy()
    candidates[[index.position[name] for name in without]] = False
    evidence = gather(index, task, (), (), candidates=candidates)
    mask = np.full(len(index.group_names), groups, dtype=np.bool_)
    return look_closely(index, evidence, candidates=candidates, groups=mask)


def column(close: Close, name: str) -> list[float]:
    found: list[float] = close.features[:, FEATURES.index(name)].tolist()
    return found


def many(count: int, **more: Any) -> dict[str, Any]:
    return document(
        tools=[tool(f"t{n}", description=f"order a pizza word{n}") for n in range(count)], **more
    )


def test_shapes_are_those_of_the_names() -> None:
    close = look(hashed(office()))
    assert close.places.shape == close.homes.shape == (5,)
    assert close.features.shape == (5, len(FEATURES))
    assert close.context.shape == (len(CONTEXT),)
    assert close.features.dtype == close.context.dtype == np.float32
    assert np.isfinite(close.features).all()
    assert np.isfinite(close.context).all()


def test_no_more_than_a_bounded_number_is_looked_at_the_best_first() -> None:
    index = lexical(many(CANDIDATES * 2))
    close = look(index, f"order a pizza word{CANDIDATES}")
    assert len(close.places) == CANDIDATES
    assert index.tools[close.places[0]] == f"t{CANDIDATES}"
    assert column(close, "rough") == sorted(column(close, "rough"), reverse=True)


def test_values_are_relative_to_the_best_tool() -> None:
    close = look(hashed(office()))
    assert max(column(close, "lexical")) == 1
    assert min(column(close, "lexical")) >= 0
    for gap in ("semantic_gap", "semantic_clause", "group_gap"):
        assert max(column(close, gap)) == pytest.approx(0, abs=1e-6)
    assert sorted(column(close, "lexical_rank"), reverse=True) == pytest.approx(
        [1 / place for place in range(1, 6)]
    )


def test_without_an_encoder_all_of_meaning_is_zero() -> None:
    close = look(lexical(office()))
    for name in ("semantic", "semantic_gap", "second", "group", "example"):
        assert not any(column(close, name))
    assert close.context[CONTEXT.index("semantic_best")] == 0
    assert any(column(close, "lexical"))


def test_one_candidate_is_the_best_one() -> None:
    close = look(hashed(document(tools=[tool("settle_bill", description="Settle a bill.")])))
    assert close.places.tolist() == [0]
    assert column(close, "lexical") == column(close, "lexical_rank") == [1]
    assert column(close, "semantic_gap") == [0]
    assert close.homes.tolist() == [-1]


def test_no_candidate_gives_no_rows() -> None:
    close = look(hashed(office()), without=tuple(item["name"] for item in office()["tools"]))
    assert close.features.shape == (0, len(FEATURES))
    assert np.isfinite(close.context).all()


def test_a_tool_that_is_no_candidate_has_no_part_in_it() -> None:
    index = hashed(office())
    close = look(index, without=("settle_bill",))
    assert index.position["settle_bill"] not in close.places
    assert max(column(close, "lexical")) == 1


def test_a_tool_counts_for_a_group_that_may_be_opened_or_for_none() -> None:
    index = hashed(office())
    homes = dict(zip((index.tools[p] for p in look(index).places), look(index).homes, strict=True))
    assert index.group_names[homes["settle_bill"]] == "billing"
    assert index.group_names[homes["check_stock"]] == "stock"
    assert homes["convert_currency"] == -1
    closed = look(index, groups=False)
    assert set(closed.homes.tolist()) == {-1}
    assert not any(column(closed, "group"))
    assert closed.context[CONTEXT.index("grouped")] == 0
    assert set(look(hashed(many(3))).homes.tolist()) == {-1}
