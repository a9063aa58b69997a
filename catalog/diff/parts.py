"""Changes of the named parts: tools, groups, phases and routes."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from catalog.diff.change import Change, Kind
from catalog.diff.fields import (
    BUDGET_SENTENCES,
    GROUP_SENTENCES,
    PHASE_SENTENCES,
    ROUTE_SENTENCES,
    TOOL_SENTENCES,
    field_changes,
)
from catalog.diff.lists import compare_lists
from catalog.diff.schemas import schema_changes
from catalog.document.problems import gettext_noop

Part = Mapping[str, Any]

_RENAMED = gettext_noop("Renamed: it was “%(old)s”.")
_MOVED = gettext_noop("It is at place %(place)s of the catalog now.")
_CAME = {
    "tools": gettext_noop("A tool was added."),
    "groups": gettext_noop("A group was added."),
    "phases": gettext_noop("A phase was added."),
    "routes": gettext_noop("A route was added."),
}
_WENT = {
    "tools": gettext_noop("The tool was removed."),
    "groups": gettext_noop("The group was removed."),
    "phases": gettext_noop("The phase was removed."),
    "routes": gettext_noop("The route was removed."),
}
_ENABLED = gettext_noop("It is switched on now.")
_DISABLED = gettext_noop("It is switched off now: no agent is offered it.")
_JOINED = gettext_noop("“%(tool)s” joined.")
_JOINED_FROM = gettext_noop("“%(tool)s” joined; it came from %(groups)s.")
_LEFT = gettext_noop("“%(tool)s” left.")
_LEFT_FOR = gettext_noop("“%(tool)s” left for %(groups)s.")
_TOOL_MOVED = gettext_noop("“%(tool)s” is at place %(place)s of the group now.")


def part_changes(
    section: str,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    *,
    renamed: Mapping[str, str],
) -> Iterator[Change]:
    """Yield the changes of a section's parts in the new order, those that went at its end.

    ``before`` already carries the new names; ``renamed`` maps old names to them.
    """
    old = {part["name"]: part for part in before[section]}
    new = {part["name"]: part for part in after[section]}
    old_names = {name: was for was, name in renamed.items()}
    moved = set(compare_lists(list(old), list(new)).moved)
    places = (_places(before), _places(after)) if section == "groups" else ({}, {})
    for number, (name, part) in enumerate(new.items(), 1):
        if name not in old:
            yield _whole(section, part, kind=Kind.ADDED)
            continue
        if name in old_names:
            yield _about(section, name, Kind.CHANGED, _RENAMED, old=old_names[name])
        if name in moved:
            yield _about(section, name, Kind.MOVED, _MOVED, place=number)
        if section == "tools":
            yield from tool_changes(old[name], part)
        elif section == "groups":
            yield from _group_changes(old[name], part, before=places[0], after=places[1])
        else:
            yield from _phase_or_route_changes(section, old[name], part)
    for name, part in old.items():
        if name not in new:
            yield _whole(section, part, kind=Kind.REMOVED)


def _whole(section: str, part: Part, *, kind: Kind) -> Change:
    """Return the change of a part that came or went, with what a person needs to know of it."""
    facts = tuple(
        fact for fact in (part.get("description"), ", ".join(part.get("tools", ()))) if fact
    )
    return Change(
        place=(section, part["name"]),
        subject=part["name"],
        kind=kind,
        template=(_CAME if kind is Kind.ADDED else _WENT)[section],
        removed=facts if kind is Kind.REMOVED else (),
        added=facts if kind is Kind.ADDED else (),
        whole=True,
    )


def _about(section: str, name: str, kind: Kind, template: str, **params: object) -> Change:
    return Change(place=(section, name), subject=name, kind=kind, template=template, params=params)


def tool_changes(old: Part, new: Part) -> Iterator[Change]:
    """Yield what changed from one content of a tool to another."""
    name = new["name"]
    if old["enabled"] != new["enabled"]:
        yield _about("tools", name, Kind.CHANGED, _ENABLED if new["enabled"] else _DISABLED)
    yield from field_changes(
        old, new, sentences=TOOL_SENTENCES, place=("tools", name), subject=name
    )
    for field in ("input_schema", "output_schema"):
        yield from schema_changes(old[field], new[field], tool=name, field=field)


def _places(document: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the groups that each tool is in, in catalog order."""
    places: dict[str, list[str]] = {}
    for group in document["groups"]:
        for tool in dict.fromkeys(group["tools"]):
            places.setdefault(tool, []).append(group["name"])
    return places


def _group_changes(
    old: Part, new: Part, *, before: Mapping[str, list[str]], after: Mapping[str, list[str]]
) -> Iterator[Change]:
    """Yield what changed of a group; ``before`` and ``after`` say which groups hold a tool."""
    name = new["name"]
    yield from field_changes(
        old, new, sentences=GROUP_SENTENCES, place=("groups", name), subject=name
    )
    listed = compare_lists(old["tools"], new["tools"])
    for tool in listed.added:
        left = _only_in(tool, before, after)
        if left:
            said = {"tool": tool, "groups": _quoted(left)}
            yield _about("groups", name, Kind.ADDED, _JOINED_FROM, **said)
        else:
            yield _about("groups", name, Kind.ADDED, _JOINED, tool=tool)
    for tool in listed.removed:
        joined = _only_in(tool, after, before)
        if joined:
            said = {"tool": tool, "groups": _quoted(joined)}
            yield _about("groups", name, Kind.REMOVED, _LEFT_FOR, **said)
        else:
            yield _about("groups", name, Kind.REMOVED, _LEFT, tool=tool)
    for tool in listed.moved:
        place = new["tools"].index(tool) + 1
        yield _about("groups", name, Kind.MOVED, _TOOL_MOVED, tool=tool, place=place)


def _only_in(tool: str, here: Mapping[str, list[str]], there: Mapping[str, list[str]]) -> list[str]:
    """Return the groups that hold a tool in one document and do not in the other."""
    held = there.get(tool, ())
    return [group for group in here.get(tool, ()) if group not in held]


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f"“{name}”" for name in names)


def _phase_or_route_changes(section: str, old: Part, new: Part) -> Iterator[Change]:
    name = new["name"]
    sentences = PHASE_SENTENCES if section == "phases" else ROUTE_SENTENCES
    yield from field_changes(old, new, sentences=sentences, place=(section, name), subject=name)
    if section == "routes":
        yield from field_changes(
            old["budget"],
            new["budget"],
            sentences=BUDGET_SENTENCES,
            place=(section, name),
            subject=name,
        )
