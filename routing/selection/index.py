"""A compiled release: everything that a selection needs of it, as arrays and inverted lists.

Tools are positions in the document's tool list. The index never changes, so that one is shared by
all threads of a process for as long as its release is used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from routing.selection.arrays import BoolArray, FloatArray, IntArray
from routing.selection.encoders import Encoder
from routing.selection.lexical import Lexicon
from routing.selection.membership import groups_holding
from routing.selection.naming import Names
from routing.selection.rules import IntentRule, KeywordRule
from routing.selection.scanning import Tools
from routing.selection.types import CAPABILITY_OFF, ROUTE_OFF, Strategy

if TYPE_CHECKING:
    from routing.selection.calibration import Calibration
    from routing.selection.classifier import Placed
    from routing.selection.weights import Head, NoHead, Weights


class UnknownPhase(ValueError):
    """The catalog has no phase of this name."""


class IllegalTransition(ValueError):
    """The phase that the run is in does not lead to the one asked for."""


class UnknownRoute(ValueError):
    """The catalog has no route of this name, or has routes and none was named."""


class UnknownGroup(ValueError):
    """The catalog has no group of this name."""


class GroupNotAllowed(ValueError):
    """The route does not let this group be asked for."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The catalog's own settings, used where a query says nothing."""

    strategy: Strategy
    threshold: float
    max_tools: int
    inclusive: bool
    initial_phase: str | None


@dataclass(frozen=True, slots=True)
class Group:
    """A group; ``members`` are positions in the group's own order."""

    name: str
    number: int
    members: IntArray


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase; ``tools`` are positions: its own tools, then those of its groups."""

    name: str
    tools: tuple[int, ...]
    next: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Route:
    """What one kind of request may use: a mask over the tools, and the groups to ask for.

    ``standing`` is what that leaves as long as nothing is switched off; ``disabled`` masks the
    tools that the route would allow if they were enabled, ``None`` where there are none.
    """

    name: str | None
    tools: BoolArray
    groups: tuple[str, ...]
    group_mask: BoolArray
    standing: Standing
    disabled: BoolArray | None


@dataclass(frozen=True, slots=True)
class Standing:
    """Masks that nobody writes to.

    Of the tools that may be served, of those of them that are not always-on anyway, and of the
    groups that the route allows and that hold one of the latter.
    """

    servable: BoolArray
    candidates: BoolArray
    groups: BoolArray


@dataclass(frozen=True, slots=True)
class Examples:
    """Vectors of example tasks, shape ``(m, d)``; ``groups`` says whose each is (-1: no group's).

    ``tools`` says which tool an example belongs to (-1: it is the group's own).
    """

    vectors: FloatArray
    groups: IntArray
    tools: IntArray


@dataclass(frozen=True, slots=True)
class Vectors:
    """What the encoder made of a release, in float32 and Fortran order, which scans faster.

    ``tools`` are the means of each tool's two vectors, of length ``width``. ``groups`` has shape
    ``(groups, width)``; ``vague``, shape ``(width,)``, is the mean of tasks that say nothing.
    All are of unit length and as ``head`` sees them; ``width`` is the length of the first leg of
    the encoder's vectors. ``second``, shape ``(tools, further)``, is of a second leg if there
    is one. ``groups_are_shown`` says whether most groups have examples of their own.
    """

    width: int
    head: Head | NoHead
    tools: Tools
    groups: FloatArray
    vague: FloatArray
    examples: Examples
    groups_are_shown: bool
    second: FloatArray | None = None


@dataclass(frozen=True, slots=True)
class Filled:
    """The groups that have members.

    ``groups`` are their numbers, ``starts``, same shape, where each one's members begin in
    ``member_tools``; ``places``, shape of that, says which of them each member is of.
    """

    groups: IntArray
    starts: IntArray
    places: IntArray


@dataclass(frozen=True, slots=True)
class Index:
    """A compiled release.

    ``rank`` is each tool's place in catalog order: groups in order, tools as placed in the first
    group that holds them, tools of no group, always-on tools. ``home`` is the number of that first
    group, or -1. ``marks`` tell the tools' own texts apart (``own_mark``). ``member_tools`` and
    ``member_offsets`` are all groups' members end to end; ``tool_groups``, shape ``(tools, most
    groups of a tool)``, are the numbers of each tool's groups, then -1.
    """

    catalog: str
    settings: Settings
    tools: tuple[str, ...]
    position: Mapping[str, int]
    capabilities: Mapping[str, IntArray]
    enabled: BoolArray
    reads: BoolArray
    rank: IntArray
    home: IntArray
    marks: tuple[str, ...]
    always_on: tuple[int, ...]
    default_tools: tuple[int, ...]
    selectable: BoolArray
    groups: Mapping[str, Group]
    group_names: tuple[str, ...]
    member_tools: IntArray
    member_offsets: IntArray
    member_counts: IntArray
    filled: Filled
    tool_groups: IntArray
    phases: Mapping[str, Phase]
    routes: Mapping[str, Route]
    unrouted: Route
    keyword_rules: tuple[KeywordRule, ...]
    intent_rules: tuple[IntentRule, ...]
    channels: Mapping[tuple[str, str], tuple[str, ...]]
    language: str
    names: Names
    tool_lexicon: Lexicon
    weights: Weights
    weights_of_words: Weights
    encoder: Encoder | None
    vectors: Vectors | None
    classifier: Placed | None = None
    calibration: Calibration | None = None

    @property
    def semantic(self) -> bool:
        """Whether tasks are compared by vectors as well as by words."""
        return self.vectors is not None

    @property
    def groups_are_shown(self) -> bool:
        """Whether the vectors of most groups' own example tasks are there."""
        return self.vectors is not None and self.vectors.groups_are_shown

    def phase(self, name: str | None) -> Phase | None:
        """Return the phase, the initial one for ``None``. Raises ``UnknownPhase``."""
        chosen = name if name is not None else self.settings.initial_phase
        if chosen is None:
            return None
        if chosen not in self.phases:
            raise UnknownPhase(f"The catalog {self.catalog!r} has no phase {chosen!r}.")
        return self.phases[chosen]

    def route(self, name: str | None) -> Route:
        """Return what a route allows; everything where the catalog has none.

        Raises ``UnknownRoute``, also for ``None`` where the catalog has routes: what a route does
        not allow is denied.
        """
        if name is None and not self.routes:
            return self.unrouted
        if name is None or name not in self.routes:
            said = "a route must be named" if name is None else f"there is no route {name!r}"
            raise UnknownRoute(f"In the catalog {self.catalog!r} {said}.")
        return self.routes[name]

    def requestable_group(self, name: str, route: Route) -> Group:
        """Return a group that may be asked for. Raises ``UnknownGroup``, ``GroupNotAllowed``."""
        if name not in self.groups:
            raise UnknownGroup(f"The catalog {self.catalog!r} has no group {name!r}.")
        if name not in route.groups:
            raise GroupNotAllowed(f"The route {route.name!r} does not allow the group {name!r}.")
        return self.groups[name]

    def in_order(self, positions: Sequence[int]) -> tuple[int, ...]:
        """Return the positions in catalog order, each once."""
        return tuple(sorted(dict.fromkeys(positions), key=self.rank.__getitem__))

    def homes_of(self, positions: Sequence[int]) -> tuple[str, ...]:
        """Return the groups that the tools belong to, in catalog order, each once."""
        numbers = {int(self.home[position]) for position in positions} - {-1}
        return tuple(self.group_names[number] for number in sorted(numbers))

    def in_group_order(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the groups' names in catalog order, each once."""
        return tuple(sorted(dict.fromkeys(names), key=lambda name: self.groups[name].number))

    def members(self, names: Sequence[str]) -> list[int]:
        """Return the tools of the groups in their order, each once."""
        listed = (int(tool) for name in names for tool in self.groups[name].members)
        return list(dict.fromkeys(listed))

    def members_of(self, groups: BoolArray) -> IntArray:
        """Return the tools of the groups of a mask; one of several groups more than once."""
        return self.member_tools[np.repeat(groups, self.member_counts)]

    def members_by_number(self, number: int) -> list[int]:
        """Return the tools of the group with a number, in its order."""
        members: list[int] = self.groups[self.group_names[number]].members.tolist()
        return members

    def groups_holding(self, tools: BoolArray) -> BoolArray:
        """Return a mask of the groups that hold a tool of a mask."""
        return groups_holding(tools, self.member_tools, self.member_offsets)

    def standing(self, route: Route, switched_off: frozenset[str]) -> Standing:
        """Return what a route leaves where something is switched off."""
        if not switched_off:
            return route.standing
        servable = route.standing.servable & ~self.switched_off(switched_off)
        candidates = servable & self.selectable
        return Standing(
            servable=servable,
            candidates=candidates,
            groups=route.group_mask & self.groups_holding(candidates),
        )

    def switched_off(self, names: frozenset[str]) -> BoolArray:
        """Return a mask of the tools that are off, named as ``Circumstances`` has it.

        A name that the release does not know is no error: circuits outlive versions.
        """
        off = np.zeros(len(self.tools), dtype=np.bool_)
        for name in names:
            if name.startswith(CAPABILITY_OFF):
                capability = name.removeprefix(CAPABILITY_OFF)
                if capability in self.capabilities:
                    off[self.capabilities[capability]] = True
            elif name.startswith(ROUTE_OFF):
                off |= self.selectable
            elif name in self.position:
                off[self.position[name]] = True
        return off
