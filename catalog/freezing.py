"""Freeze a draft: read its rows, once each table, into the value of a document.

The number of queries is fixed whatever the size of the catalog.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from catalog.document import FORMAT, canonical_bytes, sha256_hex, tool_content
from catalog.formats.carried import CARRIED
from catalog.models import Catalog, GroupTool, Tool

# The fields of a tool that a document carries, in the words of document.schema.json.
TOOL_FIELDS = CARRIED["native"]


def freeze(catalog: Catalog) -> dict[str, Any]:
    """Return the document of the draft as it stands, in the shape of document.schema.json.

    A tool whose content differs from its newest revision carries the next number; the revision
    itself is made when the document is published.
    """
    rows = list(catalog.tools.order_by("position", "id"))
    groups = list(catalog.groups.order_by("position", "id"))
    members: dict[int, list[str]] = defaultdict(list)
    places = GroupTool.objects.filter(group__catalog=catalog).order_by("position", "id")
    for group_id, name in places.values_list("group_id", "tool__name"):
        members[group_id].append(name)
    phases = list(catalog.phases.prefetch_related("tools", "groups", "next"))
    return {
        "format": FORMAT,
        "catalog": catalog.name,
        "title": catalog.title,
        "settings": {
            "strategy": catalog.strategy,
            "threshold": catalog.threshold,
            "max_tools": catalog.max_tools,
            "inclusive": catalog.inclusive,
            "initial_phase": next((phase.name for phase in phases if phase.initial), None),
            "exploration": catalog.exploration,
        },
        "tools": _with_revisions(catalog, [tool_value(row) for row in rows]),
        "groups": [
            {
                "name": group.name,
                "description": group.description,
                "tools": members[group.pk],
                "examples": group.examples,
            }
            for group in groups
        ],
        "default_tools": [row.name for row in rows if row.is_default],
        "always_on": [row.name for row in rows if row.always_on],
        "phases": [
            {
                "name": phase.name,
                "description": phase.description,
                "tools": _names(phase.tools.all()),
                "groups": _names(phase.groups.all()),
                "next": _names(phase.next.all()),
            }
            for phase in phases
        ],
        **freeze_rules(catalog),
        "routes": [
            {
                "name": route.name,
                "tools": _names(route.tools.all()),
                "groups": _names(route.groups.all()),
                "side_effects": route.side_effects,
                "budget": route.budget,
            }
            for route in catalog.routes.prefetch_related("tools", "groups")
        ],
    }


def freeze_rules(catalog: Catalog) -> dict[str, list[dict[str, Any]]]:
    """Return the part of the document that holds the rules, kind by kind."""
    keyword_rules = catalog.keywordrules.prefetch_related(
        "add_tools", "remove_tools", "add_groups", "remove_groups"
    )
    return {
        "keyword_rules": [
            {
                "pattern": rule.pattern,
                "add_tools": _names(rule.add_tools.all()),
                "remove_tools": _names(rule.remove_tools.all()),
                "add_groups": _names(rule.add_groups.all()),
                "remove_groups": _names(rule.remove_groups.all()),
            }
            for rule in keyword_rules
        ],
        "intent_rules": [
            {
                "phrases": rule.phrases,
                "tools": _names(rule.tools.all()),
                "groups": _names(rule.groups.all()),
            }
            for rule in catalog.intentrules.prefetch_related("tools", "groups")
        ],
        "channel_rules": [
            {"kind": rule.kind, "value": rule.value, "groups": _names(rule.groups.all())}
            for rule in catalog.channelrules.prefetch_related("groups")
        ],
    }


def tool_value(tool: Tool) -> dict[str, Any]:
    """Return a tool as documents carry it, without its revision."""
    return {field: getattr(tool, field) for field in TOOL_FIELDS}


def _names(parts: Iterable[Any]) -> list[str]:
    return [part.name for part in sorted(parts, key=lambda part: (part.position, part.pk))]


def _with_revisions(catalog: Catalog, tools: list[dict[str, Any]]) -> list[dict[str, Any]]:
    rows = catalog.tool_revisions.newest().values("name", "revision", "sha256")
    newest = {row["name"]: row for row in rows}
    return [{**tool, "revision": _revision(tool, newest.get(tool["name"]))} for tool in tools]


def _revision(tool: Mapping[str, Any], newest: Mapping[str, Any] | None) -> int:
    if newest is None:
        return 1
    unchanged = sha256_hex(canonical_bytes(tool_content(tool))) == newest["sha256"]
    return int(newest["revision"]) + (0 if unchanged else 1)
