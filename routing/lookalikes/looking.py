"""Find the tools, and the groups, of a document that a task could not tell apart.

Two that say nearly the same need not be confused, and two that are need not say the same. So the
sample tasks are selected for as an agent's would be, and what goes to the wrong one of two is
counted; what the encoder makes of both says how much of that is needed.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from routing.lookalikes.keys import part_keys
from routing.lookalikes.nearest import near_pairs, unit
from routing.lookalikes.pair import NEAR, SAME, Flip, LookAlike, is_look_alike
from routing.lookalikes.samples import HALVES, Sample, is_chosen_from, samples_of, without_half
from routing.selection import Circumstances, Encoder, Index, Query, Strategy, compile_index
from routing.selection.arrays import FloatArray
from routing.selection.pipeline import decide

PAIRS_OF_ONE = 3
"""Pairs that are told of for one tool or group: the worst."""
Document = Mapping[str, Any]
Progress = Callable[[int, int], object]
_Pair = tuple[str, str]


@dataclass(slots=True)
class _Tally:
    """What the sample tasks did to the parts of one kind."""

    tried: Counter[str] = field(default_factory=Counter)
    flips: dict[_Pair, list[Flip]] = field(default_factory=lambda: defaultdict(list))


def look_alikes(
    document: Document,
    *,
    encoder: Encoder,
    vectors: Mapping[str, FloatArray],
    progress: Progress | None = None,
    every: int = 50,
) -> list[LookAlike]:
    """Return the pairs of a document that look alike, the worst first, tools before groups.

    ``vectors`` are those of ``texts_to_embed``; the encoder makes what more a long task needs.
    ``progress`` is told after so many tasks how many of how many are done; what it raises ends the
    search. Equal arguments give equal answers. There are none where every tool is offered anyway.
    """
    if not is_chosen_from(document):
        return []
    samples = samples_of(document)
    tallies = {"tools": _Tally(), "groups": _Tally()}
    index = compile_index(without_half(document, 0), encoder=encoder, vectors=vectors)
    rows = index.vectors
    if rows is None:
        return []
    done = 0
    for half in HALVES:
        tried = [sample for sample in samples if sample.half == half]
        if half and tried:
            index = compile_index(without_half(document, half), encoder=encoder, vectors=vectors)
        for sample in tried:
            _try(sample, index, tallies)
            done += 1
            if progress is not None and (done % every == 0 or done == len(samples)):
                progress(done, len(samples))
    keys = part_keys(document)
    of_kind = (
        ("tools", [tool["name"] for tool in document["tools"]], rows.tools.exact),
        ("groups", [group["name"] for group in document["groups"]], rows.groups),
    )
    off = {tool["name"] for tool in document["tools"] if not tool.get("enabled", True)}
    return [
        found
        for kind, names, vectors_of in of_kind
        for found in _worst(_judged(kind, names, unit(vectors_of), tallies[kind], keys, off))
    ]


def _try(sample: Sample, index: Index, tallies: Mapping[str, _Tally]) -> None:
    query = Query(task=sample.task, strategy=Strategy.EMBEDDING)
    proposal = decide(query, index, Circumstances()).proposal
    if proposal is None:
        return
    if sample.tool is not None and proposal.scores is not None:
        own = index.position[sample.tool]
        above = _above(np.asarray(proposal.scores, dtype=np.float64), own)
        _count(tallies["tools"], sample.task, sample.tool, (index.tools[one] for one in above))
    if sample.group is not None:
        ranked = [scored.group for scored in proposal.scored_groups]
        higher = ranked[: ranked.index(sample.group)] if sample.group in ranked else ranked
        others = [] if len(higher) >= NEAR else higher
        if sample.tool is not None:
            # A group that holds the tool as well is no wrong answer.
            tool = index.position[sample.tool]
            others = [one for one in others if tool not in index.groups[one].members]
        _count(tallies["groups"], sample.task, sample.group, others)


def _above(scores: np.ndarray, own: int) -> list[int]:
    """Return the tools ranked above a task's own, none where that is not among the first few."""
    above = np.nonzero(scores > scores[own])[0]
    return above.tolist() if len(above) < NEAR else []


def _count(tally: _Tally, task: str, own: str, above: Iterable[str]) -> None:
    tally.tried[own] += 1
    for other in above:
        tally.flips[own, other].append(Flip(task=task, of=own))


def _judged(
    kind: str,
    names: list[str],
    vectors: FloatArray,
    tally: _Tally,
    keys: Mapping[tuple[str, str], str],
    off: set[str],
) -> Iterator[LookAlike]:
    place = {name: number for number, name in enumerate(names)}
    pairs = {(min(a, b), max(a, b)) for a, b in ((place[a], place[b]) for a, b in tally.flips)}
    pairs.update(near_pairs(vectors, least=SAME))
    for one, other in sorted(pairs):
        first, second = names[one], names[other]
        if kind == "tools" and (first in off or second in off):
            continue
        score = float(vectors[one] @ vectors[other])
        flips = [*tally.flips.get((first, second), ()), *tally.flips.get((second, first), ())]
        tried = tally.tried[first] + tally.tried[second]
        if is_look_alike(score=score, tried=tried, flipped=len(flips)):
            yield LookAlike(
                kind=kind,
                names=(first, second),
                keys=(keys[kind, first], keys[kind, second]),
                score=round(score, 3),
                tried=tried,
                flips=tuple(flips),
            )


def _worst(found: Iterable[LookAlike]) -> list[LookAlike]:
    """Return the worst pairs first, of each tool or group a few."""
    counts: Counter[str] = Counter()
    kept: list[LookAlike] = []
    for one in sorted(found, key=lambda one: (-len(one.flips), -one.score, one.names)):
        if all(counts[name] < PAIRS_OF_ONE for name in one.names):
            counts.update(one.names)
            kept.append(one)
    return kept
