"""A small model fitted to the catalog's labelled cases, mixed with the untrained evidence."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from routing.selection.arrays import FloatArray, IntArray
from routing.selection.classifier import Placed, Sureness, Tasks
from routing.selection.confidence import MOST_CERTAIN, logit
from routing.selection.encoders import read_of_task
from routing.selection.index import Index
from routing.selection.mixing import (
    nearest_served,
    pull_served,
    something,
    untrained_logits,
    words_served,
)
from routing.selection.ranking import best_first
from routing.selection.reading import Reading, clauses
from routing.selection.strategies.contract import NotServable, Proposal, Request, groups_of
from routing.selection.strategies.evidential import NEAREST_GROUPS, needed, read_request
from routing.selection.task_vectors import task_vectors
from routing.selection.types import ConfidenceSource, ScoredGroup, Strategy, Why

SHARE = 0.93
INCLUSIVE_SHARE = 0.99
"""The fewest tools that hold this share of the belief are served."""

ALSO_NEEDED = 0.25
"""From which probability on the untrained evidence adds a tool to a task of several clauses."""


class LearnedTools:
    """Serve the tools that tasks like this one took.

    As a step of a cascade (``abstains``) it has nothing to say without a model or where its
    confidence is under the catalog's threshold; alone it says why there is no model.
    """

    name = Strategy.CLASSIFIER

    def __init__(self, *, abstains: bool = False) -> None:
        self._abstains = abstains

    def propose(self, request: Request) -> Proposal | None:
        """Return the fewest tools that hold most of the belief; ``None`` if there is no candidate.

        Raises ``NotServable`` where no classifier was fitted or there are no vectors to compare.
        """
        model = request.index.classifier
        if model is None or not request.semantic or request.index.vectors is None:
            if self._abstains:
                return None
            raise NotServable(
                "This release has no classifier: a catalog learns one from its reviewed cases "
                "(Learning, or manage.py fit)."
            )
        if not request.candidates.any():
            return None
        proposal = _proposal(request, model)
        threshold = request.index.settings.threshold
        return None if self._abstains and proposal.confidence < threshold else proposal


def keep(beliefs: FloatArray, order: IntArray, *, cap: int, inclusive: bool) -> list[int]:
    """Return the fewest tools, best first, that hold most of the belief, at most ``cap``."""
    best = beliefs[order[:cap]]
    share = INCLUSIVE_SHARE if inclusive else SHARE
    count = int(np.searchsorted(np.cumsum(best), share * float(beliefs.sum()))) + 1
    return [int(tool) for tool in order[: min(count, cap)]]


def sureness_values(
    beliefs: FloatArray,
    chosen: Sequence[int],
    *,
    nearest: float,
    believed: float,
    pull: float,
    words: float,
) -> FloatArray:
    """Return what the confidence goes by, shape ``(5,)``.

    The logit of the belief in what is kept, the cosine of the nearest labelled tool, the logit of
    the untrained belief in anything at all, and how much the regression over vectors and that over
    words are drawn to any tool.
    """
    kept = float(beliefs[list(chosen)].sum())
    return np.array([logit(kept), nearest, logit(believed), pull, words], dtype=np.float32)


def sureness(values: FloatArray, mapping: Sureness) -> float:
    """Return the probability that what is kept is all that the task needs."""
    weights = np.array([mapping.kept, mapping.nearness, mapping.something])
    complete = float(values[:3] @ weights) + mapping.constant
    known = float(values[3:] @ np.array([mapping.pull, mapping.words])) + mapping.foreign
    return _probability(complete) * _probability(known)


def _probability(raised: float) -> float:
    return float(1 / (1 + np.exp(-max(min(raised, 30.0), -30.0))))


def _proposal(request: Request, model: Placed) -> Proposal:
    index, query = request.index, request.query
    reading = read_request(request)
    untrained = untrained_logits(reading.beliefs, reading.ranks, request.candidates)[None]
    parts = clauses(read_of_task(query.task))
    vectors = task_vectors(index, query.task, query.history, parts)
    seen = model.evidence(Tasks.single(query.task, vectors), untrained)
    beliefs = model.beliefs(seen)[0]
    places = np.flatnonzero(request.candidates)
    order = np.array(
        best_first(places, beliefs[places], index.rank[places], len(places)), dtype=np.intp
    )
    chosen = keep(beliefs, order, cap=request.cap, inclusive=request.inclusive)
    if parts:
        chosen += _also_needed(request, reading, chosen)
    values = sureness_values(
        beliefs,
        chosen,
        nearest=float(nearest_served(seen)[0]),
        believed=float(something(untrained)[0]),
        pull=float(pull_served(seen)[0]),
        words=float(words_served(seen)[0]),
    )
    taught = frozenset(model.tools.tolist())
    return Proposal(
        decided_by=Strategy.CLASSIFIER,
        ranked=tuple(chosen),
        reasons={tool: Why.CLASSIFIER if tool in taught else Why.SEMANTIC for tool in chosen},
        groups=groups_of(request, tuple(chosen)),
        confidence=round(min(sureness(values, model.classifier.sureness), MOST_CERTAIN), 4),
        confidence_source=ConfidenceSource.FITTED,
        scores=beliefs,
        scored_groups=_scored(index, beliefs),
    )


def _also_needed(request: Request, reading: Reading, chosen: Sequence[int]) -> list[int]:
    """Return what else the untrained evidence says that a task of several clauses needs.

    Shares of one belief cannot say that a second tool is needed as surely as the first, and
    examples that all took one tool teach the opposite.
    """
    likely = needed(request, reading)
    places = reading.beliefs.places.tolist()
    also = [place for place, p in zip(places, likely, strict=True) if p >= ALSO_NEEDED]
    room = max(request.cap - len(chosen), 0)
    return [place for place in also if place not in chosen][:room]


def _scored(index: Index, beliefs: FloatArray) -> tuple[ScoredGroup, ...]:
    """Return the groups with the belief in the tools whose first group they are, best first."""
    known = index.home >= 0
    sums = np.bincount(index.home[known], weights=beliefs[known], minlength=len(index.group_names))
    order = np.argsort(-sums, kind="stable")[:NEAREST_GROUPS].tolist()
    return tuple(
        ScoredGroup(index.group_names[number], round(float(sums[number]), 4), Why.CLASSIFIER)
        for number in order
        if sums[number] > 0
    )
