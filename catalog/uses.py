"""Where a group or a tool is used: what goes with it when it is deleted."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Manager, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from catalog.models import Group, IntentRule, KeywordRule, Phase, Route, Tool
from catalog.models.part import Part

UNASKED = _("Served unasked as")
SERVED: Sequence[tuple[Promise, str]] = (
    (_("default tool"), "is_default"),
    (_("always on"), "always_on"),
)
"""How a tool is served that nobody chose, and the flag that says so."""
NAMES_TOOLS: Sequence[tuple[Promise, type[Part], str]] = (
    (_("Groups"), Group, "tools"),
    (_("Phases"), Phase, "tools"),
    (_("Routes"), Route, "tools"),
    (_("Keyword rules that add it"), KeywordRule, "add_tools"),
    (_("Keyword rules that remove it"), KeywordRule, "remove_tools"),
    (_("Intent rules"), IntentRule, "tools"),
)
"""The kinds of parts that name tools, and in which link each does."""


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
    unasked = tuple(str(label) for label, flag in SERVED if getattr(tool, flag))
    return [Use(UNASKED, unasked)] * bool(unasked) + _named_tool(tool)


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
        *(
            (kind, model._default_manager.filter(**{link: tool}))  # noqa: SLF001 - Django's public name
            for kind, model, link in NAMES_TOOLS
        )
    )


def _in_use(*kinds: tuple[Promise, Manager[Any] | QuerySet[Any]]) -> list[Use]:
    found = ((kind, tuple(str(part) for part in parts.all())) for kind, parts in kinds)
    return [Use(kind, names) for kind, names in found if names]
