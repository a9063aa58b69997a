"""BM25 against its formula."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from routing.selection.lexical import K1, B, compile_lexicon

TEXTS = [["find", "payment"], ["find", "stock", "stock"], ["send", "mail", "to", "customer"], []]


def by_hand(task: dict[str, float], text: list[str]) -> float:
    mean = sum(map(len, TEXTS)) / len(TEXTS)
    score = 0.0
    for term, weight in task.items():
        frequency = sum(term in other for other in TEXTS)
        idf = log(1 + (len(TEXTS) - frequency + 0.5) / (frequency + 0.5))
        count = text.count(term)
        norm = K1 * (1 - B + B * len(text) / mean)
        score += weight * idf * count * (K1 + 1) / (count + norm) if count else 0.0
    return score


@pytest.mark.parametrize(
    "task", [{"find": 1.0}, {"stock": 2.0, "find": 1.0}, {"mail": 0.2, "nothing": 1.0}, {}]
)
def test_scores_are_those_of_the_formula(task: dict[str, float]) -> None:
    scores = compile_lexicon(TEXTS).scores(task)
    assert np.allclose(scores, [by_hand(task, text) for text in TEXTS], atol=1e-5)


def test_the_share_that_is_explained() -> None:
    lexicon = compile_lexicon(TEXTS)
    assert lexicon.rarity({"find": 1.0}).explained == 1
    assert lexicon.rarity({"unheard": 1.0}).explained == 0
    assert lexicon.rarity({}).explained == 0
    assert 0 < lexicon.rarity({"find": 1.0, "unheard": 1.0}).explained < 0.5
    assert lexicon.rarity({"find": 1.0, "x88231": 1.0}).explained == 1


def test_no_text_scores_more_than_the_most() -> None:
    lexicon = compile_lexicon(TEXTS)
    task = {"stock": 1.0, "find": 1.0}
    assert lexicon.scores(task).max() <= lexicon.rarity(task).most


def test_an_empty_lexicon_answers() -> None:
    assert compile_lexicon([]).scores({"a": 1.0}).shape == (0,)
    assert compile_lexicon([[], []]).scores({"a": 1.0}).tolist() == [0, 0]
