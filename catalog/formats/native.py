"""Toolcrib's own format: the tool's object of the document, every field."""

from collections.abc import Mapping
from typing import Any


def render(tool: Mapping[str, Any]) -> dict[str, Any]:
    """Return the tool as the document has it."""
    return dict(tool)
