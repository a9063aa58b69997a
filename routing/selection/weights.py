"""The numbers that were fitted on public tasks, and how they turn features into beliefs.

``fit_shipped`` makes them again; ``shipped/README.md`` says from what. There is one set for each
kind of evidence: words alone, words and the default encoder, both and a second encoder.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import exp
from pathlib import Path
from typing import Any

import numpy as np

from routing.selection.arrays import FloatArray
from routing.selection.features import CONTEXT, FEATURES, SIZE, Close

SHIPPED = Path(__file__).parent / "shipped"
WORDS = "words"


@dataclass(frozen=True, slots=True)
class Combination:
    """A logit for every tool, linear in its features; one for *nothing*, linear in the context.

    A feature weighs ``features + size * by_size``, where ``size`` is the context's: a word that is
    rare among thousands of tools says more than one that is rare among twenty.
    """

    features: FloatArray
    by_size: FloatArray
    context: FloatArray
    constant: float

    def logits(self, close: Close) -> tuple[FloatArray, float]:
        """Return the logits of the candidates, shape ``(k,)``, and that of nothing."""
        tools: FloatArray = close.features @ (self.features + close.context[SIZE] * self.by_size)
        return tools, float(close.context @ self.context) + self.constant


@dataclass(frozen=True, slots=True)
class Logistic:
    """A logistic mapping of some named values to a probability, 0..1."""

    names: tuple[str, ...]
    weights: tuple[float, ...]
    constant: float
    vector: FloatArray = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Keep the weights as an array as well: making one takes longer than using it."""
        object.__setattr__(self, "vector", np.array(self.weights, dtype=np.float32))

    def probabilities(self, rows: FloatArray) -> FloatArray:
        """Return the probabilities, shape ``(n,)``, of rows of values in the names' order."""
        logits = rows @ self.vector + np.float32(self.constant)
        bounded = np.minimum(np.maximum(logits, np.float32(-30)), np.float32(30))
        return np.asarray(1 / (1 + np.exp(-bounded)), dtype=np.float32)

    def probability(self, values: Mapping[str, float]) -> float:
        """Return the probability for the values."""
        pairs = zip(self.names, self.weights, strict=True)
        logit = self.constant + sum(weight * values[name] for name, weight in pairs)
        return 1 / (1 + exp(-max(min(logit, 30.0), -30.0)))


@dataclass(frozen=True, slots=True)
class Weights:
    """What one kind of evidence is weighed by."""

    name: str
    combination: Combination
    needed: Logistic
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


def write_fitted(fitted: Fitted, folder: Path) -> None:
    """Write what was fitted as the files that ``read_fitted`` reads: matrices in half precision."""
    folder.mkdir(parents=True, exist_ok=True)
    head = fitted.heads["usem3"]
    np.savez(
        folder / "head.npz",
        task=head.task.astype(np.float16),
        tool=head.tool.astype(np.float16),
    )
    written = {name: _written(weights) for name, weights in fitted.weights.items()}
    (folder / "weights.json").write_text(json.dumps(written, indent=1) + "\n")


def unit(vectors: FloatArray) -> FloatArray:
    """Return the rows of a matrix at unit length; a row of zeros stays one."""
    lengths = np.sqrt(np.add.reduce(vectors * vectors, axis=1, keepdims=True))
    lengths[lengths == 0] = 1
    return np.asarray(vectors / lengths, dtype=np.float32)


def _weights(name: str, entry: Mapping[str, Any]) -> Weights:
    combination = entry["combination"]
    return Weights(
        name=name,
        combination=Combination(
            features=_vector(combination["features"], FEATURES),
            by_size=_vector(combination["by_size"], FEATURES),
            context=_vector(combination["context"], CONTEXT),
            constant=float(combination["constant"]),
        ),
        needed=_logistic(entry["needed"]),
        confidence=_logistic(entry["confidence"]),
    )


def _logistic(entry: Mapping[str, Any]) -> Logistic:
    return Logistic(
        names=tuple(entry["weights"]),
        weights=tuple(map(float, entry["weights"].values())),
        constant=float(entry["constant"]),
    )


def _written(weights: Weights) -> dict[str, Any]:
    combination = weights.combination
    features = zip(FEATURES, combination.features.tolist(), strict=True)
    by_size = zip(FEATURES, combination.by_size.tolist(), strict=True)
    context = zip(CONTEXT, combination.context.tolist(), strict=True)
    return {
        "combination": {
            "features": {name: round(value, 4) for name, value in features if value},
            "by_size": {name: round(value, 4) for name, value in by_size if value},
            "context": {name: round(value, 4) for name, value in context if value},
            "constant": round(combination.constant, 4),
        },
        "needed": _written_logistic(weights.needed),
        "confidence": _written_logistic(weights.confidence),
    }


def _written_logistic(logistic: Logistic) -> dict[str, Any]:
    values = zip(logistic.names, logistic.weights, strict=True)
    return {
        "weights": {name: round(value, 4) for name, value in values},
        "constant": round(logistic.constant, 4),
    }


def _vector(named: Mapping[str, float], names: Sequence[str]) -> FloatArray:
    return np.array([named.get(name, 0.0) for name in names], dtype=np.float32)
