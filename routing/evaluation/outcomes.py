"""What came of the cases: one ``Outcome`` a case, and many of them as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

DEPTH = 10
"""How far down a ranking is looked at."""

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a strategy made of one case.

    ``met`` counts the needs that the first 1 .. ``DEPTH`` tools of the ranking meet. ``covered``
    says whether the served tools meet all, ``proposed_covered`` whether those would that stood
    before the threshold. ``first_group_right`` and ``groups_covered`` mean nothing where the case
    expects no group (``grouped`` is false). ``expands`` says whether a missing tool lies in a group
    that can be asked for. ``assumed`` marks a confidence that is a rule's 1.0 and no estimate,
    ``failed`` an answer of another strategy in this one's stead. ``seconds`` is what choosing took.
    """

    needs: int
    met: tuple[int, ...]
    ndcg: float
    covered: bool
    tools: int
    proposed_covered: bool
    proposed_tools: int
    grouped: bool
    first_group_right: bool
    groups_covered: bool
    groups: int
    expands: bool
    confidence: float
    assumed: bool
    fallback: bool
    failed: bool
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcomes:
    """Many outcomes, field by field: shape ``(n,)``, ``met`` has ``(n, DEPTH)``."""

    needs: Ints
    met: Ints
    ndcg: Floats
    covered: Bools
    tools: Ints
    proposed_covered: Bools
    proposed_tools: Ints
    grouped: Bools
    first_group_right: Bools
    groups_covered: Bools
    groups: Ints
    expands: Bools
    confidence: Floats
    assumed: Bools
    fallback: Bools
    failed: Bools
    seconds: Floats

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.needs)

    def take(self, which: Bools | Ints | slice) -> Outcomes:
        """Return some of the outcomes, by mask, slice or position, also several times."""
        return Outcomes(**{field.name: getattr(self, field.name)[which] for field in fields(self)})

    @property
    def expecting(self) -> Outcomes:
        """The outcomes of cases that expect a tool."""
        expecting = self.needs > 0
        return self if expecting.all() else self.take(expecting)

    @property
    def has_answers(self) -> bool:
        """Whether the strategy itself proposed a tool for any case.

        One that never does has no place in the catalog: ``hierarchical`` without groups, a
        ``classifier`` that nobody fitted.
        """
        return bool((self.proposed_tools[~self.failed] > 0).any())

    @property
    def expecting_nothing(self) -> Outcomes:
        """The outcomes of cases that no tool fits."""
        return self.take(self.needs == 0)


_TYPES = {"bool": np.bool_, "int": np.intp, "float": np.float64, "tuple[int, ...]": np.intp}


def gathered(outcomes: Sequence[Outcome]) -> Outcomes:
    """Return outcomes as arrays, in the same order."""
    columns: dict[str, Any] = {
        field.name: np.array(
            [getattr(outcome, field.name) for outcome in outcomes], dtype=_TYPES[str(field.type)]
        )
        for field in fields(Outcome)
    }
    columns["met"] = columns["met"].reshape(len(outcomes), DEPTH)
    return Outcomes(**columns)


def joined(parts: Sequence[Outcomes]) -> Outcomes:
    """Return the outcomes of several sets as one."""
    return Outcomes(
        **{
            field.name: np.concatenate([getattr(part, field.name) for part in parts])
            for field in fields(Outcomes)
        }
    )
