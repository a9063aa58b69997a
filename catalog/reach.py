"""What each route of a draft can reach, and why not the rest: the same as a release will allow.

Six queries, whatever the size of the catalog and the number of routes.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from django.db import models
from django.utils.translation import gettext_lazy as _

from catalog.models import Catalog, Group, GroupTool, Route


class Verdict(Enum):
    """Whether a route lets a tool be reached, or what keeps it away."""

    ALLOWED = "allowed"
    ALWAYS_ON = "always_on"
    SIDE_EFFECT = "side_effect"
    NOT_NAMED = "not_named"

    @property
    def reaches(self) -> bool:
        """Tell whether the tool can be served."""
        return self in (Verdict.ALLOWED, Verdict.ALWAYS_ON)


WORDS = {
    Verdict.ALLOWED: _("can be reached"),
    Verdict.ALWAYS_ON: _("always on: every route has it"),
    Verdict.SIDE_EFFECT: _("named, but its side effect is not allowed"),
    Verdict.NOT_NAMED: _("not named: denied"),
}


@dataclass(frozen=True, slots=True)
class Reach:
    """The verdict on every tool, by id, and whether an unsure selection has a tool to serve."""

    verdicts: Mapping[int, Verdict]
    falls_back: bool

    def tools(self, *verdicts: Verdict) -> list[int]:
        """Return the ids of the tools with one of some verdicts."""
        return [tool for tool, verdict in self.verdicts.items() if verdict in verdicts]

    @property
    def reached(self) -> int:
        """Return how many tools can be reached."""
        return sum(verdict.reaches for verdict in self.verdicts.values())


def reach_of_routes(catalog: Catalog, routes: Sequence[Route]) -> dict[int, Reach]:
    """Return what each of some routes of a catalog can reach, by the route's id."""
    keys = [route.pk for route in routes]
    tools = list(catalog.tools.values_list("pk", "side_effect", "always_on", "is_default"))
    members: dict[int, list[int]] = defaultdict(list)
    places = GroupTool.objects.filter(group__in=Group.objects.filter(routes__in=keys))
    for group, tool in places.order_by().values_list("group_id", "tool_id"):
        members[group].append(tool)
    own = _pairs(Route.tools.through.objects.filter(route__in=keys), "tool_id")
    groups = _pairs(Route.groups.through.objects.filter(route__in=keys), "group_id")
    found = {}
    for route in routes:
        named = {*own[route.pk], *(tool for group in groups[route.pk] for tool in members[group])}
        effects = frozenset(route.side_effects)
        verdicts = {
            tool: _verdict(tool in named, effect in effects, always_on)
            for tool, effect, always_on, _is_default in tools
        }
        falls_back = any(
            is_default and verdicts[tool].reaches for tool, _effect, _on, is_default in tools
        )
        found[route.pk] = Reach(verdicts=verdicts, falls_back=falls_back)
    return found


def _verdict(named: bool, effect_allowed: bool, always_on: bool) -> Verdict:
    if named and effect_allowed:
        return Verdict.ALLOWED
    if always_on:
        return Verdict.ALWAYS_ON
    return Verdict.SIDE_EFFECT if named else Verdict.NOT_NAMED


def _pairs(rows: "models.QuerySet[models.Model]", column: str) -> Mapping[int, list[int]]:
    found: dict[int, list[int]] = defaultdict(list)
    for route, part in rows.values_list("route_id", column):
        found[route].append(part)
    return found
