"""Coverage against size: what a fixed cut of the ranking covers, and what the served cut does."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from routing.evaluation.measures import coverage_at, measured
from routing.evaluation.outcomes import DEPTH, Outcomes

FIXED_CAP = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """``fixed[k - 1]`` is the coverage of the ``k`` best tools.

    ``served`` is (mean size, coverage) of what was served, ``proposed`` of what would have been
    were no confidence too low. ``equal_size`` is the size, between whole ones by interpolation, at
    which a fixed cut covers as much as the proposal; ``None`` if even ``DEPTH`` tools do not.
    """

    fixed: tuple[float, ...]
    served: tuple[float, float]
    proposed: tuple[float, float]
    equal_size: float | None


def coverage_curve(outcomes: Outcomes) -> Curve | None:
    """Return the curve; ``None`` without a case that expects a tool."""
    if not len(outcomes.expecting):
        return None
    fixed = tuple(coverage_at(outcomes, depth=depth) or 0.0 for depth in range(1, DEPTH + 1))
    found = {name: value or 0.0 for name, value in measured(outcomes).items()}
    proposed = (found["proposed_tools"], found["proposed_coverage"])
    return Curve(
        fixed=fixed,
        served=(found["mean_tools"], found["coverage"]),
        proposed=proposed,
        equal_size=size_covering(fixed, proposed[1]),
    )


def size_covering(fixed: tuple[float, ...], coverage: float) -> float | None:
    """Return the smallest size at which fixed cuts reach a coverage, straight between sizes."""
    reached = np.nonzero(np.asarray(fixed) >= coverage)[0]
    if not len(reached):
        return None
    place = int(reached[0])
    below = fixed[place - 1] if place else 0.0
    step = fixed[place] - below
    return float(place + (coverage - below) / step) if step else float(place)
