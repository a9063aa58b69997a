"""Tools with the groups that people made of them, which a suggestion does not see."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from catalog.reading import read

_HIDDEN = ("tags", "category", "group", "aliases")


@dataclass(frozen=True, slots=True)
class GroupedSet:
    """Tools without what says where they belong, and the true group of each."""

    name: str
    tools: tuple[Mapping[str, Any], ...]
    groups: tuple[str, ...]


def read_grouped(
    path: Path, *, toolsets: Mapping[str, Sequence[str]], least: int, most_groups: int
) -> GroupedSet:
    """Return the tools of a file that are in a group, those of the largest ``most_groups``.

    The true group is a tool's ``group``, the toolset that names it, or the first tag of an OpenAPI
    operation; groups of fewer than ``least`` tools are left out. Raises ``CommandError``.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}.") from error
    reading = read(content)
    if not reading.found:
        raise CommandError(f"{path}: there is no tool in it.")
    written = _written_groups(content)
    homes = {name: home for home, names in toolsets.items() for name in names}
    labelled = [
        (entry.tool, home)
        for entry in reading.found
        if (home := homes.get(entry.tool["name"]) or written.get(entry.place) or _tag(entry.tool))
    ]
    sizes = Counter(home for _, home in labelled)
    kept = {home for home, size in sizes.most_common(most_groups) if size >= least}
    return GroupedSet(
        name=path.stem if path.stem not in ("catalog", "tools_list") else path.parent.name,
        tools=tuple(_bare(tool, home) for tool, home in labelled if home in kept),
        groups=tuple(home for _, home in labelled if home in kept),
    )


def _written_groups(content: bytes) -> dict[str, str]:
    """Return the ``group`` of each tool of a catalog, by the place that the reader gives it."""
    try:
        value = json.loads(content)
    except ValueError:
        return {}
    tools = value.get("tools") if isinstance(value, dict) else None
    listed = tools if isinstance(tools, list) else []
    return {
        f"tools[{number}]": str(tool.get("group") or "")
        for number, tool in enumerate(listed)
        if isinstance(tool, dict)
    }


def _tag(tool: Mapping[str, Any]) -> str:
    return str(tool["tags"][0]) if tool["tags"] else ""


def _bare(tool: Mapping[str, Any], home: str) -> dict[str, Any]:
    """Return a tool without its group, be it in its name: ``Spotify: search`` is ``search``."""
    original = next(iter(tool["aliases"]), tool["name"])
    bare = original.removeprefix(f"{home}: ").replace(" ", "_")
    shown = {key: value for key, value in tool.items() if key not in _HIDDEN}
    return {**shown, "name": bare if original.startswith(f"{home}: ") else tool["name"]}
