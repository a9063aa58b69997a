"""A part of some labelled cases: what a catalog that was labelled less would have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from routing.learning.labels import LabelledCase

Labelled = TypeVar("Labelled", bound=LabelledCase)


def sampled(
    cases: Sequence[Labelled], *, each: int | None, share: float, seed: int
) -> list[Labelled]:
    """Return cases of a ``share`` of their tools, at most ``each`` a tool, the same for a seed.

    A case counts for every tool that meets a need best, and is left out where one of them has
    enough already or is not among those chosen. Cases that need nothing are left out.
    """
    chance = np.random.default_rng(seed)
    tools = sorted({need[0] for case in cases for need in case.needs})
    count = max(1, round(share * len(tools)))
    chosen = {tools[place] for place in chance.permutation(len(tools))[:count].tolist()}
    had: Counter[str] = Counter()
    kept: list[Labelled] = []
    for place in chance.permutation(len(cases)).tolist():
        wanted = {need[0] for need in cases[place].needs}
        full = each is not None and any(had[tool] >= each for tool in wanted)
        if wanted and wanted <= chosen and not full:
            had.update(wanted)
            kept.append(cases[place])
    return kept
