"""What a task opens: groups, and the tools that are in none.

As little as carries the catalog's threshold: the best thing, or else the best two, for a task
between two topics shares its belief among them, and one that says little shares it among many or
gives it to nothing. Beside them everything that one of the task's clauses is sure of. Tools in no
group (that the route allows) count together as one thing: the best of them, as many as the cap lets
through.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from routing.selection.arrays import BoolArray, FloatArray, IntArray
from routing.selection.confidence import shares
from routing.selection.evidence import Evidence

SECOND = 0.9
"""What is left of a belief in two things at once, since near to both may also mean neither."""
SURE = 0.9
"""The share of a clause's belief that opens a thing."""
INCLUSIVE_SHARE = 0.1
"""The share that opens a thing in an inclusive selection."""
MOST = 3


@dataclass(frozen=True, slots=True)
class Opened:
    """The groups opened, by number in catalog order; whether tools in no group are; the belief."""

    numbers: tuple[int, ...] = ()
    loose: bool = False
    confidence: float = 0.0


@dataclass(frozen=True, slots=True)
class Choice:
    """What there is to open: groups by number, and the positions of tools in none of them."""

    numbers: IntArray
    loose: IntArray
    cap: int

    @classmethod
    def among(cls, *, groups: BoolArray, loose: BoolArray, cap: int) -> Choice:
        """Return the choice among the groups and the loose tools of two masks."""
        return cls(numbers=np.nonzero(groups)[0], loose=np.nonzero(loose)[0], cap=cap)

    def beliefs(self, evidence: Evidence) -> FloatArray:
        """Return the share of each group and, if there are loose tools, last the best of them."""
        groups = evidence.groups[self.numbers]
        if not len(self.loose):
            return shares(evidence, groups)
        both = shares(evidence, np.concatenate([groups, evidence.tools[self.loose]]))
        tools = both[len(groups) :]
        if len(tools) > self.cap:
            tools = np.partition(tools, -self.cap)[-self.cap :]
        return np.append(both[: len(groups)], tools.sum(dtype=np.float32))

    def says_anything(self, evidence: Evidence) -> bool:
        """Return whether anything at all speaks for one of the things."""
        best_group = evidence.groups[self.numbers].max(initial=0)
        return bool(best_group > 0 or evidence.tools[self.loose].max(initial=0) > 0)


def open_up(
    whole: Evidence,
    clauses: Sequence[Evidence],
    choice: Choice,
    *,
    threshold: float,
    inclusive: bool,
) -> Opened:
    """Return what a task and its clauses single out, if anything."""
    if not choice.says_anything(whole):
        return Opened()
    share = choice.beliefs(whole)
    order = np.argsort(-share, kind="stable")
    chosen, confidence = _fewest(share, order, threshold)
    for place, stated in _stated([choice.beliefs(clause) for clause in clauses]):
        if confidence < threshold:
            chosen, confidence = [place], stated
        elif place not in chosen and len(chosen) < MOST:
            chosen.append(place)
            confidence = min(confidence, stated)
    if inclusive:
        wide = [place for place in order.tolist() if share[place] >= INCLUSIVE_SHARE]
        chosen += [place for place in wide if place not in chosen][: MOST - len(chosen)]
    return Opened(
        numbers=tuple(int(choice.numbers[n]) for n in sorted(chosen) if n < len(choice.numbers)),
        loose=len(choice.numbers) in chosen,
        confidence=confidence,
    )


def _fewest(share: FloatArray, order: IntArray, threshold: float) -> tuple[list[int], float]:
    """Return the best place, or the best two if only they carry the threshold, and the belief."""
    best = float(share[order[0]])
    if best < threshold and len(order) > 1:
        both = SECOND * (best + float(share[order[1]]))
        if both >= threshold:
            return order[:2].tolist(), both
    return order[:1].tolist(), best


def _stated(beliefs: Sequence[FloatArray]) -> list[tuple[int, float]]:
    """Return the places that a clause is sure of and how sure it is, surest first."""
    if not beliefs:
        return []
    best = np.maximum.reduce(beliefs)
    sure = np.nonzero(best >= SURE)[0]
    order = sure[np.argsort(-best[sure], kind="stable")]
    return list(zip(order.tolist(), best[order].tolist(), strict=True))
