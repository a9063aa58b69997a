"""The values that a selection is made of.

``select(query, index, circumstances)`` is a pure function: everything that an answer depends on is
one of its three arguments. A ``Query`` is what the agent asks, an ``Index`` (see ``index.py``) is a
compiled release, ``Circumstances`` are what the server knows beside them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from routing.selection.model_answer import ModelAnswer

CAPABILITY_OFF, ROUTE_OFF = "capability:", "route:"
"""What stands before names in ``Circumstances.switched_off``; no tool's name holds a colon."""


class Strategy(StrEnum):
    """The strategies that a release can be asked for, by their names in the API."""

    AUTO = "auto"
    ALL = "all"
    PHASE = "phase"
    KEYWORD = "keyword"
    PHASE_KEYWORD = "phase+keyword"
    RULES = "rules"
    RULES_EMBEDDING = "rules+embedding"
    EMBEDDING = "embedding"
    HIERARCHICAL = "hierarchical"
    CLASSIFIER = "classifier"
    STATE_MACHINE = "state_machine"
    LLM = "llm"


class Why(StrEnum):
    """Why a tool is in a selection."""

    RULE = "rule"
    KEYWORD = "keyword"
    PHASE = "phase"
    LEXICAL = "lexical"
    SEMANTIC = "semantic"
    CLASSIFIER = "classifier"
    MODEL = "model"
    GROUP = "group"
    OPEN_GROUP = "open_group"
    DEFAULT = "default"
    ALWAYS_ON = "always_on"
    ALL = "all"


class WhyNot(StrEnum):
    """Why a tool is not in a selection."""

    BELOW_CUT = "below_cut"
    OVER_CAP = "over_cap"
    BELOW_THRESHOLD = "below_threshold"
    ROUTE = "route"
    DISABLED = "disabled"
    CIRCUIT_OPEN = "circuit_open"
    NOT_IN_PHASE = "not_in_phase"
    REMOVED_BY_RULE = "removed_by_rule"


class Fallback(StrEnum):
    """Why a selection is not what its strategy proposed."""

    LOW_CONFIDENCE = "low_confidence"
    NO_MATCH = "no_match"
    STRATEGY_FAILED = "strategy_failed"
    NOTHING_AVAILABLE = "nothing_available"


class ConfidenceSource(StrEnum):
    """Where a confidence comes from; an assumed one is a rule's 1.0 and no estimate."""

    FITTED = "fitted"
    SHIPPED = "shipped"
    ASSUMED = "assumed"


@dataclass(frozen=True, slots=True)
class Channel:
    """Where a task came in: ``kind`` is ``queue``, ``channel`` or ``event``."""

    kind: str
    value: str


@dataclass(frozen=True, slots=True)
class Query:
    """What an agent asks; ``None`` means the catalog's own setting.

    ``history`` is plain text, oldest first. ``route`` is resolved before a query is made: ``None``
    means that the catalog has no routes.
    """

    task: str
    history: tuple[str, ...] = ()
    phase: str | None = None
    channel: Channel | None = None
    route: str | None = None
    strategy: Strategy | None = None
    max_tools: int | None = None
    inclusive: bool | None = None
    open_groups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a selection depends on beside the query and the release.

    ``switched_off`` names what has an open circuit: tools by their names, capabilities after
    ``CAPABILITY_OFF``, and the selection's own route after ``ROUTE_OFF``, which leaves nothing but
    always-on tools. ``explore`` makes
    the selection inclusive, so that calls show what the cut would have missed. ``model_answer`` is
    what a router model said about the task, ``None`` where none was asked. ``came_from`` is the
    phase that the run is in so far: ``state_machine`` serves only what it leads to. ``None`` where
    there is no run, or the run is in no phase yet: every phase may begin.
    """

    switched_off: frozenset[str] = frozenset()
    explore: bool = False
    model_answer: ModelAnswer | None = None
    came_from: str | None = None


class Included(NamedTuple):
    """A tool that was kept. ``score`` is the strategy's own, or ``None`` where none was given."""

    tool: str
    score: float | None
    reason: Why


class Omitted(NamedTuple):
    """A tool that was not kept."""

    tool: str
    score: float | None
    reason: WhyNot


class ScoredGroup(NamedTuple):
    """A group as the strategy saw it, best first."""

    group: str
    score: float
    reason: Why


@dataclass(frozen=True, slots=True)
class Selection:
    """The answer.

    ``tools`` are positions in the release's tool list, in the order they are served: catalog order,
    then always-on tools. ``request_group`` is not among them: ``requestable`` are the groups that
    it may open (empty: it is left out). ``groups`` is what is served, ``proposed_groups`` what the
    strategy said before the threshold. ``omitted`` are the 20 nearest misses, ``omitted_counts``
    counts all by reason.
    """

    strategy: Strategy
    decided_by: Strategy
    groups: tuple[str, ...]
    proposed_groups: tuple[str, ...]
    confidence: float
    confidence_source: ConfidenceSource
    fallback: Fallback | None
    explored: bool
    tools: tuple[int, ...]
    requestable: tuple[str, ...]
    max_tools: int
    phase: str | None
    included: tuple[Included, ...] = ()
    omitted: tuple[Omitted, ...] = ()
    omitted_counts: Mapping[str, int] = field(default_factory=dict)
    scored_groups: tuple[ScoredGroup, ...] = ()
    failure: str | None = None
