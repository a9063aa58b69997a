"""Words cut to their stems: "payments" and "payment" are one term.

Stems are those of Snowball (Porter, "Snowball: A language for stemming algorithms", 2001). Which
language's rules apply is decided once a catalog, from the stop words in its texts: a task that is
written in another language has few words in common with it, however they are cut.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import Stemmer

from routing.selection.stopwords import ENGLISH, PORTUGUESE, SPANISH
from routing.selection.text import words

_STOP_WORDS = {"english": ENGLISH, "spanish": SPANISH, "portuguese": PORTUGUESE}
LANGUAGES = frozenset(_STOP_WORDS)
_stemmers: dict[str, Any] = {name: Stemmer.Stemmer(name) for name in _STOP_WORDS}
_stemming = threading.Lock()  # one stemmer is not safe to share


def language_of(texts: Iterable[str]) -> str:
    """Return the language of some texts: the one that most of their words are stop words of.

    ``english``, ``spanish`` or ``portuguese``; English where nothing tells.
    """
    counts = dict.fromkeys(_STOP_WORDS, 0)
    for text in texts:
        for word in words(text):
            for name, stop_words in _STOP_WORDS.items():
                counts[name] += word in stop_words
    return max(counts, key=counts.__getitem__)


def stems(terms: Sequence[str], language: str) -> list[str]:
    """Return the stem of every term, in their order."""
    return [_stem(term, language) for term in terms]


@lru_cache(maxsize=65_536)
def _stem(term: str, language: str) -> str:
    with _stemming:
        stemmed: str = _stemmers[language].stemWord(term)
    return stemmed
