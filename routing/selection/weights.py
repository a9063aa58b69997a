"""The numbers that were fitted on public tasks, and how they turn features into beliefs.

``fit_shipped`` makes them again; ``shipped/README.md`` says from what. There is one set for each
kind of evidence: words alone, words and the default encoder, both and a second encoder.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from routing.selection.arrays import FloatArray
from routing.selection.features import CONTEXT, FEATURES, Close

SHIPPED = Path(__file__).parent / "shipped"
WORDS = "words"
BEST = "best"  # the context that only says how good the best tool is


@dataclass(frozen=True, slots=True)
class Combination:
    """A logit for every tool, linear in its features; one for *nothing*, linear in the context.

    ``nothing`` also sees the best tool's logit, its last weight, and a constant before it.
    """

    features: FloatArray
    context: FloatArray
    constant: float

    def logits(self, close: Close) -> tuple[FloatArray, float]:
        """Return the logits of the candidates, shape ``(k,)``, and that of nothing."""
        tools: FloatArray = close.features @ self.features
        return tools, float(close.context @ self.context) + self.constant


@dataclass(frozen=True, slots=True)
class Logistic:
    """A logistic mapping of some named values to a probability, 0..1."""

    names: tuple[str, ...]
    weights: tuple[float, ...]
    constant: float

    def probability(self, values: Mapping[str, float]) -> float:
        """Return the probability for the values."""
        pairs = zip(self.names, self.weights, strict=True)
        logit = self.constant + sum(weight * values[name] for name, weight in pairs)
        return float(1 / (1 + np.exp(-max(min(logit, 30.0), -30.0))))


@dataclass(frozen=True, slots=True)
class Weights:
    """What one kind of evidence is weighed by."""

    name: str
    combination: Combination
    confidence: Logistic


@dataclass(frozen=True, slots=True)
class Head:
    """Two matrices over an encoder's vectors, shape ``(d, d)``: one for tasks, one for tools."""

    task: FloatArray
    tool: FloatArray

    def tasks(self, vectors: FloatArray) -> FloatArray:
        """Return task vectors as the head sees them, of unit length."""
        return unit(vectors @ self.task)

    def tools(self, vectors: FloatArray) -> FloatArray:
        """Return the vectors of tools or groups as the head sees them, of unit length."""
        return unit(vectors @ self.tool)


@dataclass(frozen=True, slots=True)
class NoHead:
    """Vectors of an encoder that no head was fitted to, as they are."""

    def tasks(self, vectors: FloatArray) -> FloatArray:
        """Return the vectors, of unit length."""
        return unit(vectors)

    tools = tasks


@dataclass(frozen=True, slots=True)
class Fitted:
    """Everything that was fitted: the weights by their kind, and the head of an encoder's leg."""

    weights: Mapping[str, Weights]
    heads: Mapping[str, Head]

    def weights_for(self, legs: Sequence[str]) -> Weights:
        """Return the weights for the evidence of an encoder's legs, none: of words alone.

        Those of the default encoder stand in for an encoder that none were fitted to.
        """
        name = "+".join(legs) or WORDS
        return self.weights.get(name, self.weights["usem3"])

    def head_for(self, leg: str) -> Head | NoHead:
        """Return the head of an encoder's leg."""
        return self.heads.get(leg) or NoHead()


@lru_cache(maxsize=4)
def read_fitted(folder: Path = SHIPPED) -> Fitted:
    """Read what was fitted from the files of a folder."""
    stored = json.loads((folder / "weights.json").read_text())
    weights = {name: _weights(name, entry) for name, entry in stored.items()}
    with np.load(folder / "head.npz") as arrays:
        head = Head(task=arrays["task"].astype(np.float32), tool=arrays["tool"].astype(np.float32))
    return Fitted(weights=weights, heads={"usem3": head})


def unit(vectors: FloatArray) -> FloatArray:
    """Return the rows of a matrix at unit length; a row of zeros stays one."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1), dtype=np.float32)


def _weights(name: str, entry: Mapping[str, object]) -> Weights:
    combination, confidence = entry["combination"], entry["confidence"]
    assert isinstance(combination, dict) and isinstance(confidence, dict)  # noqa: S101, PT018
    return Weights(
        name=name,
        combination=Combination(
            features=_vector(combination["features"], FEATURES),
            context=_vector(combination["context"], CONTEXT),
            constant=float(combination["constant"]),
        ),
        confidence=Logistic(
            names=tuple(confidence["weights"]),
            weights=tuple(map(float, confidence["weights"].values())),
            constant=float(confidence["constant"]),
        ),
    )


def _vector(named: Mapping[str, float], names: Sequence[str]) -> FloatArray:
    return np.array([named.get(name, 0.0) for name in names], dtype=np.float32)
