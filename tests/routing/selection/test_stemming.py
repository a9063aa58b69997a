"""Stems, and which language's rules cut to them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from routing.selection import stemming
from routing.selection.stemming import language_of, stems


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Find the payment of an order and tell whether it is settled.", "english"),
        ("Busca el pago de un pedido y di si está cobrado con los demás.", "spanish"),
        ("Procura o pagamento de uma encomenda e diz se não foi pago.", "portuguese"),
    ],
)
def test_stop_words_tell_the_language(text: str, language: str) -> None:
    assert language_of([text]) == language


def test_most_of_the_texts_decide_and_nothing_means_english() -> None:
    spanish = "Busca el pago de los pedidos con la factura."
    assert language_of([spanish, spanish, "Find the payment."]) == "spanish"
    assert language_of([]) == "english"
    assert language_of(["88231", "付款"]) == "english"


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("english", "payments", "payment"),
        ("english", "reserving", "reserved"),
        ("spanish", "facturas", "factura"),
        ("portuguese", "pagamentos", "pagamento"),
    ],
)
def test_forms_of_a_word_share_a_stem(language: str, one: str, other: str) -> None:
    assert stems([one], language) == stems([other], language)


def test_stems_keep_order_and_repeats() -> None:
    found = stems(["orders", "bill", "order"], "english")
    assert found == ["order", "bill", "order"]
    assert stems([], "english") == []


def test_threads_get_the_same_stems() -> None:
    terms = [f"{word}{ending}" for word in ("settl", "reserv", "invoic") for ending in ("e", "ing")]
    terms += [f"word{letter}s" for letter in "abcdefghijklmnopqrstuvwxyz"]
    alone = stems(terms, "english")
    stemming._stem.cache_clear()
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda _: stems(terms * 20, "english"), range(32)))
    assert all(one == alone * 20 for one in found)
