"""A catalog's own mapping to a confidence, fitted to its reviewed cases.

The shipped mapping (``confidence``) is of many catalogs. A calibration corrects it for one: a
logistic mapping of the shipped logit and of the values that it goes by, held near the shipped one
where there are few cases. It is of one *way* of choosing: what opens groups by their examples is
sure in another way than what chooses tools.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from routing.selection.weights import Logistic, Weights

SHIPPED = "shipped"
"""The value that is the logit of the shipped confidence."""
FORMAT = 1


class Way(StrEnum):
    """What a confidence was worked out from."""

    TOOLS = "tools"
    GROUPS = "groups"
    HIERARCHICAL = "hierarchical"


class NoCalibration(ValueError):
    """The bytes are no calibration of a format that is known here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """A fitted mapping, of ``cases`` cases.

    ``encoder`` names the encoder that was seen with, ``none`` for words alone, and ``weights`` are
    the ``mark_of`` the shipped numbers: with others the values mean something else.
    """

    way: Way
    encoder: str
    weights: str
    logistic: Logistic
    cases: int
    seed: int

    def confidence(self, values: Mapping[str, float]) -> float:
        """Return the probability, 0..1, that what is proposed is all that the task needs."""
        return self.logistic.probability(values)


def mark_of(weights: Weights) -> str:
    """Return a mark of shipped numbers: others have another."""
    said = (
        weights.name,
        weights.combination.features.tolist(),
        weights.combination.by_size.tolist(),
        weights.combination.context.tolist(),
        weights.combination.constant,
        _written(weights.needed),
        _written(weights.confidence),
    )
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:16]


def _written(logistic: Logistic) -> dict[str, object]:
    """Return a mapping as a JSON value."""
    return {
        "names": list(logistic.names),
        "weights": list(logistic.weights),
        "constant": logistic.constant,
    }


def to_bytes(calibration: Calibration) -> bytes:
    """Return the canonical bytes of a calibration; equal ones have equal bytes."""
    value = {
        "format": FORMAT,
        "way": calibration.way.value,
        "encoder": calibration.encoder,
        "weights": calibration.weights,
        "logistic": _written(calibration.logistic),
        "cases": calibration.cases,
        "seed": calibration.seed,
    }
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def from_bytes(content: bytes) -> Calibration:
    """Return the calibration of some bytes. Raises ``NoCalibration``."""
    try:
        value = json.loads(content)
        if value["format"] != FORMAT:
            raise NoCalibration(f"The format {value['format']!r} of a calibration is not known.")
        logistic = value["logistic"]
        return Calibration(
            way=Way(value["way"]),
            encoder=value["encoder"],
            weights=value["weights"],
            logistic=Logistic(
                names=tuple(logistic["names"]),
                weights=tuple(map(float, logistic["weights"])),
                constant=float(logistic["constant"]),
            ),
            cases=int(value["cases"]),
            seed=int(value["seed"]),
        )
    except NoCalibration:
        raise
    except (ValueError, KeyError, TypeError) as error:
        raise NoCalibration(f"These bytes are no calibration: {error}") from error
