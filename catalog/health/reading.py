"""A document with what several checks ask of it, worked out once."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from catalog.document import Problem

Part = Mapping[str, Any]


@dataclass(frozen=True)
class Reading:
    """A document and the problems that keep it from being published."""

    document: Mapping[str, Any]
    problems: tuple[Problem, ...]

    @cached_property
    def tools(self) -> dict[str, Part]:
        """Return the tools by name."""
        return {tool["name"]: tool for tool in self.document["tools"]}

    @cached_property
    def enabled(self) -> dict[str, Part]:
        """Return the tools that are not switched off, by name."""
        return {name: tool for name, tool in self.tools.items() if tool["enabled"]}

    @cached_property
    def members(self) -> dict[str, list[str]]:
        """Return the names of each group's tools."""
        return {group["name"]: group["tools"] for group in self.document["groups"]}

    @cached_property
    def grouped(self) -> frozenset[str]:
        """Return the names of the tools that some group holds."""
        return frozenset(name for names in self.members.values() for name in names)

    @cached_property
    def named_directly(self) -> frozenset[str]:
        """Return the tools that phases, rules or the fallbacks name without a group."""
        document = self.document
        named = [*document["default_tools"], *document["always_on"]]
        for phase in document["phases"]:
            named += phase["tools"]
        for rule in document["keyword_rules"]:
            named += rule["add_tools"]
        for rule in document["intent_rules"]:
            named += rule["tools"]
        return frozenset(named)

    def reach(self, part: Part) -> list[str]:
        """Return the names of a phase's or a route's own tools and of those of its groups."""
        return [
            *part["tools"],
            *(tool for name in part["groups"] for tool in self.members.get(name, ())),
        ]
