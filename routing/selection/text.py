"""Text as a selection reads it: folded, cut to a bounded length, split into terms.

Folding makes "Útil" and "util" equal: casefolded, and without the combining marks of Latin, Greek
and Cyrillic letters. Terms are what BM25 counts: words of split identifiers (``find_payment``,
``findPayment``), single characters and bigrams where a script writes no spaces, no stop words, and
no numbers or codes: "order 88231" says nothing about the tool that it needs.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from routing.selection.stopwords import STOP_WORDS

HEAD = 6_000
"""Characters that BM25 reads from the beginning of a long text."""
TAIL = 2_000
"""Characters that it reads from the end of one."""

_MARKS = re.compile("[\u0300-\u036f]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD = re.compile(r"[^\W_]+")
_UNSPACED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_UNSPACED_RUN = re.compile(f"[{_UNSPACED}]+")
_UNSPACED_OR_OTHER = re.compile(f"[{_UNSPACED}]+|[^{_UNSPACED}]+")
_DIGIT = re.compile(r"\d")
_CODE = re.compile(
    r"(?<!\w)(?:"
    r"\d[\d.,:/-]*%?(?!\w)"  # numbers, amounts, dates, times, shares
    r"|(?:[A-Z]{1,5}[-/_#.]?){1,2}\d{2,}[A-Z0-9./_-]*"  # INV-2024-17, AX93; but not S3
    r"|[a-z]{1,5}[-#_]\d{3,}[\w-]*"  # order-88231; but not covid-19
    r")"
)


def strip_accents(text: str) -> str:
    """Return the text without combining marks, its letters otherwise as they were."""
    if text.isascii():
        return text
    bare = _MARKS.sub("", unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFC", bare)


def fold(text: str) -> str:
    """Return the text casefolded and without accents."""
    return strip_accents(text.casefold())


def without_codes(text: str) -> str:
    """Return the text with numbers, dates and codes left out."""
    return _CODE.sub(" ", text) if _DIGIT.search(text) else text


def without_digits(text: str) -> str:
    """Return the text with every digit made 0: a code stays a code, but no particular one."""
    return _DIGIT.sub("0", text)


def bounded(text: str, *, head: int = HEAD, tail: int = TAIL) -> str:
    """Return the text, or its first ``head`` and last ``tail`` characters if it is longer."""
    if len(text) <= head + tail:
        return text
    return f"{text[:head]} {text[-tail:]}" if tail else text[:head]


def terms(text: str) -> list[str]:
    """Return the terms of a text in their order, repeats included."""
    found: list[str] = []
    for word in _WORD.findall(fold(_CAMEL.sub(" ", without_codes(text)))):
        if not word.isascii() and _UNSPACED_RUN.search(word):
            found.extend(_unspaced_terms(word))
        elif word not in STOP_WORDS and not word.isdecimal():
            found.append(word)
    return found


def words(text: str) -> list[str]:
    """Return the folded words of a text in their order."""
    return _WORD.findall(fold(text))


def spelled(name: str) -> str:
    """Return an identifier as words: ``find_payment`` and ``findPayment`` give "find payment"."""
    return " ".join(_WORD.findall(_CAMEL.sub(" ", name))).lower()


def as_words(text: str) -> str:
    """Return the folded words of a text with one space around each, for whole-word matches.

    Characters of scripts without spaces are words of their own.
    """
    folded = fold(text)
    if not folded.isascii():
        folded = _UNSPACED_RUN.sub(lambda run: f" {' '.join(run.group())} ", folded)
    return f" {' '.join(_WORD.findall(folded))} "


def whole(task: str, history: Sequence[str]) -> str:
    """Return history and task as one text, oldest first."""
    return "\n".join((*history, task))


def _unspaced_terms(word: str) -> list[str]:
    found: list[str] = []
    for part in _UNSPACED_OR_OTHER.findall(word):
        if _UNSPACED_RUN.match(part):
            found.extend(part)
            found.extend(part[i : i + 2] for i in range(len(part) - 1))
        elif part not in STOP_WORDS:
            found.append(part)
    return found
