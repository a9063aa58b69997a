"""What a tool or a group says, as a short name: a finding about two holds while both say it."""

from collections.abc import Mapping
from typing import Any

from routing.selection import content_hash
from routing.selection.texts import examples, first_groups, group_text, tool_texts

_KEY = 24  # hex digits


def part_keys(document: Mapping[str, Any]) -> dict[tuple[str, str], str]:
    """Return the key of every tool and group of a document, by its kind and name."""
    homes = first_groups(document)
    said = {
        ("tools", tool["name"]): (
            *tool_texts(tool, homes.get(tool["name"])),
            *examples(tool),
            str(tool.get("enabled", True)),
        )
        for tool in document["tools"]
    }
    said |= {
        ("groups", group["name"]): (group_text(group), *examples(group), *group["tools"])
        for group in document["groups"]
    }
    return {place: content_hash("\0".join(texts))[:_KEY] for place, texts in said.items()}
