"""Fill a draft from a document: the way back from a frozen value to rows."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, TypeVar

from catalog.freezing import TOOL_FIELDS
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
from catalog.recording import recorded

PartT = TypeVar("PartT", Tool, Group, Phase)


def fill_draft(
    *,
    catalog: Catalog,
    document: Mapping[str, Any],
    action: str = "fill",
    note: str = "",
    now: datetime | None = None,
) -> None:
    """Make the rows of an empty draft say what a document says; the catalog may be new.

    ``document`` has the shape of document.schema.json; revisions and the format are ignored. The
    audit log keeps one entry of it, at the time ``now``. Raises ``KeyError`` for a name that the
    document does not define, ``ValueError`` where the draft is not empty:
    ``catalog.rewriting`` changes such a one.
    """
    with recorded(catalog=catalog, action=action, note=note, brief=True, now=now):
        _fill(catalog, document)


def _fill(catalog: Catalog, document: Mapping[str, Any]) -> None:
    settings = document["settings"]
    for field in ("strategy", "threshold", "max_tools", "inclusive", "exploration"):
        setattr(catalog, field, settings[field])
    catalog.title = document["title"]
    catalog.save()
    tools = _fill_tools(catalog, document)
    groups = _fill_groups(catalog, document["groups"], tools)
    _fill_phases(catalog, document, tools, groups)
    _fill_rules(catalog, document, tools, groups)
    for position, value in enumerate(document["routes"]):
        route = Route.objects.create(
            catalog=catalog,
            position=position,
            name=value["name"],
            side_effects=value["side_effects"],
            **{f"budget_{kind}": amount for kind, amount in value["budget"].items()},
        )
        route.tools.set(_each(tools, value["tools"]))
        route.groups.set(_each(groups, value["groups"]))


def _each(known: Mapping[str, PartT], names: Iterable[str]) -> list[PartT]:
    return [known[name] for name in names]


def _fill_tools(catalog: Catalog, document: Mapping[str, Any]) -> dict[str, Tool]:
    defaults, always_on = set(document["default_tools"]), set(document["always_on"])
    made = Tool.objects.bulk_create(
        Tool(
            catalog=catalog,
            position=position,
            is_default=value["name"] in defaults,
            always_on=value["name"] in always_on,
            **{field: value[field] for field in TOOL_FIELDS},
        )
        for position, value in enumerate(document["tools"])
    )
    return {tool.name: tool for tool in made}


def _fill_groups(
    catalog: Catalog, values: Iterable[Mapping[str, Any]], tools: Mapping[str, Tool]
) -> dict[str, Group]:
    groups: dict[str, Group] = {}
    places: list[GroupTool] = []
    for position, value in enumerate(values):
        group = groups[value["name"]] = Group.objects.create(
            catalog=catalog,
            position=position,
            name=value["name"],
            description=value["description"],
            examples=value["examples"],
        )
        places += [
            GroupTool(group=group, tool=tool, position=place)
            for place, tool in enumerate(_each(tools, value["tools"]))
        ]
    GroupTool.objects.bulk_create(places)
    return groups


def _fill_phases(
    catalog: Catalog,
    document: Mapping[str, Any],
    tools: Mapping[str, Tool],
    groups: Mapping[str, Group],
) -> None:
    phases: dict[str, Phase] = {}
    for position, value in enumerate(document["phases"]):
        phase = phases[value["name"]] = Phase.objects.create(
            catalog=catalog,
            position=position,
            name=value["name"],
            description=value["description"],
            initial=value["name"] == document["settings"]["initial_phase"],
        )
        phase.tools.set(_each(tools, value["tools"]))
        phase.groups.set(_each(groups, value["groups"]))
    for value in document["phases"]:
        phases[value["name"]].next.set(_each(phases, value["next"]))


def _fill_rules(
    catalog: Catalog,
    document: Mapping[str, Any],
    tools: Mapping[str, Tool],
    groups: Mapping[str, Group],
) -> None:
    for position, value in enumerate(document["keyword_rules"]):
        keyword = KeywordRule.objects.create(
            catalog=catalog, position=position, pattern=value["pattern"]
        )
        keyword.add_tools.set(_each(tools, value["add_tools"]))
        keyword.remove_tools.set(_each(tools, value["remove_tools"]))
        keyword.add_groups.set(_each(groups, value["add_groups"]))
        keyword.remove_groups.set(_each(groups, value["remove_groups"]))
    for position, value in enumerate(document["intent_rules"]):
        intent = IntentRule.objects.create(
            catalog=catalog, position=position, phrases=value["phrases"]
        )
        intent.tools.set(_each(tools, value["tools"]))
        intent.groups.set(_each(groups, value["groups"]))
    for position, value in enumerate(document["channel_rules"]):
        channel = ChannelRule.objects.create(
            catalog=catalog, position=position, kind=value["kind"], value=value["value"]
        )
        channel.groups.set(_each(groups, value["groups"]))
