"""What a bulk edit would do, tool by tool, before anything is written."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from catalog.document import canonical_bytes, sha256_hex
from catalog.editing import Cell, fallback_refusal
from catalog.models import Group, GroupTool, Tool

MAX_TAGS = 100  # of one tool, as its form has it
LABELS: Mapping[str, Promise] = {
    "enabled": gettext_lazy("Enabled"),
    "side_effect": gettext_lazy("Side effect"),
    "needs_approval": gettext_lazy("Needs approval"),
    "is_default": gettext_lazy("Default tool"),
    "always_on": gettext_lazy("Always on"),
    "owner": gettext_lazy("Owner"),
    "category": gettext_lazy("Category"),
}


@dataclass(frozen=True, slots=True)
class BulkChange:
    """What is asked of every chosen tool; ``values`` are fields of ``Tool`` by their name."""

    values: Mapping[str, Any] = field(default_factory=dict)
    add_tags: Sequence[str] = ()
    remove_tags: Sequence[str] = ()
    add_groups: Sequence[Group] = ()
    remove_groups: Sequence[Group] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that a plan does, and the tools that it does it to, in catalog order.

    ``was`` and ``now`` are what a person reads; both are empty where ``label`` says it all.
    """

    label: str
    was: str
    now: str
    tools: Sequence[Tool]


@dataclass(frozen=True, slots=True)
class Refusal:
    """A tool that a change cannot be made to, and why."""

    tool: Tool
    reason: str


@dataclass(frozen=True, slots=True)
class BulkPlan:
    """What a change makes of some tools. It may be applied where it changes any and none refuses.

    ``values`` has the ids of the tools that each new value is written to, ``tags`` the new tags of
    each tool whose tags change, ``added`` and ``removed`` are places in groups; ``sizes`` are those
    of the groups that grow, as they would be.
    """

    tools: Sequence[Tool]
    steps: Sequence[Step]
    refused: Sequence[Refusal]
    changed: int
    unchanged: int
    values: Mapping[str, tuple[Any, Sequence[int]]]
    tags: Mapping[int, Sequence[str]]
    added: Sequence[Cell]
    removed: Sequence[Cell]
    sizes: Sequence[tuple[str, int]]

    @property
    def fingerprint(self) -> str:
        """Return the hash of all that a person was shown of the plan."""
        said = [[step.label, step.was, step.now, _ids(step.tools)] for step in self.steps]
        refused = [[one.tool.pk, one.reason] for one in self.refused]
        return sha256_hex(canonical_bytes([said, refused]))


def plan_change(*, tools: Sequence[Tool], change: BulkChange) -> BulkPlan:
    """Work out what a change makes of each tool. One query, whatever the number of tools."""
    steps, values = _value_steps(tools, change.values)
    tag_steps, tags = _tag_steps(tools, change)
    group_steps, added, removed = _group_steps(tools, change)
    refused = [
        Refusal(tool, reason)
        for tool in tools
        if (reason := _refusal(tool, change.values, tags.get(tool.pk, ())))
    ]
    every_step = (*steps, *tag_steps, *group_steps)
    touched = {tool.pk for step in every_step for tool in step.tools}
    return BulkPlan(
        tools=tools,
        steps=every_step,
        refused=refused,
        changed=len(touched),
        unchanged=len(tools) - len(touched),
        values=values,
        tags=tags,
        added=added,
        removed=removed,
        sizes=_sizes(change.add_groups, added),
    )


def _value_steps(
    tools: Sequence[Tool], values: Mapping[str, Any]
) -> tuple[list[Step], dict[str, tuple[Any, Sequence[int]]]]:
    steps: list[Step] = []
    written: dict[str, tuple[Any, Sequence[int]]] = {}
    for name, value in values.items():
        label = str(LABELS[name])
        by_old: dict[Any, list[Tool]] = defaultdict(list)
        for tool in tools:
            if getattr(tool, name) != value:
                by_old[getattr(tool, name)].append(tool)
        if by_old:
            written[name] = (value, [tool.pk for some in by_old.values() for tool in some])
        steps += [
            Step(label, _said(name, old), _said(name, value), some) for old, some in by_old.items()
        ]
    return steps, written


def _tag_steps(
    tools: Sequence[Tool], change: BulkChange
) -> tuple[list[Step], dict[int, Sequence[str]]]:
    gone = set(change.remove_tags)
    new: dict[int, Sequence[str]] = {}
    by_step: dict[tuple[bool, str], list[Tool]] = {
        **{(True, tag): [] for tag in change.add_tags},
        **{(False, tag): [] for tag in change.remove_tags},
    }
    for tool in tools:
        tags = [tag for tag in tool.tags if tag not in gone]
        tags += [tag for tag in change.add_tags if tag not in tags]
        if tags == tool.tags:
            continue
        new[tool.pk] = tags
        for tag in set(tags) ^ set(tool.tags):
            by_step[tag in tags, tag].append(tool)
    steps = [
        Step((_("Tag added") if added else _("Tag taken away")), "", tag, some)
        for (added, tag), some in by_step.items()
        if some
    ]
    return steps, new


def _group_steps(
    tools: Sequence[Tool], change: BulkChange
) -> tuple[list[Step], list[Cell], list[Cell]]:
    groups = [*change.add_groups, *change.remove_groups]
    if not groups:
        return [], [], []
    chosen = {tool.pk for tool in tools}
    # The groups are few and the tools may be all there are.
    places = GroupTool.objects.filter(group__in=groups).values_list("group_id", "tool_id")
    held = {place for place in places if place[1] in chosen}
    steps: list[Step] = []
    added: list[Cell] = []
    removed: list[Cell] = []
    for adds, some_groups, cells in (
        (True, change.add_groups, added),
        (False, change.remove_groups, removed),
    ):
        for group in some_groups:
            some = [tool for tool in tools if ((group.pk, tool.pk) in held) is not adds]
            cells += [(group.pk, tool.pk) for tool in some]
            if some:
                label = _("Added to the group") if adds else _("Taken out of the group")
                steps.append(Step(label, "", group.name, some))
    return steps, added, removed


def _sizes(groups: Sequence[Group], added: Sequence[Cell]) -> list[tuple[str, int]]:
    """Return how many tools each group has once the new ones are in it."""
    grows = [group for group in groups if any(cell[0] == group.pk for cell in added)]
    if not grows:
        return []
    counts = dict(
        GroupTool.objects.filter(group__in=grows)
        .order_by()
        .values("group_id")
        .annotate(count=Count("pk"))
        .values_list("group_id", "count")
    )
    for group, _tool in added:
        counts[group] = counts.get(group, 0) + 1
    return [(group.name, counts[group.pk]) for group in grows]


def _refusal(tool: Tool, values: Mapping[str, Any], tags: Sequence[str]) -> str | None:
    """Tell why a tool cannot be what the change would make of it, or ``None`` where it can."""
    after = Tool(
        name=tool.name,
        **{
            name: values.get(name, getattr(tool, name))
            for name in ("side_effect", "is_default", "always_on")
        },
    )
    asked = {"side_effect", "is_default", "always_on"} & values.keys()
    if asked and (after.is_default or after.always_on) and (reason := fallback_refusal(after)):
        return reason
    if len(tags) > MAX_TAGS:
        return _("“%(tool)s” would have more than %(limit)d tags.") % {
            "tool": tool.name,
            "limit": MAX_TAGS,
        }
    return None


def _said(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if name == "side_effect":
        return str(Tool.SideEffect(value).label)
    return str(value) or _("nothing")


def _ids(tools: Iterable[Tool]) -> list[int]:
    return [tool.pk for tool in tools]
