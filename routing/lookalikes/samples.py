"""The sample tasks of a document: the examples that its owner wrote, in two halves.

A task that the index knows as an example finds its own tool by that alone, whatever the tool says.
So each half is tried on an index that knows the other half only.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from routing.selection.texts import first_groups

MOST = 10
"""Sample tasks that are tried of one tool or group: the first ones."""
HALVES = (0, 1)


@dataclass(frozen=True, slots=True)
class Sample:
    """A task with the tool that it is an example of, or only a group; ``half`` is 0 or 1."""

    task: str
    tool: str | None
    group: str | None
    half: int


def samples_of(document: Mapping[str, Any]) -> list[Sample]:
    """Return the sample tasks of enabled tools and of groups, in catalog order."""
    homes = first_groups(document)
    found: list[Sample] = []
    for tool in document["tools"]:
        if tool.get("enabled", True):
            home = homes.get(tool["name"])
            found += [
                Sample(task, tool["name"], home["name"] if home else None, half)
                for task, half in _halved(tool)
            ]
    for group in document["groups"]:
        found += [Sample(task, None, group["name"], half) for task, half in _halved(group)]
    return found


def is_chosen_from(document: Mapping[str, Any]) -> bool:
    """Tell whether a selection leaves anything out: of few tools all are offered."""
    enabled = sum(1 for tool in document["tools"] if tool.get("enabled", True))
    return enabled > int(document.get("settings", {}).get("max_tools", 0))


def count_samples(document: Mapping[str, Any]) -> int:
    """Return how many tasks are tried."""
    return len(samples_of(document))


def without_half(document: Mapping[str, Any], half: int) -> dict[str, Any]:
    """Return what a selection by meaning and words reads, but for one half of the sample tasks.

    Rules, phases and routes are left out: they decide before anything is compared.
    """
    return {
        "settings": {},
        "tools": [_without(tool, half) for tool in document["tools"]],
        "groups": [_without(group, half) for group in document["groups"]],
    }


def _halved(part: Mapping[str, Any]) -> list[tuple[str, int]]:
    written = [text for text in part.get("examples") or () if text.strip()]
    return [(text, place % 2) for place, text in enumerate(written[:MOST])]


def _without(part: Mapping[str, Any], half: int) -> dict[str, Any]:
    gone = {text for text, of in _halved(part) if of == half}
    return {**part, "examples": [text for text in part.get("examples") or () if text not in gone]}
