"""A task as a selection reads it: clause by clause, with what is believed of every tool.

The candidates and *nothing in particular* share one unit of belief: a softmax of the logits that a
fitted combination makes of their features. Belief is what everything else is decided by: how many
tools are served (``cut``), which groups are open, and how sure the whole is (``confidence``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from routing.selection.arrays import BoolArray, FloatArray, IntArray
from routing.selection.encoders import read_of_history, read_of_task
from routing.selection.evidence import Evidence, gather
from routing.selection.features import Close, look_closely
from routing.selection.index import Index
from routing.selection.weights import Combination

MOST_CLAUSES = 6
FEWEST_WORDS = 3

# Ends of sentences, commas (also those of Chinese), and the joining words of three languages.
_BETWEEN = re.compile(
    r"[.;:?!]+\s+|,\s+"
    "|[\u3002\uff1b\uff1f\uff01\uff0c]"
    r"|\s+(?:and|then|y|e|luego|depois)\s+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Beliefs:
    """What is believed of a task's candidates, best first.

    ``places`` are positions, shape ``(k,)``; ``shares`` are their beliefs, same shape, and
    ``nothing`` is what they leave of 1. ``homes`` is the number of the group that each counts for,
    or -1. ``against``, same shape, is each one's belief against that in nothing, 0..1. ``context``
    has shape ``(len(CONTEXT),)``. ``by_home`` are the shares of each group in sum, by its number,
    and those of the tools of none, by -1.
    """

    places: IntArray
    homes: IntArray
    shares: FloatArray
    nothing: float
    against: FloatArray
    context: FloatArray
    by_home: Mapping[int, float] = field(init=False)

    def __post_init__(self) -> None:
        """Sum up the shares by group once: several questions are asked of the sums."""
        summed: dict[int, float] = {}
        for home, share in zip(self.homes.tolist(), self.shares.tolist(), strict=True):
            summed[home] = summed.get(home, 0.0) + share
        object.__setattr__(self, "by_home", summed)


@dataclass(frozen=True, slots=True)
class Reading:
    """A task's evidence and beliefs; ``ranks``, shape ``(tools,)``, is 0..1 and orders all tools.

    It is a candidate's belief against that in nothing; less than any of them for a tool further
    off, and 0 for what is no candidate.
    """

    evidence: Evidence
    beliefs: Beliefs
    ranks: FloatArray


def read(
    index: Index,
    task: str,
    history: Sequence[str],
    *,
    candidates: BoolArray,
    groups: BoolArray,
    semantic: bool = True,
) -> Reading:
    """Return what is believed of a task, among the candidates and the groups that may be opened.

    The encoder is called once at most; not at all with ``semantic`` false.
    """
    evidence = gather(
        index,
        task,
        history,
        clauses(read_of_task(task)),
        candidates=candidates,
        semantic=semantic,
    )
    close = look_closely(index, evidence, candidates=candidates, groups=groups)
    weights = index.weights if evidence.semantic is not None else index.weights_of_words
    beliefs = believe(close, weights.combination)
    least = float(beliefs.against[-1]) if len(beliefs.against) else 0.0
    ranks = np.maximum(evidence.rough, 0) * np.float32(least)
    ranks[beliefs.places] = beliefs.against
    return Reading(evidence=evidence, beliefs=beliefs, ranks=ranks)


def believe(close: Close, combination: Combination) -> Beliefs:
    """Return what is believed of candidates whose features a combination weighs."""
    logits, nothing = combination.logits(close)
    order = np.argsort(-logits, kind="stable")
    logits = logits[order]
    top = max(float(logits[0]) if len(logits) else nothing, nothing)
    raised = np.exp(logits - np.float32(top))
    void = np.float32(np.exp(nothing - top))
    whole = float(raised.sum() + void)
    return Beliefs(
        places=close.places[order],
        homes=close.homes[order],
        shares=np.asarray(raised / np.float32(whole), dtype=np.float32),
        nothing=float(void) / whole,
        against=np.asarray(raised / (raised + void), dtype=np.float32),
        context=close.context,
    )


def texts_read(task: str, history: Sequence[str]) -> list[str]:
    """Return every text that the encoder reads of a task and its history."""
    whole = read_of_task(task)
    texts = [whole, read_of_history(history), *map(read_of_task, clauses(whole))]
    return [text for text in texts if text]


def clauses(task: str) -> tuple[str, ...]:
    """Return the clauses of a task that say something; none where there are not at least two."""
    parts = [part for part in _BETWEEN.split(task) if len(part.split()) >= FEWEST_WORDS]
    return tuple(parts[:MOST_CLAUSES]) if len(parts) > 1 else ()
