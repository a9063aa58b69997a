"""Changes of a draft's groups and tools. Each function is one change, whole or not at all."""

from collections.abc import Collection, Sequence
from typing import Literal, TypeVar

from django.db import models
from django.db.models import Max
from django.utils.translation import gettext as _

from catalog.models import Catalog, Group, GroupTool, Tool
from catalog.models.part import Part
from catalog.recording import recorded

Cell = tuple[int, int]  # a group's id and a tool's
MOVE = "move"
Flag = Literal["enabled", "is_default", "always_on"]
PlacedT = TypeVar("PlacedT", Part, GroupTool)


class EditRefused(Exception):
    """The draft stays as it was; ``reason`` says to a person why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def set_memberships(
    *, catalog: Catalog, added: Collection[Cell] = (), removed: Collection[Cell] = ()
) -> None:
    """Put tools into groups, at the end, and take others out; what already is so stays so.

    Runs a fixed number of queries whatever the number of cells. Raises ``EditRefused`` where a
    group or tool is not, or no longer, the catalog's.
    """
    with recorded(catalog=catalog, action="assign"):
        _set_memberships(catalog, added, removed)


def _set_memberships(catalog: Catalog, added: Collection[Cell], removed: Collection[Cell]) -> None:
    cells = {*added, *removed}
    groups = {group for group, _tool in cells}
    tools = {tool for _group, tool in cells}
    if catalog.groups.filter(pk__in=groups).count() != len(groups) or catalog.tools.filter(
        pk__in=tools
    ).count() != len(tools):
        raise EditRefused(
            _("This group or tool is no longer in the catalog. Reload the page to see what is.")
        )
    places = GroupTool.objects.filter(group__in=groups, tool__in=tools)
    rows = {
        (group, tool): pk for pk, group, tool in places.values_list("pk", "group_id", "tool_id")
    }
    GroupTool.objects.filter(pk__in=[rows[cell] for cell in removed if cell in rows]).delete()
    last = dict(
        GroupTool.objects.filter(group__in=groups)
        .order_by()
        .values("group_id")
        .annotate(last=Max("position"))
        .values_list("group_id", "last")
    )
    new = []
    for group, tool in sorted(set(added) - rows.keys()):
        last[group] = last.get(group, -1) + 1
        new.append(GroupTool(group_id=group, tool_id=tool, position=last[group]))
    GroupTool.objects.bulk_create(new, ignore_conflicts=True)


def move_tool_in_group(*, group: Group, tool: Tool, steps: int) -> None:
    """Move a tool by ``steps`` places in its group, down where positive, as far as there are any.

    Raises ``EditRefused`` where the group does not hold the tool.
    """
    with recorded(catalog=group.catalog, action=MOVE):
        places = list(group.memberships.select_for_update().order_by("position", "id"))
        index = next((i for i, place in enumerate(places) if place.tool_id == tool.pk), None)
        if index is None:
            said = _("“%(tool)s” is no longer in “%(group)s”.")
            raise EditRefused(said % {"tool": tool.name, "group": group.name})
        _shift(places, index, steps)
        _renumber(GroupTool, places)


def move_part(*, part: Part, steps: int) -> None:
    """Move a part by ``steps`` places among its kind in its catalog, back where positive."""
    with recorded(catalog=part.catalog, action=MOVE):
        parts: list[Part] = list(_siblings(part).select_for_update().order_by("position", "id"))
        _shift(parts, parts.index(part), steps)
        _renumber(type(part), parts)


def append(part: Part) -> None:
    """Save a new part as the last of its kind in its catalog."""
    with recorded(catalog=part.catalog, action="add"):
        last = _siblings(part).aggregate(last=Max("position"))["last"]
        part.position = 0 if last is None else last + 1
        part.save()


def set_flag(*, tool: Tool, flag: Flag, on: bool) -> None:
    """Enable a tool, make it a default tool or an always-on one, or the contrary.

    Raises ``EditRefused`` for a default or always-on tool that changes something: nobody chose it
    for the task that it would be served to.
    """
    if on and flag != "enabled" and (reason := fallback_refusal(tool)):
        raise EditRefused(reason)
    with recorded(catalog=tool.catalog, action="switch"):
        setattr(tool, flag, on)
        tool.save(update_fields=[flag])


def fallback_refusal(tool: Tool) -> str | None:
    """Tell why a tool cannot be served where nobody chose it, or ``None`` where it can."""
    if not tool.changes_something:
        return None
    return _(
        "“%(tool)s” has the side effect %(effect)s. Default and always-on tools are served "
        "unasked, so they may only read."
    ) % {"tool": tool.name, "effect": tool.get_side_effect_display()}


def _siblings(part: Part) -> models.QuerySet[Part]:
    return type(part)._default_manager.filter(catalog=part.catalog)  # noqa: SLF001 - Django's public name


def _shift(parts: list[PlacedT], index: int, steps: int) -> None:
    part = parts.pop(index)
    parts.insert(max(0, index + steps), part)


def _renumber(model: type[PlacedT], parts: list[PlacedT]) -> None:
    """Give parts the numbers that there are in this order, or new ones where some are the same.

    So that one that is moved by a place changes two rows, and not all that come after a gap.
    """
    numbers: Sequence[int] = sorted({part.position for part in parts})
    if len(numbers) < len(parts):
        numbers = range(len(parts))
    moved = []
    for position, part in zip(numbers, parts, strict=True):
        if part.position != position:
            part.position = position
            moved.append(part)
    model._default_manager.bulk_update(moved, ["position"])  # noqa: SLF001 - Django's public name
