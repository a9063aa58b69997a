"""What is counted by the hour, as plain values: from spans, or from tables kept by the hour."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SelectionHour:
    """The selections of one hour and source.

    ``confident`` of them have an estimated confidence, which add up to ``confidence_sum``; those
    decided by a rule have an assumed one and count in neither. ``opened`` of them served groups, of
    which there were ``groups`` together.
    """

    hour: int
    source: str
    selections: int
    confident: int
    confidence_sum: float
    opened: int
    groups: int
    tokens_selected: int
    tokens_catalog: int
    fallbacks: Mapping[str, int]
    decided_by: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class ExpandedHour:
    """The selections of one hour that were followed by ``request_group``.

    ``unopened`` of them had served no group of their own. ``groups`` and ``tokens`` are what all
    their expansions added.
    """

    hour: int
    expanded: int
    unopened: int
    groups: int
    tokens: int


@dataclass(frozen=True, slots=True)
class ExpansionHour:
    """How often a group was asked for in one hour."""

    hour: int
    group: str
    count: int


@dataclass(frozen=True, slots=True)
class ConfidenceHour:
    """Selections of one hour whose confidence lies in a bin of 1/20; ``bin`` is 0 to 19.

    ``fell_back`` tells those that were answered with the default tools.
    """

    hour: int
    bin: int
    fell_back: bool
    count: int


@dataclass(frozen=True, slots=True)
class RunCount:
    """Runs by their last outcome ("" for none yet).

    ``silent`` of them failed, or needed a person, without ever asking for another group.
    """

    outcome: str
    count: int
    silent: int
