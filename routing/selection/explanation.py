"""Why each tool was kept or dropped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from routing.selection.arrays import BoolArray, FloatArray, IntArray
from routing.selection.index import Index
from routing.selection.types import Included, Omitted, Why, WhyNot

NEAREST = 20
"""How many misses are listed; all are counted."""

_REASONS = tuple(WhyNot)
_NUMBER = {reason: number for number, reason in enumerate(_REASONS)}
_KEPT = -1
# What the strategy wanted and something else kept out is nearest; then by score; then what could
# not have been served at all.
_TIERS = np.array(
    [
        {
            WhyNot.OVER_CAP: 0,
            WhyNot.BELOW_THRESHOLD: 0,
            WhyNot.REMOVED_BY_RULE: 0,
            WhyNot.BELOW_CUT: 1,
            WhyNot.NOT_IN_PHASE: 1,
            WhyNot.CIRCUIT_OPEN: 2,
            WhyNot.DISABLED: 3,
            WhyNot.ROUTE: 4,
        }[reason]
        for reason in _REASONS
    ]
)


@dataclass(slots=True)
class Verdicts:
    """One reason a tool against it, the last one given; kept tools have none.

    A draft that the pipeline fills while it decides. ``numbers`` has shape ``(tools,)``.
    """

    numbers: IntArray

    @classmethod
    def all_dropped(cls, size: int, *, reason: WhyNot) -> Verdicts:
        """Return verdicts that drop every tool for one reason."""
        return cls(numbers=np.full(size, _NUMBER[reason], dtype=np.intp))

    def drop(self, tools: BoolArray | list[int], reason: WhyNot) -> None:
        """Drop the tools of a mask or a list of positions."""
        self.numbers[tools] = _NUMBER[reason]

    def keep(self, tools: Iterable[int]) -> None:
        """Keep the tools."""
        self.numbers[list(tools)] = _KEPT

    def counts(self) -> dict[str, int]:
        """Return how many tools were dropped for each reason that dropped any."""
        dropped = self.numbers[self.numbers != _KEPT]
        counted = np.bincount(dropped, minlength=len(_REASONS)).tolist()
        return {
            reason.value: count for reason, count in zip(_REASONS, counted, strict=True) if count
        }

    def nearest(self, index: Index, scores: FloatArray | None) -> tuple[Omitted, ...]:
        """Return the nearest misses, best first. Off-route tools show no score."""
        dropped = np.flatnonzero(self.numbers != _KEPT)
        distance = _TIERS[self.numbers[dropped]].astype(np.float64)
        if scores is not None:
            distance -= scores[dropped] / 2  # scores are at most 1, so that tiers stay apart
        if len(dropped) > NEAREST:
            near = distance <= np.partition(distance, NEAREST - 1)[NEAREST - 1]
            dropped, distance = dropped[near], distance[near]
        order = np.lexsort((index.rank[dropped], distance))[:NEAREST]
        return tuple(
            Omitted(
                tool=index.tools[tool],
                score=_shown(scores, tool) if _scored(reason) else None,
                reason=reason,
            )
            for tool in dropped[order].tolist()
            for reason in [_REASONS[self.numbers[tool]]]
        )


def included(
    index: Index,
    served: Sequence[int],
    reasons: Mapping[int, Why],
    scores: FloatArray | None,
) -> tuple[Included, ...]:
    """Return why each served tool is there, in the order served."""
    by_rule = (Why.ALWAYS_ON, Why.DEFAULT, Why.OPEN_GROUP)
    return tuple(
        Included(
            tool=index.tools[tool],
            score=None if reasons[tool] in by_rule else _shown(scores, tool),
            reason=reasons[tool],
        )
        for tool in served
    )


def _scored(reason: WhyNot) -> bool:
    return reason not in (WhyNot.ROUTE, WhyNot.DISABLED, WhyNot.CIRCUIT_OPEN)


def _shown(scores: FloatArray | None, tool: int) -> float | None:
    return None if scores is None else round(float(scores[tool]), 4)
