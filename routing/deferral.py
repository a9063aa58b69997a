"""What a provider's own search may load: everything that a route allows beside the selection."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from catalog.formats.tool_search import (
    encode_deferred,
    encode_namespace,
    encode_reference,
    encode_search_tool,
    filled,
)
from routing.selection import Index


def deferred_tools(
    index: Index, *, route: str | None, offered: Iterable[int], switched_off: frozenset[str]
) -> tuple[int, ...]:
    """Return the tools that are not offered and could be, in catalog order.

    They are enabled, switched on and allowed on the route: an agent that searches them reaches
    these and those that it was offered, and no others. Raises ``UnknownRoute``.
    """
    servable = index.enabled & ~index.switched_off(switched_off) & index.route(route).tools
    servable[list(offered)] = False
    positions = servable.nonzero()[0]
    return tuple(positions[np.argsort(index.rank[positions], kind="stable")].tolist())


class Deferral:
    """A release's tools in one format as a search may load them, encoded once.

    A tool is always in the same namespace, the first group that its route allows to be asked for,
    and has the same bytes: what an agent sends changes from step to step only by what was selected.
    """

    def __init__(self, *, document: Mapping[str, Any], index: Index, format_name: str) -> None:
        self._index = index
        self._format = format_name
        self._tools = tuple(
            encode_deferred(tool, format_name=format_name) for tool in document["tools"]
        )
        self._search_tool = encode_search_tool(taken=index.position, format_name=format_name)
        self._namespaces = {
            group["name"]: namespace
            for group in document["groups"]
            if (
                namespace := encode_namespace(
                    group["name"], group["description"], format_name=format_name
                )
            )
            is not None
        }
        self._homes: dict[str | None, Mapping[int, str]] = {}

    def entries(self, tools: Sequence[int], *, route: str | None) -> list[bytes]:
        """Return what follows the offered tools: the search tool, namespaces, tools of none.

        Namespaces are in the order of groups, tools in the order given. Without tools there is
        nothing to search, and nothing follows.
        """
        if not tools:
            return []
        inside, apart = self.places(tools, route=route)
        return [
            self._search_tool,
            *(
                filled(self._namespaces[name], [self._tools[tool] for tool in held])
                for name, held in inside.items()
            ),
            *(self._tools[tool] for tool in apart),
        ]

    def places(
        self, tools: Iterable[int], *, route: str | None
    ) -> tuple[dict[str, list[int]], list[int]]:
        """Return which tools are in which namespace, and which are in none."""
        homes = self._homes_on(route)
        inside: dict[str, list[int]] = {group: [] for group in self._index.route(route).groups}
        apart: list[int] = []
        for tool in tools:
            group = homes.get(tool)
            (apart if group is None else inside[group]).append(tool)
        return {name: held for name, held in inside.items() if held}, apart

    def references(self, tools: Iterable[int], *, route: str | None) -> list[bytes]:
        """Return for each tool what points a model to it."""
        homes = self._homes_on(route)
        return [
            encode_reference(
                self._index.tools[tool], namespace=homes.get(tool), format_name=self._format
            )
            for tool in tools
        ]

    def _homes_on(self, route: str | None) -> Mapping[int, str]:
        """Return the namespace of each tool that is in one: only groups that the route allows.

        Another group's name and description are none of the agent's business.
        """
        homes = self._homes.get(route)
        if homes is None:
            made: dict[int, str] = {}
            for name in self._index.route(route).groups:
                if name in self._namespaces:
                    for tool in self._index.groups[name].members.tolist():
                        made.setdefault(tool, name)
            homes = self._homes[route] = made
        return homes
