"""A search finds words whatever their case and accents."""

import pytest

from catalog.folding import fold, folded_words


@pytest.mark.parametrize("typed", ["devolucion", "DEVOLUCIÓN", "devolucio\u0301n", "Devolución"])
def test_case_and_accents_are_equal(typed: str) -> None:
    assert fold(typed) == "devolucion"


def test_a_query_is_cut_into_words_up_to_a_limit() -> None:
    assert folded_words("  Conciliar\0el   PAGO ") == ["conciliar", "el", "pago"]
    assert folded_words("a b c", limit=2) == ["a", "b"]
    assert folded_words(" ") == []
