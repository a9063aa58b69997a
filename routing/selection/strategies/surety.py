"""How sure a strategy is of what it proposes: by the shipped mapping, or the catalog's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from routing.selection.calibration import SHIPPED, Way
from routing.selection.confidence import MOST_CERTAIN, describe, logit
from routing.selection.cut import Kept
from routing.selection.reading import Reading
from routing.selection.strategies.contract import Request
from routing.selection.strategies.evidential import weights_of
from routing.selection.types import ConfidenceSource


@dataclass(frozen=True, slots=True)
class Surety:
    """A confidence, where it is from, and the values that it went by."""

    confidence: float
    source: ConfidenceSource
    values: Mapping[str, float] = field(default_factory=dict)


def surety_of_tools(request: Request, reading: Reading, kept: Kept, *, way: Way) -> Surety:
    """Return how sure it is that what is kept is all that the task needs."""
    if not kept.numbers:
        return Surety(0.0, ConfidenceSource.SHIPPED)
    values = describe(reading.beliefs, kept)
    shipped = weights_of(request, reading).confidence.probability(values)
    return _told(request, shipped, values, way=way)


def surety_of_groups(request: Request, shipped: float) -> Surety:
    """Return how sure the groups are that a task's examples opened with some belief."""
    return _told(request, shipped, {}, way=Way.GROUPS)


def _told(request: Request, shipped: float, values: Mapping[str, float], *, way: Way) -> Surety:
    known = {**values, SHIPPED: logit(shipped)}
    calibration = request.index.calibration
    # An encoder that has just failed leaves other evidence than was fitted to.
    if calibration is None or calibration.way is not way or not request.semantic:
        return Surety(_bounded(shipped), ConfidenceSource.SHIPPED, known)
    return Surety(_bounded(calibration.confidence(known)), ConfidenceSource.FITTED, known)


def _bounded(probability: float) -> float:
    return round(min(probability, MOST_CERTAIN), 4)
