"""The parts of the document that code must know by name."""

from collections.abc import Mapping
from typing import Any

FORMAT = 1
# The tool that opens one more group: every release has it, so that no other may be called so.
REQUEST_GROUP = "request_group"

STRATEGIES = (
    "auto",
    "all",
    "phase",
    "keyword",
    "phase+keyword",
    "rules",
    "rules+embedding",
    "embedding",
    "hierarchical",
    "classifier",
    "state_machine",
    "llm",
)


def tool_content(tool: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a tool's revision number counts: all of the tool but the number itself."""
    return {key: value for key, value in tool.items() if key != "revision"}
