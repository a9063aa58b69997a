"""The phases of a draft as a table: what each offers, what may follow it, and what it lacks.

Seven queries, whatever the number of phases and tools.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from catalog.models import Catalog, Group, GroupTool, Phase


@dataclass(frozen=True, slots=True)
class PhaseLine:
    """A phase; ``tools`` are the names it offers, ``lacks_reading`` is what stops a publish."""

    phase: Phase
    tools: Sequence[str]
    following: Sequence[str]
    lacks_reading: bool
    unreachable: bool


def phase_table(catalog: Catalog) -> list[PhaseLine]:
    """Return every phase of a catalog in order."""
    phases = list(catalog.phases.prefetch_related("groups", "next").order_by("position", "id"))
    tools = {
        pk: (enabled and effect == "read", always_on, name)
        for pk, enabled, effect, always_on, name in catalog.tools.order_by(
            "position", "id"
        ).values_list("pk", "enabled", "side_effect", "always_on", "name")
    }
    places = {pk: place for place, pk in enumerate(tools)}
    members = _members(catalog)
    own: dict[int, list[int]] = defaultdict(list)
    through = Phase.tools.through.objects.filter(phase__catalog=catalog)
    for phase_id, tool in through.values_list("phase_id", "tool_id"):
        own[phase_id].append(tool)
    always_read = any(reads and always_on for reads, always_on, _name in tools.values())
    following = {phase.name: _names(phase) for phase in phases}
    reached = _reached(phases, following)
    lines = []
    for phase in phases:
        offered = {*own[phase.pk], *(t for group in phase.groups.all() for t in members[group.pk])}
        reads = always_read or any(tools[tool][0] for tool in offered)
        lines.append(
            PhaseLine(
                phase=phase,
                tools=[tools[tool][2] for tool in sorted(offered, key=places.__getitem__)],
                following=following[phase.name],
                lacks_reading=bool(offered) and not reads,
                unreachable=bool(reached) and phase.name not in reached,
            )
        )
    return lines


def _members(catalog: Catalog) -> Mapping[int, list[int]]:
    members: dict[int, list[int]] = defaultdict(list)
    used = Group.objects.filter(phases__catalog=catalog)
    places = GroupTool.objects.filter(group__in=used).order_by()
    for group, tool in places.values_list("group_id", "tool_id"):
        members[group].append(tool)
    return members


def _names(phase: Phase) -> list[str]:
    return [other.name for other in sorted(phase.next.all(), key=lambda p: (p.position, p.pk))]


def _reached(phases: Sequence[Phase], following: Mapping[str, Sequence[str]]) -> set[str]:
    """Return the phases that a run can get to; none where no phase is the beginning."""
    waiting = [phase.name for phase in phases if phase.initial]
    reached: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting.extend(following[name])
    return reached
