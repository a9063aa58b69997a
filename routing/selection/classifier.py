"""A small model of one catalog, fitted to labelled cases: which tools tasks like this one took.

It knows the tools that had examples (its *labelled* tools) and is mixed with what the untrained
evidence says of all of them, in two steps:

- among the labelled tools, the logit of each is a sum of its untrained logit, of a logistic
  regression over the task's vector, of the cosine to the mean of its examples, and of a second
  regression, over the hashes of its words. The learned terms weigh less for a tool of few
  examples: ``n / (n + few)``;
- how probable it is that the task belongs to a labelled tool at all (the *gate*) is a logistic
  mapping of the untrained belief in those tools and of the nearest of the means. Without labels for
  most tools, this keeps the learned ones from taking every task.

All vectors are whitened first, so that what all tasks of the catalog have in common says nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from routing.selection.arrays import BoolArray, FloatArray, IntArray
from routing.selection.hashed_words import HashedWords
from routing.selection.mixing import Gate, Learned, Mixing, mixed

_LEAST = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class Sureness:
    """The probability that what is kept is all that the task needs: a product of two mappings.

    One says whether the task is of the catalog at all, by how much the two regressions are drawn to
    any tool (``pull`` and ``words``); the other whether what is kept is complete, if so.
    """

    kept: float
    nearness: float
    something: float
    constant: float
    pull: float
    words: float
    foreign: float
    """The constant of the first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldOut:
    """What was measured on examples that were held out, untrained and trained."""

    cases: int
    untrained_recall: float
    trained_recall: float
    untrained_ndcg: float
    trained_ndcg: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Classifier:
    """A fitted model of the labelled ``tools``, which have ``counts`` examples, ``(labelled,)``.

    ``whitening`` has shape ``(d, d)``; ``weights`` and ``centroids`` have shape ``(labelled, d)``,
    the latter of unit length. ``words`` is ``None`` where the words of tasks say nothing beside
    these, ``gate`` where every tool is labelled. ``encoder`` names
    the encoder that the vectors are of: no other fits. ``marks`` are those of the tools' own texts
    (``own_mark``): of a tool that says something else now nothing was learned.
    """

    encoder: str
    tools: tuple[str, ...]
    marks: tuple[str, ...]
    counts: IntArray
    whitening: FloatArray
    weights: FloatArray
    centroids: FloatArray
    words: HashedWords | None
    mixing: Mixing
    gate: Gate | None
    sureness: Sureness
    held_out: HeldOut
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class Tasks:
    """The ``texts`` and vectors of ``n`` tasks, ``(n, d)``, and of all their clauses, ``(m, d)``.

    ``owners``, shape ``(m,)``, says which task each clause is of.
    """

    texts: Sequence[str]
    whole: FloatArray
    clauses: FloatArray
    owners: IntArray

    @property
    def several(self) -> BoolArray:
        """Return which tasks have several clauses, shape ``(n,)``."""
        return np.isin(np.arange(len(self.whole)), self.owners)

    @classmethod
    def single(cls, text: str, vectors: FloatArray) -> Tasks:
        """Return one task: the first vector is that of the whole, the others are its clauses."""
        return cls(
            texts=(text,),
            whole=vectors[:1],
            clauses=vectors[1:],
            owners=np.zeros(len(vectors) - 1, dtype=np.intp),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """A classifier in a compiled release: ``tools`` are positions of its rows, ``(labelled,)``.

    ``weights``, ``centroids`` and ``words`` are those of these rows alone.
    """

    classifier: Classifier
    tools: IntArray
    rows: IntArray
    weights: FloatArray
    centroids: FloatArray
    words: HashedWords | None

    @classmethod
    def among(
        cls, classifier: Classifier, *, position: Mapping[str, int], marks: Sequence[str]
    ) -> Placed:
        """Place a classifier among tools, ``position`` by every name that they go by.

        Those that the release lacks, or that say something else there, are left out.
        """
        placed = [
            row
            for row, name in enumerate(classifier.tools)
            if name in position and marks[position[name]] == classifier.marks[row]
        ]
        rows = np.array(placed, dtype=np.intp)
        return cls(
            classifier=classifier,
            tools=np.array([position[classifier.tools[row]] for row in placed], dtype=np.intp),
            rows=rows,
            weights=classifier.weights[rows],
            centroids=classifier.centroids[rows],
            words=classifier.words.of(rows) if classifier.words is not None else None,
        )

    def evidence(self, tasks: Tasks, untrained: FloatArray) -> Learned:
        """Return what the model says of tasks, beside their untrained logits, ``(n, tools)``."""
        model = self.classifier
        logistic, nearness, lengths = learned(
            tasks,
            whitening=model.whitening,
            weights=self.weights,
            centroids=self.centroids,
        )
        return Learned(
            untrained=untrained,
            tools=self.tools,
            counts=model.counts[self.rows],
            logistic=logistic,
            nearness=nearness,
            words=pulls_of(self.words, tasks.texts, len(self.tools)),
            lengths=lengths,
            several=tasks.several,
        )

    def beliefs(self, seen: Learned) -> FloatArray:
        """Return the belief in every tool, shape ``(n, tools)``, each row 1 in sum."""
        return mixed(seen, self.classifier.mixing, self.classifier.gate)


def pulls_of(words: HashedWords | None, texts: Sequence[str], labelled: int) -> FloatArray:
    """Return how the words of tasks draw to labelled tools, ``(n, labelled)``: 0 without any."""
    if words is None:
        return np.zeros((len(texts), labelled), dtype=np.float32)
    return words.pulls(texts)


def learned(
    tasks: Tasks, *, whitening: FloatArray, weights: FloatArray, centroids: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the logistic terms and the cosines of tasks to labelled tools, ``(n, labelled)``.

    The third are the lengths of the whitened tasks, shape ``(n,)``.

    Where a task has clauses, half of each is that of the clause in which the tool does best: one
    clause may need a tool that the whole drowns.
    """
    logistic, nearness, lengths = _terms(tasks.whole, whitening, weights, centroids)
    if not len(tasks.clauses):
        return logistic, nearness, lengths
    found = []
    of_clauses = _terms(tasks.clauses, whitening, weights, centroids)[:2]
    for whole, parts in zip((logistic, nearness), of_clauses, strict=True):
        best = whole.copy()
        np.maximum.at(best, tasks.owners, parts)
        found.append(np.asarray((whole + best) * np.float32(0.5), dtype=np.float32))
    return found[0], found[1], lengths


def _terms(
    vectors: FloatArray, whitening: FloatArray, weights: FloatArray, centroids: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    white: FloatArray = (vectors @ whitening).astype(np.float32)
    lengths = np.maximum(np.linalg.norm(white, axis=1), _LEAST).astype(np.float32)
    unit: FloatArray = (white / lengths[:, None]).astype(np.float32)
    logistic: FloatArray = (white @ weights.T).astype(np.float32)
    nearness: FloatArray = (unit @ centroids.T).astype(np.float32)
    return logistic, nearness, lengths
