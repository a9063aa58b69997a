"""How much of a tool's name a task says."""

from __future__ import annotations

import numpy as np
import pytest

from routing.selection.naming import compile_names, said
from routing.selection.stemming import stems
from routing.selection.text import terms


def shares(names: list[str], task: str) -> list[tuple[float, float]]:
    """Return of every name the shares of words and of letters that a task says."""
    found = terms(task)
    read = said(found, frozenset(stems(found, "english")))
    compiled = compile_names(names, "english")
    words, letters = compiled.said_in(read, np.arange(len(names)))
    return list(zip(words.tolist(), letters.tolist(), strict=True))


def test_a_name_that_is_said_whole_is_said_to_one() -> None:
    ((words, letters),) = shares(["find_payment"], "Find the payments of order 88231")
    assert words == pytest.approx(1)
    assert 0.8 < letters < 1  # "payments" ends otherwise than "payment"
    assert shares(["find_payment"], "water a tree")[0] == (0, 0)


def test_a_rare_word_of_a_name_counts_more_than_a_common_one() -> None:
    names = ["find_payment", "find_order", "find_stock", "find_invoice"]
    common = shares(names, "find something")[0][0]
    rare = shares(names, "the payment")[0][0]
    assert 0 < common < rare < 1
    assert common + rare == pytest.approx(1)


def test_letters_find_what_words_do_not() -> None:
    words, letters = shares(["refundorder"], "a refund of the order")[0]
    assert words == 0
    assert letters > 0.5


def test_camel_case_is_split() -> None:
    assert shares(["refundOrder"], "refund the order")[0][0] == pytest.approx(1)


@pytest.mark.parametrize("name", ["the", "x", "123", "___", "付款"])
def test_odd_names_give_shares_all_the_same(name: str) -> None:
    for part in shares([name, "find_payment"], "pay 付款 the x 123")[0]:
        assert 0 <= part <= 1


def test_an_empty_catalog_has_no_names() -> None:
    assert shares([], "find a payment") == []
