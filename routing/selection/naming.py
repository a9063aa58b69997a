"""How much of a tool's name a task says: by its words, and by their letters.

Names are short and chosen with care. Letters find "refunds" in ``refundOrder`` and the parts of
names that are written in one piece, where words do not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from math import log

import numpy as np
import numpy.typing as npt

from routing.selection.arrays import BoolArray, IntArray
from routing.selection.stemming import stems
from routing.selection.text import terms

_LENGTH = 3
_LONG = 32  # letters; the runs of longer words are not remembered, lest they fill the memory


@dataclass(frozen=True, slots=True)
class Said:
    """The stems and the runs of letters of a task."""

    stems: Collection[str]
    runs: frozenset[str]


def said(words: Sequence[str], stemmed: Collection[str]) -> Said:
    """Return what a task says, given as words and as their stems."""
    return Said(stems=stemmed, runs=_runs(words))


@dataclass(frozen=True, slots=True)
class Names:
    """The names of a catalog's tools, as numbers of stems and of runs of letters.

    ``stems``, shape ``(tools, most stems of a name)``, and ``runs``, likewise, are filled up with a
    number that is no stem's, no run's. ``shares``, shape of ``stems``, are each stem's part of the
    name's rarity; ``lengths``, shape ``(tools,)``, count the runs of a name, 1 for one of none.
    """

    stem_numbers: Mapping[str, int]
    run_numbers: Mapping[str, int]
    stems: IntArray
    shares: npt.NDArray[np.float64]
    runs: IntArray
    lengths: IntArray

    def said_in(self, task: Said, places: IntArray) -> npt.NDArray[np.float64]:
        """Return the shares, 0..1, of rarity and of runs that a task has of each tool's name.

        ``places`` are positions, shape ``(k,)``; the shares have shape ``(2, k)``.
        """
        stems = _among(self.stem_numbers, task.stems)[self.stems[places]]
        runs = _among(self.run_numbers, task.runs)[self.runs[places]]
        known = (self.shares[places] * stems).sum(axis=1)
        return np.array([known, runs.sum(axis=1) / self.lengths[places]])


def compile_names(names: Sequence[str], language: str) -> Names:
    """Return the names of a catalog's tools; a word counts by its rarity among them."""
    split = [terms(name) or [name.casefold()] for name in names]
    stemmed = [dict.fromkeys(stems(words, language)) for words in split]
    frequency = Counter(stem for listed in stemmed for stem in listed)
    size = len(names)
    idf = {stem: log(1 + (size - n + 0.5) / (n + 0.5)) for stem, n in frequency.items()}
    runs = [sorted(_runs(words)) for words in split]
    stem_numbers = {stem: number for number, stem in enumerate(frequency)}
    run_numbers = {run: number for number, run in enumerate(dict.fromkeys(chain(*runs)))}
    totals = [sum(idf[stem] for stem in listed) or 1.0 for listed in stemmed]
    shares = [
        [idf[stem] / total for stem in listed]
        for listed, total in zip(stemmed, totals, strict=True)
    ]
    return Names(
        stem_numbers=stem_numbers,
        run_numbers=run_numbers,
        stems=_filled_up(
            [[stem_numbers[stem] for stem in listed] for listed in stemmed], len(stem_numbers)
        ).astype(np.intp),
        shares=_filled_up(shares, 0.0),
        runs=_filled_up(
            [[run_numbers[run] for run in listed] for listed in runs], len(run_numbers)
        ).astype(np.intp),
        lengths=np.array([len(listed) or 1 for listed in runs], dtype=np.intp),
    )


def _among(numbers: Mapping[str, int], said: Collection[str]) -> BoolArray:
    """Return a mask of the numbers whose text is said, and of the one that fills up: never."""
    mask = np.zeros(len(numbers) + 1, dtype=np.bool_)
    mask[[numbers[text] for text in said if text in numbers]] = True
    return mask


def _filled_up(rows: Sequence[Sequence[float]], filler: float) -> npt.NDArray[np.float64]:
    """Return rows as a matrix, each filled up to the length of the longest."""
    matrix = np.full((len(rows), max(map(len, rows), default=0)), filler, dtype=np.float64)
    for place, row in enumerate(rows):
        matrix[place, : len(row)] = row
    return matrix


def _runs(words: Sequence[str]) -> frozenset[str]:
    """Return all runs of three letters of some words, their edges marked."""
    return frozenset().union(
        *(_remembered(word) if len(word) <= _LONG else _runs_of(word) for word in words)
    )


def _runs_of(word: str) -> frozenset[str]:
    marked = f"^{word}$"
    return frozenset(marked[start : start + _LENGTH] for start in range(len(marked) - _LENGTH + 1))


_remembered = lru_cache(maxsize=16_384)(_runs_of)
