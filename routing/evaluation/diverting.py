"""Which tasks a change sends elsewhere, grouped by where they went before and where they go now.

A task is diverted where a group that was served is no more, or, among the same groups, where a tool
that it leaned on is no longer served. More of the same beside what was served diverts nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What the names of a diversion are."""

    GROUPS = "groups"
    TOOLS = "tools"


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """Where a task goes: the ``groups`` served, and the tool that stands first."""

    groups: tuple[str, ...]
    first: str = ""


@dataclass(frozen=True, slots=True)
class Diversion:
    """Tasks that go from some names to others; ``places`` are theirs among those compared.

    Names that are on both sides are left out. No name on the right means that nothing came in
    their stead: default tools, or fewer groups.
    """

    kind: Kind
    left: tuple[str, ...]
    right: tuple[str, ...]
    places: tuple[int, ...]


def way_of(
    before: Course, after: Course, *, dropped: Sequence[str]
) -> tuple[Kind, tuple[str, ...], tuple[str, ...]] | None:
    """Return from where to where a task is diverted; ``None`` where it is not.

    ``dropped`` are the tools that it leaned on and that are no longer served.
    """
    gone = tuple(name for name in before.groups if name not in after.groups)
    if gone:
        come = tuple(name for name in after.groups if name not in before.groups)
        return Kind.GROUPS, gone, come
    if dropped:
        return Kind.TOOLS, tuple(dropped), (after.first,) if after.first else ()
    return None


def diversions(ways: Iterable[tuple[Kind, tuple[str, ...], tuple[str, ...]] | None]) -> list[Diversion]:
    """Return tasks that are diverted alike together, those of most tasks first.

    ``ways`` has one of ``way_of`` for each task.
    """
    found: dict[tuple[Kind, tuple[str, ...], tuple[str, ...]], list[int]] = defaultdict(list)
    for place, way in enumerate(ways):
        if way is not None:
            found[way].append(place)
    ordered = sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))
    return [Diversion(*way, tuple(places)) for way, places in ordered]
