"""What the strategies that weigh evidence share: the reading of a request, and how it is told."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from routing.selection.arrays import FloatArray, IntArray
from routing.selection.cut import needed_values
from routing.selection.ranking import best_first
from routing.selection.reading import Reading, read
from routing.selection.strategies.contract import Request
from routing.selection.types import ScoredGroup, Why
from routing.selection.weights import Weights

NEAREST_GROUPS = 20
"""How many groups are shown with their scores."""


def read_request(request: Request) -> Reading:
    """Return what is believed of a request's task."""
    if request.readings is None:
        return _read(request)
    key = (request.query.task, request.query.history, request.semantic)
    if key not in request.readings:
        request.readings[key] = _read(request)
    return request.readings[key]


def _read(request: Request) -> Reading:
    return read(
        request.index,
        request.query.task,
        request.query.history,
        candidates=request.candidates,
        groups=request.groups,
        semantic=request.semantic,
    )


def needed(request: Request, reading: Reading) -> FloatArray:
    """Return the probability of every candidate that the task needs it, best first."""
    return weights_of(request, reading).needed.probabilities(needed_values(reading.beliefs))


def weights_of(request: Request, reading: Reading) -> Weights:
    """Return the weights that the evidence of a reading goes by."""
    index = request.index
    return index.weights if reading.evidence.semantic is not None else index.weights_of_words


def beliefs_by_group(reading: Reading) -> dict[int, float]:
    """Return what is believed of each group that a candidate counts for, best first."""
    ordered = sorted(reading.beliefs.by_home.items(), key=lambda item: (-item[1], item[0]))
    return {number: belief for number, belief in ordered if number >= 0}


def scored_groups(request: Request, reading: Reading) -> tuple[ScoredGroup, ...]:
    """Return the groups with what is believed of each, best first."""
    by_group = list(beliefs_by_group(reading).items())[:NEAREST_GROUPS]
    homes, places = reading.beliefs.homes.tolist(), reading.beliefs.places.tolist()
    best = [places[homes.index(number)] for number, _ in by_group]
    legs = _legs(reading, np.array(best, dtype=np.intp))
    names = request.index.group_names
    return tuple(
        [
            ScoredGroup(names[number], round(belief, 4), leg)
            for (number, belief), leg in zip(by_group, legs, strict=True)
        ]
    )


def reasons_of(request: Request, reading: Reading, ranked: Sequence[int]) -> dict[int, Why]:
    """Say for each tool which leg brought it up; ``group`` for one that nothing else speaks for."""
    legs = _legs(reading, np.array(ranked, dtype=np.intp))
    return {
        tool: leg if reading.ranks[tool] > 0 else Why.GROUP
        for tool, leg in zip(ranked, legs, strict=True)
    }


def _legs(reading: Reading, places: IntArray) -> list[Why]:
    """Return for each place the leg on which it comes closer to the best one."""
    evidence = reading.evidence
    if evidence.semantic is None or not len(places):
        return [Why.LEXICAL] * len(places)
    words = _of_best(evidence.lexical[0], places)
    meaning = _of_best(evidence.semantic[0], places)
    return [Why.LEXICAL if nearer else Why.SEMANTIC for nearer in (words > meaning).tolist()]


def _of_best(scores: FloatArray, places: IntArray) -> FloatArray:
    shares: FloatArray = scores[places] / np.float32(max(float(scores.max()), 1e-6))
    return shares


def next_best(request: Request, ranks: FloatArray, ranked: Sequence[int]) -> list[int]:
    """Return the next best tools after some, as many as the cap leaves room for."""
    others = request.candidates & (ranks > 0)
    others[list(ranked)] = False
    places = others.nonzero()[0]
    room = max(request.cap - len(ranked), 0) if ranked else 0
    return best_first(places, ranks[places], request.index.rank[places], room)
