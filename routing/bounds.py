"""What a run's route lets it do, in names: the side of a release that decisions look at."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from routing.selection import Index, UnknownRoute


@dataclass(frozen=True, slots=True)
class RouteBounds:
    """A route: the tools that may be called on it, its ceilings, and who holds what.

    ``holders`` are the groups of each tool, as far as the route lets them be asked for.
    """

    tools: frozenset[str] = frozenset()
    holders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    budget: Mapping[str, Any] = field(default_factory=dict)


NOTHING = RouteBounds()


def bounds_of(*, document: Mapping[str, Any], index: Index, route: str | None) -> RouteBounds:
    """Return what a route allows; ``None`` is no route, and all there is where there are none.

    Of a route that the release does not have, nothing is allowed.
    """
    try:
        known = index.route(route)
    except UnknownRoute:
        return NOTHING
    holders: dict[str, tuple[str, ...]] = {}
    for name in known.groups:
        for tool in index.groups[name].members.tolist():
            if known.tools[tool]:
                holders[index.tools[tool]] = (*holders.get(index.tools[tool], ()), name)
    budgets = {one["name"]: one["budget"] for one in document["routes"]}
    return RouteBounds(
        tools=frozenset(index.tools[tool] for tool in known.tools.nonzero()[0].tolist()),
        holders=holders,
        budget=budgets.get(route, {}),
    )
