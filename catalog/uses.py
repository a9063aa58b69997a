"""Where a group or a tool is used: what goes with it when it is deleted."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Manager
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from catalog.models import Group, Phase, Tool
from catalog.models.part import Part


@dataclass(frozen=True, slots=True)
class Use:
    """One kind of place, and the names of those that use the part."""

    kind: Promise
    names: tuple[str, ...]


def group_uses(group: Group) -> list[Use]:
    """Return what refers to a group, kind by kind, kinds without any left out."""
    return _in_use(
        (_("Phases"), group.phases),
        (_("Routes"), group.routes),
        (_("Keyword rules that add it"), group.added_by),
        (_("Keyword rules that remove it"), group.removed_by),
        (_("Intent rules"), group.intent_rules),
        (_("Channel rules"), group.channel_rules),
    )


def tool_uses(tool: Tool) -> list[Use]:
    """Return what refers to a tool, kind by kind, kinds without any left out."""
    served = [(_("default tool"), tool.is_default), (_("always on"), tool.always_on)]
    unasked = tuple(str(label) for label, on in served if on)
    return [Use(_("Served unasked as"), unasked)] * bool(unasked) + _named_tool(tool)


def parts_that_name(part: Part) -> list[Use]:
    """Return the parts that name a tool, group, phase or route of the draft."""
    if isinstance(part, Tool):
        return _named_tool(part)
    if isinstance(part, Group):
        return group_uses(part)
    if isinstance(part, Phase):
        return _in_use((_("Phases that lead to it"), part.previous))
    return []


def _named_tool(tool: Tool) -> list[Use]:
    return _in_use(
        (_("Groups"), tool.groups),
        (_("Phases"), tool.phases),
        (_("Routes"), tool.routes),
        (_("Keyword rules that add it"), tool.added_by),
        (_("Keyword rules that remove it"), tool.removed_by),
        (_("Intent rules"), tool.intent_rules),
    )


def _in_use(*kinds: tuple[Promise, Manager[Any]]) -> list[Use]:
    found = ((kind, tuple(str(part) for part in parts.all())) for kind, parts in kinds)
    return [Use(kind, names) for kind, names in found if names]
