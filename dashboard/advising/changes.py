"""The changes that advice proposes, as values, and whether a document has them already."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Document = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Join:
    """Put ``tools`` into ``group``, so that a selection of the group serves them at once.

    Where the group then holds more than the cap lets through, the cap becomes ``cap``.
    """

    group: str
    tools: tuple[str, ...]
    cap: int

    def is_in(self, document: Document) -> bool:
        """Tell whether a document says so."""
        members = _members(document, self.group)
        return set(self.tools) <= set(members) and document["settings"]["max_tools"] >= self.cap


@dataclass(frozen=True, slots=True)
class SwitchOff:
    """Disable ``tool``: it is offered to nobody, and stays in the draft."""

    tool: str

    def is_in(self, document: Document) -> bool:
        """Tell whether a document says so; also where it has no such tool."""
        return not any(one["enabled"] for one in document["tools"] if one["name"] == self.tool)


Change = Join | SwitchOff


def join(document: Document, *, group: str, tools: Sequence[str], most: int) -> Join | None:
    """Return the change that puts tools into a group of a document.

    The cap grows as far as the group then needs it, to ``most`` at most. ``None`` where the
    document has no such group or tool, or where nothing would change.
    """
    known = {one["name"]: one for one in document["tools"]}
    if group not in {one["name"] for one in document["groups"]}:
        return None
    if not all(name in known and known[name]["enabled"] for name in tools):
        return None
    whole = {*_members(document, group), *tools}
    size = sum(1 for name in whole if known[name]["enabled"])
    cap = document["settings"]["max_tools"]
    return Join(group=group, tools=tuple(tools), cap=max(cap, min(size, most)))


def _members(document: Document, group: str) -> Sequence[str]:
    return next((one["tools"] for one in document["groups"] if one["name"] == group), ())
