"""Freeze a draft: read its rows, once each table, into the value and the bytes of a document.

The number of queries is fixed whatever the size of the catalog.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import models

from catalog.document import FORMAT, canonical_bytes, parse, sha256_hex
from catalog.frozen_tools import TOOL_FIELDS, FrozenTool, ToolRow, read_tools
from catalog.models import (
    Catalog,
    ChannelRule,
    Group,
    GroupTool,
    IntentRule,
    KeywordRule,
    Phase,
    Route,
    Tool,
)
from catalog.revisions import known_revisions

__all__ = ["TOOL_FIELDS", "Frozen", "freeze", "freeze_rules", "frozen_draft", "tool_value"]


class _Names(dict[int, str | None]):
    """Names by row id, in catalog order.

    A reference out of the catalog keeps its name, so that it is found to dangle; one to a row that
    went away between two queries has none, and is left out.
    """

    def __init__(self, model: type[Tool | Group | Phase], names: Iterable[tuple[int, str]]) -> None:
        super().__init__(names)
        self._model = model
        self._places = {pk: place for place, pk in enumerate(self)}

    def __missing__(self, pk: int) -> str | None:
        found = self._model.objects.filter(pk=pk).values_list("name", flat=True).first()
        return self.setdefault(pk, found)

    def of(self, pks: Iterable[int]) -> list[str]:
        """Return names in the order of their row ids here."""
        return [name for name in (self[pk] for pk in pks) if name is not None]

    def in_order(self, pks: Iterable[int]) -> list[str]:
        """Return names in catalog order."""
        places = self._places
        return self.of(sorted(pks, key=lambda pk: places.get(pk, len(places))))


@dataclass(frozen=True, slots=True)
class Frozen:
    """A draft as a document: its value as it is read back from its canonical bytes, and these.

    Parts of the value are shared with other looks at the same draft: it is read only. ``tools`` are
    the tools of the value with the number of each's revision.
    """

    value: Mapping[str, Any]
    content: bytes
    sha256: str
    tools: tuple[tuple[FrozenTool, int], ...]


def freeze(catalog: Catalog) -> dict[str, Any]:
    """Return the document of the draft as it stands, in the shape of document.schema.json.

    A tool whose content is new carries the next number; the revision itself is made when the
    document is published. Content that was published before carries the number that it had then.
    The value is the caller's own.
    """
    return parse(frozen_draft(catalog).content)


def frozen_draft(catalog: Catalog) -> Frozen:
    """Return the draft as it stands; what ``freeze`` returns, shared, with its bytes and hash."""
    rows = read_tools(catalog)
    tools = tuple(_with_revisions(catalog, [row.tool for row in rows]))
    rest = canonical_bytes(_all_but_tools(catalog, rows))
    # "tools" sorts last among the keys of a document.
    listed = b",".join(tool.content_of(revision) for tool, revision in tools)
    content = b'%s,"tools":[%s]}' % (rest[:-1], listed)
    value = {**parse(rest), "tools": [tool.value(revision) for tool, revision in tools]}
    return Frozen(value=value, content=content, sha256=sha256_hex(content), tools=tools)


def _all_but_tools(catalog: Catalog, rows: Iterable[ToolRow]) -> dict[str, Any]:
    tools = _Names(Tool, ((row.pk, row.tool.name) for row in rows))
    groups = list(catalog.groups.order_by("position", "id"))
    group_names = _Names(Group, ((group.pk, group.name) for group in groups))
    members: dict[int, list[int]] = defaultdict(list)
    places = GroupTool.objects.filter(group__catalog=catalog).order_by("position", "id")
    for group_id, tool_id in places.values_list("group_id", "tool_id"):
        members[group_id].append(tool_id)
    phases = list(catalog.phases.all())
    phase_names = _Names(Phase, ((phase.pk, phase.name) for phase in phases))
    phase_tools, phase_groups, following = (
        _linked(catalog, Phase, field, names)
        for field, names in (("tools", tools), ("groups", group_names), ("next", phase_names))
    )
    route_tools = _linked(catalog, Route, "tools", tools)
    route_groups = _linked(catalog, Route, "groups", group_names)
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
        "groups": [
            {
                "name": group.name,
                "description": group.description,
                "tools": tools.of(members[group.pk]),
                "examples": group.examples,
            }
            for group in groups
        ],
        "default_tools": [row.tool.name for row in rows if row.is_default],
        "always_on": [row.tool.name for row in rows if row.always_on],
        "phases": [
            {
                "name": phase.name,
                "description": phase.description,
                "tools": phase_tools[phase.pk],
                "groups": phase_groups[phase.pk],
                "next": following[phase.pk],
            }
            for phase in phases
        ],
        **_rules(catalog, tools=tools, groups=group_names),
        "routes": [
            {
                "name": route.name,
                "tools": route_tools[route.pk],
                "groups": route_groups[route.pk],
                "side_effects": route.side_effects,
                "budget": route.budget,
            }
            for route in catalog.routes.all()
        ],
    }


def freeze_rules(catalog: Catalog) -> dict[str, list[dict[str, Any]]]:
    """Return the part of the document that holds the rules, kind by kind."""
    tools, groups = (
        _Names(model, model.objects.filter(catalog=catalog).values_list("pk", "name"))
        for model in (Tool, Group)
    )
    return _rules(catalog, tools=tools, groups=groups)


def _rules(catalog: Catalog, *, tools: _Names, groups: _Names) -> dict[str, list[dict[str, Any]]]:
    keyword = {
        field: _linked(catalog, KeywordRule, field, tools if field.endswith("tools") else groups)
        for field in ("add_tools", "remove_tools", "add_groups", "remove_groups")
    }
    intent_tools = _linked(catalog, IntentRule, "tools", tools)
    intent_groups = _linked(catalog, IntentRule, "groups", groups)
    channel_groups = _linked(catalog, ChannelRule, "groups", groups)
    return {
        "keyword_rules": [
            {"pattern": rule.pattern, **{field: of[rule.pk] for field, of in keyword.items()}}
            for rule in catalog.keywordrules.all()
        ],
        "intent_rules": [
            {
                "phrases": rule.phrases,
                "tools": intent_tools[rule.pk],
                "groups": intent_groups[rule.pk],
            }
            for rule in catalog.intentrules.all()
        ],
        "channel_rules": [
            {"kind": rule.kind, "value": rule.value, "groups": channel_groups[rule.pk]}
            for rule in catalog.channelrules.all()
        ],
    }


def tool_value(tool: Tool) -> dict[str, Any]:
    """Return a tool as documents carry it, without its revision."""
    return {field: getattr(tool, field) for field in TOOL_FIELDS}


def _linked(
    catalog: Catalog, model: type[models.Model], field: str, names: _Names
) -> Mapping[int, list[str]]:
    """Return what each part of a kind refers to, by its row id: names in catalog order.

    Only ids are read: rows of tools are long, and a route may name all of them.
    """
    relation: Any = model._meta.get_field(field)  # noqa: SLF001 - Django's public name
    owner, target = relation.m2m_field_name(), relation.m2m_reverse_field_name()
    pairs = relation.remote_field.through.objects.filter(**{f"{owner}__catalog": catalog})
    referred: dict[int, set[int]] = defaultdict(set)
    for part, to in pairs.values_list(f"{owner}_id", f"{target}_id"):
        referred[part].add(to)
    return defaultdict(list, {part: names.in_order(those) for part, those in referred.items()})


def _with_revisions(
    catalog: Catalog, tools: Iterable[FrozenTool]
) -> Iterable[tuple[FrozenTool, int]]:
    known = known_revisions(catalog)
    for tool in tools:
        yield tool, known.number_of(tool.name, tool.sha256)
