"""Tasks that go elsewhere on another version, gathered by where from and where to.

Whose destinations are to be told apart, their callers decide: a comparison takes all that differ,
the gate those that lost something that was served.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

GROUPS, TOOLS, FALLBACK, NOTHING = "groups", "tools", "fallback", "nothing"

KeyT = TypeVar("KeyT", bound=Hashable)


@dataclass(frozen=True, slots=True, order=True)
class Destination:
    """Where a task goes: ``kind`` says what ``names`` are, of groups, tools, or a fallback."""

    kind: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Diversion(Generic[KeyT]):
    """Tasks that went to ``before`` and go to ``after``; ``keys`` are theirs."""

    before: Destination
    after: Destination
    keys: tuple[KeyT, ...]


def destination(*, groups: Sequence[str], tools: Sequence[str], fallback: str) -> Destination:
    """Return where a selection sends its task; the order in which names are served is none."""
    if fallback:
        return Destination(FALLBACK, (fallback,))
    if groups:
        return Destination(GROUPS, tuple(sorted(groups)))
    return Destination(TOOLS, tuple(sorted(tools))) if tools else Destination(NOTHING)


def diversions(
    tasks: Iterable[tuple[KeyT, Destination, Destination]],
) -> list[Diversion[KeyT]]:
    """Return the tasks whose destination changed, those of most tasks first.

    Where both have groups, other tools of the same groups divert nothing.
    """
    found: dict[tuple[Destination, Destination], list[KeyT]] = defaultdict(list)
    for key, before, after in tasks:
        if before != after:
            found[before, after].append(key)
    ordered = sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))
    return [Diversion(before, after, tuple(keys)) for (before, after), keys in ordered]


def renamed_groups(
    before: Mapping[str, frozenset[str]], after: Mapping[str, frozenset[str]]
) -> dict[str, str]:
    """Return the new name of each group that has the same tools under another name.

    One that two could be is none, and one without tools is not told apart.
    """
    gone = {name: tools for name, tools in before.items() if name not in after}
    come = {name: tools for name, tools in after.items() if name not in before}
    found = {}
    for name, tools in gone.items():
        same = [other for other, held in come.items() if held == tools]
        alike = [other for other, held in gone.items() if held == tools]
        if tools and len(same) == 1 and len(alike) == 1:
            found[name] = same[0]
    return found
