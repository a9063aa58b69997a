"""Labelled cases as arrays: which tools each task took, and which cases are held out when."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from routing.selection.arrays import BoolArray, FloatArray, IntArray

FOLDS = 4
MANY = 4_000
"""From so many cases on one part of them is held out, once; below it every part in turn."""
MOST_HELD_OUT = 1_500


class LabelledCase(Protocol):
    """A task and what it took: each of ``needs`` lists the tools that meet it, the first best."""

    @property
    def task(self) -> str:
        """The task."""
        ...

    @property
    def history(self) -> tuple[str, ...]:
        """What was said before."""
        ...

    @property
    def needs(self) -> tuple[tuple[str, ...], ...]:
        """What the task takes; empty where no tool fits."""
        ...


@dataclass(frozen=True, slots=True)
class Fold:
    """Which cases are fitted to and which are held out, by number.

    ``unlabelled`` masks the tools, shape ``(tools,)``, whose examples were all left out of the fit,
    as if nobody had labelled any.
    """

    fitted: IntArray
    held_out: IntArray
    unlabelled: BoolArray


def shares_of(needs: Sequence[Sequence[Sequence[int]]], tools: int) -> FloatArray:
    """Return the part of every tool in every case, shape ``(cases, tools)``, each row 1 in sum.

    A need that several tools meet is shared among them.
    """
    shares = np.zeros((len(needs), tools), dtype=np.float32)
    for row, case in enumerate(needs):
        for need in case:
            for tool in need:
                shares[row, tool] += np.float32(1 / (len(need) * len(case)))
    return shares


def folds(shares: FloatArray, *, sparse: bool, seed: int) -> Iterator[Fold]:
    """Yield the folds of cases with these ``shares``, the same ones for the same seed.

    Each tool's cases are dealt out in turn, so that every part holds some of each. With ``sparse``
    (there are tools without a label) a part of the labelled tools is held out as well, with all
    their cases: how the fit does on tools that it has never seen.
    """
    chance = np.random.default_rng(seed)
    count, tools = shares.shape
    part = _dealt(shares, chance)
    labelled = np.flatnonzero(shares.any(axis=0))
    tool_part = np.full(tools, -1)
    tool_part[chance.permutation(labelled)] = np.arange(len(labelled)) % FOLDS
    for number in range(FOLDS if count < MANY else 1):
        unlabelled = (tool_part == number) if sparse else np.zeros(tools, dtype=np.bool_)
        foreign = shares[:, unlabelled].sum(axis=1) > 0
        held = np.flatnonzero((part == number) | foreign)
        kept = np.flatnonzero((part != number) & ~foreign)
        if len(held) > MOST_HELD_OUT:
            spare = chance.permutation(held)
            held, back = np.sort(spare[:MOST_HELD_OUT]), spare[MOST_HELD_OUT:]
            kept = np.sort(np.concatenate([kept, back[~foreign[back]]]))
        yield Fold(fitted=kept, held_out=held, unlabelled=unlabelled)


def _dealt(shares: FloatArray, chance: np.random.Generator) -> IntArray:
    """Return the part of each case: those of one tool are dealt to all parts in turn."""
    order = chance.permutation(len(shares))
    first = shares.argmax(axis=1)
    part = np.zeros(len(shares), dtype=np.intp)
    following: dict[int, int] = {}
    for row in order.tolist():
        tool = int(first[row])
        turn = following.get(tool, tool)  # tools of few cases do not all begin with the same part
        part[row] = turn % FOLDS
        following[tool] = turn + 1
    return part
