"""Why each tool was kept or dropped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from routing.selection.arrays import BoolArray, FloatArray
from routing.selection.index import Index
from routing.selection.ranking import best_of_all
from routing.selection.types import Included, Omitted, Why, WhyNot

NEAREST = 20
"""How many misses are listed; all are counted."""

_REASONS = tuple(WhyNot)
_NUMBER = {reason: number for number, reason in enumerate(_REASONS)}
_KEPT = len(_REASONS)
_MOST = _NUMBER[WhyNot.BELOW_CUT]
# What the strategy wanted and something else kept out is nearest; then what is switched off, since
# that is rare, passes, and is not seen in the draft; then by score, which is at most one; then what
# could not have been served at all.
_NEARNESS = {
    WhyNot.OVER_CAP: 0,
    WhyNot.BELOW_THRESHOLD: 0,
    WhyNot.REMOVED_BY_RULE: 0,
    WhyNot.BELOW_CUT: -2,
    WhyNot.NOT_IN_PHASE: -2,
    WhyNot.CIRCUIT_OPEN: -1,
    WhyNot.DISABLED: -6,
    WhyNot.ROUTE: -8,
}
_TIERS = np.array([*(_NEARNESS[reason] for reason in _REASONS), -np.inf])  # the last: kept
_UNSCORED = frozenset({WhyNot.CIRCUIT_OPEN, WhyNot.DISABLED, WhyNot.ROUTE})
_PLACED = frozenset({Why.ALWAYS_ON, Why.DEFAULT, Why.OPEN_GROUP})


@dataclass(slots=True)
class Verdicts:
    """One reason a tool against it, the last one given; kept tools have none.

    A draft that the pipeline fills while it decides. ``numbers`` has shape ``(tools,)``.
    """

    numbers: npt.NDArray[np.int8]

    @classmethod
    def all_dropped(cls, size: int, *, reason: WhyNot) -> Verdicts:
        """Return verdicts that drop every tool for one reason."""
        return cls(numbers=np.full(size, _NUMBER[reason], dtype=np.int8))

    def drop(self, tools: BoolArray | list[int], reason: WhyNot) -> None:
        """Drop the tools of a mask or a list of positions."""
        if isinstance(tools, list):
            self.numbers[tools] = _NUMBER[reason]
        else:
            np.putmask(self.numbers, tools, _NUMBER[reason])

    def keep(self, tools: Iterable[int]) -> None:
        """Keep the tools."""
        self.numbers[list(tools)] = _KEPT

    def reason(self, tool: int) -> WhyNot | None:
        """Return why a tool was dropped; ``None`` for one that was kept."""
        number = int(self.numbers[tool])
        return None if number == _KEPT else _REASONS[number]

    def counts(self) -> dict[str, int]:
        """Return how many tools were dropped for each reason that dropped any."""
        others = self.numbers[self.numbers != _MOST]  # few, in a large catalog: counted apart
        counted = np.bincount(others, minlength=_KEPT)[:_KEPT].tolist()
        counted[_MOST] = len(self.numbers) - len(others)
        return {
            reason.value: count for reason, count in zip(_REASONS, counted, strict=True) if count
        }

    def nearest(self, index: Index, scores: FloatArray | None) -> tuple[Omitted, ...]:
        """Return the nearest misses, best first; what could not be served shows no score."""
        others = (self.numbers != _MOST).nonzero()[0]
        nearness = np.full(len(self.numbers), _TIERS[_MOST])
        nearness[others] = _TIERS[self.numbers[others]]
        if scores is not None:
            nearness += scores
        nearest = best_of_all(nearness, index.rank, NEAREST)
        reasons = [_REASONS[number] for number in self.numbers[nearest].tolist()]
        shown = scores[nearest].tolist() if scores is not None else [None] * len(nearest)
        return tuple(
            [
                Omitted(index.tools[tool], None if reason in _UNSCORED else _rounded(score), reason)
                for tool, score, reason in zip(nearest, shown, reasons, strict=True)
            ]
        )


def included(
    index: Index,
    served: Sequence[int],
    reasons: Mapping[int, Why],
    scores: FloatArray | None,
) -> tuple[Included, ...]:
    """Return why each served tool is there, in the order served."""
    return tuple(
        Included(
            tool=index.tools[tool],
            score=_shown(scores, tool) if reasons[tool] not in _PLACED else None,
            reason=reasons[tool],
        )
        for tool in served
    )


def _shown(scores: FloatArray | None, tool: int) -> float | None:
    return None if scores is None else _rounded(scores.item(tool))


def _rounded(score: float | None) -> float | None:
    return None if score is None else round(score, 4)
