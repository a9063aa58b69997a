"""How much of a tool's name a task says: by its words, and by their letters.

Names are short and chosen with care. Letters find "refunds" in ``refundOrder`` and the parts of
names that are written in one piece, where words do not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import log

from routing.selection.stemming import stems
from routing.selection.text import terms

_LENGTH = 3


@dataclass(frozen=True, slots=True)
class Name:
    """A tool's name: each stem with its share of the name's rarity, and its runs of letters."""

    stems: Mapping[str, float]
    runs: frozenset[str]

    def said_in(self, task: Said) -> tuple[float, float]:
        """Return the shares, 0..1, of the name's rarity and of its runs that a task has."""
        known = sum(share for stem, share in self.stems.items() if stem in task.stems)
        return known, len(self.runs & task.runs) / (len(self.runs) or 1)


@dataclass(frozen=True, slots=True)
class Said:
    """The stems and the runs of letters of a task."""

    stems: Collection[str]
    runs: frozenset[str]


def said(words: Sequence[str], stemmed: Collection[str]) -> Said:
    """Return what a task says, given as words and as their stems."""
    return Said(stems=stemmed, runs=_runs(words))


def compile_names(names: Sequence[str], language: str) -> tuple[Name, ...]:
    """Return the names of a catalog's tools; a word counts by its rarity among them."""
    split = [terms(name) or [name.casefold()] for name in names]
    stemmed = [dict.fromkeys(stems(words, language)) for words in split]
    frequency = Counter(stem for listed in stemmed for stem in listed)
    size = len(names)
    idf = {stem: log(1 + (size - n + 0.5) / (n + 0.5)) for stem, n in frequency.items()}
    compiled: list[Name] = []
    for words, listed in zip(split, stemmed, strict=True):
        total = sum(idf[stem] for stem in listed) or 1.0
        shares = {stem: idf[stem] / total for stem in listed}
        compiled.append(Name(stems=shares, runs=_runs(words)))
    return tuple(compiled)


def _runs(words: Sequence[str]) -> frozenset[str]:
    """Return all runs of three letters of some words, their edges marked."""
    marked = (f"^{word}$" for word in words)
    return frozenset(
        word[start : start + _LENGTH] for word in marked for start in range(len(word) - _LENGTH + 1)
    )
