"""Compile what each route of a document allows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from routing.selection.arrays import BoolArray, IntArray
from routing.selection.index import Group, Route, Standing
from routing.selection.membership import groups_holding

Document = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Allowed:
    """What may be served whatever the route: masks over the tools; the groups' members as there."""

    enabled: BoolArray
    selectable: BoolArray
    member_tools: IntArray
    member_offsets: IntArray


def compile_routes(
    document: Document,
    position: Mapping[str, int],
    groups: Mapping[str, Group],
    allowed: Allowed,
) -> dict[str, Route]:
    """Return the routes of a document by their names."""
    tools: Sequence[Document] = document["tools"]
    always_on = [position[name] for name in document.get("always_on", ())]
    routes: dict[str, Route] = {}
    for route in document.get("routes", ()):
        named = frozenset(route.get("groups", ()))
        effects = frozenset(route.get("side_effects", ()))
        mask = np.zeros(len(tools), dtype=np.bool_)
        mask[positions(route.get("tools", ()), position)] = True
        for name in named:
            mask[groups[name].members] = True
        mask &= np.array([tool.get("side_effect") in effects for tool in tools], dtype=np.bool_)
        mask[always_on] = True
        routes[route["name"]] = compile_route(
            route["name"],
            tools=mask,
            groups=tuple(name for name in groups if name in named),
            group_mask=np.array([name in named for name in groups], dtype=np.bool_),
            allowed=allowed,
        )
    return routes


def compile_route(
    name: str | None,
    *,
    tools: BoolArray,
    groups: tuple[str, ...],
    group_mask: BoolArray,
    allowed: Allowed,
) -> Route:
    """Return a route with what it leaves as long as nothing is switched off."""
    servable = allowed.enabled & tools
    candidates = servable & allowed.selectable
    held = groups_holding(candidates, allowed.member_tools, allowed.member_offsets)
    standing = Standing(servable=servable, candidates=candidates, groups=group_mask & held)
    for mask in (standing.servable, standing.candidates, standing.groups):
        mask.flags.writeable = False  # shared by all requests
    disabled = tools & ~allowed.enabled
    return Route(
        name=name,
        tools=tools,
        groups=groups,
        group_mask=group_mask,
        standing=standing,
        disabled=disabled if disabled.any() else None,
    )


def positions(names: Sequence[str], position: Mapping[str, int]) -> IntArray:
    """Return the positions of named tools, in the names' order."""
    return np.array([position[name] for name in names], dtype=np.intp)
