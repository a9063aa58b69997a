"""How learned and untrained evidence become one belief; ``classifier`` says what each is."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from routing.selection.arrays import BoolArray, FloatArray, IntArray
from routing.selection.reading import Beliefs

FURTHER_OFF = 2.0
"""How much lower the logit of a tool is that was not even looked at closely."""
SEVERAL = 0.2
"""What the untrained logit weighs at least in a task of several clauses.

Cases that all took one tool say nothing of tasks that take two, and held-out ones of the same kind
cannot tell: for such a task the untrained evidence does not go silent.
"""
_LEAST = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class Mixing:
    """How much each kind of evidence weighs in the logit of a labelled tool."""

    untrained: float
    logistic: float
    nearness: float
    words: float
    few: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """The logistic mapping to the probability that a task belongs to a labelled tool."""

    untrained: float
    nearness: float
    constant: float


@dataclass(frozen=True, slots=True, eq=False)
class Learned:
    """What is known of ``n`` tasks before it is mixed.

    ``untrained`` has shape ``(n, tools)``; ``logistic``, ``nearness`` and ``words``, shape
    ``(n, labelled)``, belong to the tools at the positions ``tools``, which have ``counts``
    examples. ``lengths``, shape ``(n,)``, are those of the whitened vectors; ``several`` says which
    tasks have several clauses.
    """

    untrained: FloatArray
    tools: IntArray
    counts: IntArray
    logistic: FloatArray
    nearness: FloatArray
    words: FloatArray
    lengths: FloatArray
    several: BoolArray


def mixed(seen: Learned, mixing: Mixing, gate: Gate | None) -> FloatArray:
    """Return the belief in every tool, shape ``(n, tools)``."""
    beliefs = np.zeros_like(seen.untrained)
    inside = np.zeros(seen.untrained.shape[1], dtype=np.bool_)
    inside[seen.tools] = True
    own = own_logits(seen, mixing)
    others = seen.untrained[:, ~inside]
    have_own = np.isfinite(own).any(axis=1)
    have_others = np.isfinite(others).any(axis=1)
    if gate is None:
        share = np.full(len(beliefs), 1 - _LEAST)
    else:
        against, nearest = gate_values(seen)
        logit = gate.untrained * against + gate.nearness * nearest + gate.constant
        share = 1 / (1 + np.exp(-np.clip(logit, -30, 30)))
    share = np.where(have_others, share, 1.0) * have_own
    beliefs[:, seen.tools] = softmax(own) * share[:, None]
    beliefs[:, ~inside] = softmax(others) * (1 - share)[:, None]
    return beliefs


def own_logits(seen: Learned, mixing: Mixing) -> FloatArray:
    """Return the logits of the labelled tools, shape ``(n, labelled)``."""
    share = (seen.counts / (seen.counts + mixing.few)).astype(np.float32)
    taught = (
        mixing.logistic * seen.logistic
        + mixing.nearness * _centred(seen.nearness)
        + mixing.words * _centred(seen.words)
    )
    weight = np.where(seen.several, max(mixing.untrained, SEVERAL), mixing.untrained)
    untrained = seen.untrained[:, seen.tools]
    served = np.isfinite(untrained)  # of what is no candidate nothing is believed, at any weight
    summed_up = weight[:, None] * np.where(served, untrained, 0) + share * taught
    return np.where(served, summed_up, -np.inf).astype(np.float32)


def gate_values(seen: Learned) -> tuple[FloatArray, FloatArray]:
    """Return for every task what the gate goes by, shape ``(n,)`` each.

    The untrained logit of the labelled tools against all others, and the nearest labelled tool's
    cosine.
    """
    inside = np.zeros(seen.untrained.shape[1], dtype=np.bool_)
    inside[seen.tools] = True
    against = summed(seen.untrained[:, inside]) - summed(seen.untrained[:, ~inside])
    return np.clip(against, -20, 20), nearest_served(seen)


def nearest_served(seen: Learned) -> FloatArray:
    """Return the cosine of each task's nearest labelled tool that is a candidate, ``(n,)``."""
    served = np.isfinite(seen.untrained[:, seen.tools])
    near: FloatArray = np.where(served, seen.nearness, np.float32(-1))
    return np.asarray(near.max(axis=1, initial=-1), dtype=np.float32)


def pull_served(seen: Learned) -> FloatArray:
    """Return how much the regression is drawn to a labelled tool that is a candidate, ``(n,)``.

    Its largest logit by the length of the vector: a task that is foreign to every example has a
    long whitened vector that leads nowhere.
    """
    served = np.isfinite(seen.untrained[:, seen.tools])
    drawn: FloatArray = np.where(served, seen.logistic / seen.lengths[:, None], np.float32(0))
    return np.asarray(drawn.max(axis=1, initial=0), dtype=np.float32)


def words_served(seen: Learned) -> FloatArray:
    """Return how much the words are drawn to a labelled tool that is a candidate, ``(n,)``."""
    served = np.isfinite(seen.untrained[:, seen.tools])
    drawn: FloatArray = np.where(served, seen.words, np.float32(0))
    return np.asarray(drawn.max(axis=1, initial=0), dtype=np.float32)


def something(untrained: FloatArray) -> FloatArray:
    """Return the untrained belief in any tool at all, shape ``(n,)``."""
    total: FloatArray = np.exp(np.minimum(untrained, 0)).sum(axis=1)
    return np.minimum(total, np.float32(1))


def without(seen: Learned, needed: BoolArray) -> Learned:
    """Return the same tasks as if the catalog had nothing for them, ``needed`` ``(n, tools)``.

    The untrained belief in the tools that they need is shared among the others and nothing.
    """
    lost = np.where(needed, np.exp(np.minimum(seen.untrained, 0)), 0).sum(axis=1)
    left = np.log(np.maximum(1 - lost, _LEAST))
    raised = np.minimum(seen.untrained - left[:, None], 0)
    return replace(seen, untrained=np.where(needed, -np.inf, raised).astype(np.float32))


def untrained_logits(beliefs: Beliefs, ranks: FloatArray, candidates: BoolArray) -> FloatArray:
    """Return the untrained logits of all tools, shape ``(tools,)``; minus infinity for the others.

    Those that were looked at closely have the logarithm of their belief, the rest less than any of
    them, in their own order.
    """
    logits = np.full(len(ranks), -np.inf, dtype=np.float32)
    close = np.log(np.maximum(beliefs.shares, _LEAST))
    least = float(close.min()) if len(close) else 0.0
    logits[candidates] = least - FURTHER_OFF + ranks[candidates]
    logits[beliefs.places] = close
    return logits


def softmax(logits: FloatArray) -> FloatArray:
    """Return each row's shares; zeros where a row holds nothing finite."""
    top = logits.max(axis=1, keepdims=True, initial=-np.inf)
    raised = np.exp(logits - np.where(np.isfinite(top), top, 0))
    whole = raised.sum(axis=1, keepdims=True)
    return np.asarray(raised / np.where(whole > 0, whole, 1), dtype=np.float32)


def summed(logits: FloatArray) -> FloatArray:
    """Return the logarithm of each row's summed exponentials; -40 where there is nothing."""
    top = logits.max(axis=1, keepdims=True, initial=-np.inf)
    safe = np.where(np.isfinite(top), top, 0)
    total = np.exp(logits - safe).sum(axis=1)
    return np.asarray(np.log(np.maximum(total, 1e-17)) + safe[:, 0], dtype=np.float32)


def _centred(cosines: FloatArray) -> FloatArray:
    """Return cosines less their mean, so that a smaller weight makes no tool better or worse."""
    if not cosines.shape[1]:
        return cosines
    return np.asarray(cosines - cosines.mean(axis=1, keepdims=True), dtype=np.float32)
