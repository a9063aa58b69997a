"""The one contract of all strategies.

A strategy scores and explains. It knows nothing of HTTP, rows, other strategies, the cap, the
threshold or always-on tools; the pipeline does all that for every strategy alike. To add one: write
a module with a class of this shape, name it in ``registry.py``, and add a golden case.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, MutableMapping
from dataclasses import dataclass, field
from typing import Protocol

from routing.selection.arrays import BoolArray, FloatArray
from routing.selection.index import Index, Phase, Route
from routing.selection.model_answer import ModelAnswer
from routing.selection.reading import Reading
from routing.selection.types import (
    ConfidenceSource,
    Fallback,
    Query,
    ScoredGroup,
    Strategy,
    Why,
    WhyNot,
)


class NotServable(LookupError):
    """A strategy that has a name but cannot answer here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A query whose names are resolved.

    ``servable`` masks the tools that are enabled, switched on and allowed on the route;
    ``candidates`` those of them that are not always-on anyway; ``groups`` the groups that the route
    allows and that hold a candidate.
    ``came_from`` is the phase that the run is in so far, ``None`` where no run is known.
    ``semantic`` is false where the encoder has just failed. ``model_answer`` is what a router model
    said, if one was asked. ``readings`` keeps what was read of its texts, for whoever asks for the
    same candidates again with another cap or threshold.
    """

    query: Query
    index: Index
    route: Route
    phase: Phase | None
    servable: BoolArray
    candidates: BoolArray
    groups: BoolArray
    cap: int
    inclusive: bool
    came_from: Phase | None = None
    semantic: bool = True
    model_answer: ModelAnswer | None = None
    readings: MutableMapping[Hashable, Reading] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What a strategy says before threshold and cap.

    ``ranked`` are candidates, best first: the pipeline keeps as many as the cap lets it, and serves
    the default tools where there are none. ``groups`` are the groups that it opens or, for a
    strategy that chooses tools, the groups of its tools. ``scores`` has shape ``(tools,)``;
    ``None`` where the strategy has no scores. ``others`` says why tools that are not ranked are
    left out. A ``fallback`` marks a second-best answer. ``values`` are what an estimated
    confidence goes by: a calibration is fitted to them.
    """

    decided_by: Strategy
    ranked: tuple[int, ...]
    reasons: Mapping[int, Why]
    groups: tuple[str, ...] = ()
    confidence: float = 1.0
    confidence_source: ConfidenceSource = ConfidenceSource.ASSUMED
    scores: FloatArray | None = None
    scored_groups: tuple[ScoredGroup, ...] = ()
    removed: tuple[int, ...] = ()
    others: WhyNot = WhyNot.BELOW_CUT
    capped: bool = True
    fallback: Fallback | None = None
    values: Mapping[str, float] = field(default_factory=dict)


class Proposing(Protocol):
    """A strategy."""

    name: Strategy

    def propose(self, request: Request) -> Proposal | None:
        """Return a proposal, or ``None`` where the strategy has nothing to say (it abstains)."""
        ...


def allowed(request: Request, positions: tuple[int, ...]) -> tuple[int, ...]:
    """Return those of the tools that may be served, in the order given, each once."""
    return tuple(tool for tool in dict.fromkeys(positions) if request.candidates[tool])


def groups_of(request: Request, positions: tuple[int, ...]) -> tuple[str, ...]:
    """Return the groups of the tools, the first of each, in catalog order."""
    return request.index.homes_of(positions)
