"""Folding, bounding and splitting."""

from __future__ import annotations

import time

import pytest

from routing.selection import text


@pytest.mark.parametrize(
    ("written", "terms"),
    [
        ("find_payment", ["find", "payment"]),
        ("findPayment HTTPServer", ["find", "payment", "http", "server"]),
        ("Conciliação do EXTRATO", ["conciliacao", "extrato"]),
        ("the order of the customer", ["order", "customer"]),
        ("¿Dónde está mi pedido?", ["pedido"]),
        ("检索合同", ["检", "索", "合", "同", "检索", "索合", "合同"]),
        ("注文DB", ["注", "文", "注文", "db"]),
        ("", []),
        ("🙂 — …", []),
    ],
)
def test_terms(written: str, terms: list[str]) -> None:
    assert text.terms(written) == terms


@pytest.mark.parametrize(
    "code",
    ["88231", "INV-2024-17", "AX93", "order-88231", "12,50", "2026-11-30", "PED/2024/0031", "35%"],
)
def test_numbers_and_codes_are_no_terms(code: str) -> None:
    assert text.terms(f"settle {code} today") == ["settle", "today"]


@pytest.mark.parametrize("word", ["s3", "mp3", "oauth2", "covid"])
def test_words_with_a_digit_are_terms(word: str) -> None:
    assert word in text.terms(f"settle {word} today")


def test_folding_keeps_letters_and_drops_marks() -> None:
    assert text.fold("Útil ÑANDÚ Straße") == "util nandu strasse"
    assert text.strip_accents("가é") == "가e"


def test_words_are_matched_whole() -> None:
    words = text.as_words("Busca la CLÁUSULA-5 del contrato")
    assert text.as_words("clausula") in words
    assert text.as_words("contra") not in words


def test_unspaced_scripts_are_matched_by_character() -> None:
    assert text.as_words("合同") in text.as_words("请检索合同内容")


def test_a_long_text_is_cut_to_its_head_and_tail() -> None:
    assert text.bounded("a" * 10 + "b" * 100 + "c" * 10, head=10, tail=10) == "a" * 10 + " " + (
        "c" * 10
    )
    assert text.bounded("short", head=10, tail=10) == "short"


@pytest.mark.parametrize("unit", ["A-", "1-", "a_", "A1", "aA", "付", "9.", "é "])
def test_no_text_takes_more_than_linear_time(unit: str) -> None:
    written = unit * 100_000
    started = time.process_time()
    text.terms(written)
    text.as_words(written)
    assert time.process_time() - started < 3
