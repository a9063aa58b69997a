"""Catalogs in files: ``{"tools": [{"name", "description", "group", "input_schema"}], "groups"}``.

Names are taken as they are: whether a provider would accept them is no matter here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from routing.evaluation.faults import BadInput, encodable, parsed_text

Document = Mapping[str, Any]

THRESHOLD = 0.6
MAX_TOOLS = 7


def parse_catalog(content: bytes, *, source: str) -> dict[str, Any]:
    """Return the document of a catalog file, as publishing would freeze it.

    A tool's ``group`` makes it a member; a group that is not listed is added without a description.
    There are no default tools, so that a fallback counts as it falls. Raises ``BadInput``.
    """
    text = parsed_text(content, source=source)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 1)
        said = getattr(error, "msg", error)
        raise BadInput([f"{source}:{line}: this is not JSON: {said}"]) from None
    if not isinstance(value, dict) or not isinstance(value.get("tools"), list):
        raise BadInput([f"{source}: a catalog is an object with a list of tools"])
    listed = value.get("groups")
    groups = listed if isinstance(listed, list) else []
    faults = [] if listed is None or isinstance(listed, list) else [f"{source}: groups: no list"]
    faults += _faults(value["tools"], what="tools", source=source)
    faults += _faults(groups, what="groups", source=source)
    if not value["tools"]:
        faults.append(f"{source}: a catalog without a tool has nothing to select")
    if faults:
        raise BadInput(faults)
    return _document(value["tools"], groups)


def _faults(entries: Sequence[Any], *, what: str, source: str) -> list[str]:
    faults: list[str] = []
    seen: set[str] = set()
    for place, entry in enumerate(entries):
        where = f"{source}: {what}[{place}]"
        if not isinstance(entry, dict):
            faults.append(f"{where}: no object")
            continue
        name = entry.get("name")
        if not isinstance(name, str) or not name.strip() or not encodable(name):
            faults.append(f"{where}: it has no name")
        elif name in seen:
            faults.append(f"{where}: the name {name!r} is taken already")
        else:
            seen.add(name)
        for key in ("description", "group"):
            text = entry.get(key)
            if text is not None and not (isinstance(text, str) and encodable(text)):
                faults.append(f"{where}.{key}: no text")
        if not isinstance(entry.get("input_schema") or {}, dict):
            faults.append(f"{where}.input_schema: no object")
        if not _texts(entry.get("examples") or []):
            faults.append(f"{where}.examples: no list of texts")
    return faults


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(text, str) and encodable(text) for text in value
    )


def _document(tools: Sequence[Document], groups: Sequence[Document]) -> dict[str, Any]:
    members: dict[str, list[str]] = {group["name"]: [] for group in groups}
    for tool in tools:
        if (tool.get("group") or "").strip():
            members.setdefault(tool["group"], []).append(tool["name"])
    described = {group["name"]: group for group in groups}
    return {
        "format": 1,
        "catalog": "files",
        "title": "",
        "settings": {
            "strategy": "auto",
            "threshold": THRESHOLD,
            "max_tools": MAX_TOOLS,
            "inclusive": False,
            "initial_phase": None,
            "exploration": 0.0,
        },
        "tools": [_tool(tool) for tool in tools],
        "groups": [
            {
                "name": name,
                "description": described.get(name, {}).get("description") or "",
                "tools": names,
                "examples": described.get(name, {}).get("examples") or [],
            }
            for name, names in members.items()
        ],
        **{
            part: []
            for part in (
                "default_tools",
                "always_on",
                "phases",
                "keyword_rules",
                "intent_rules",
                "channel_rules",
                "routes",
            )
        },
    }


def _tool(tool: Document) -> dict[str, Any]:
    return {
        "name": tool["name"],
        "title": "",
        "revision": 1,
        "description": tool.get("description") or "",
        "category": "",
        "tags": [],
        "input_schema": tool.get("input_schema") or {},
        "output_schema": None,
        "capability": "",
        "side_effect": "read",
        "enabled": True,
        "aliases": [],
        "examples": tool.get("examples") or [],
    }
