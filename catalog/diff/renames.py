"""Tell a rename from a removal and an addition, so that one change is not shown as a dozen."""

from collections.abc import Mapping
from typing import Any

from catalog.document import canonical_bytes

_REFERRING = {
    "tools": {"tools", "add_tools", "remove_tools", "default_tools", "always_on"},
    "groups": {"groups", "add_groups", "remove_groups"},
    "phases": {"next"},
    "routes": set[str](),
}
# What may differ in a part that was merely renamed.
_UNCOMPARED = {"name", "revision", "aliases"}


def find_renames(
    before: Mapping[str, Any], after: Mapping[str, Any], *, section: str
) -> dict[str, str]:
    """Return old name -> new name of the parts of a section that differ in nothing but the name."""
    old = {part["name"]: part for part in before[section]}
    new = {part["name"]: part for part in after[section]}
    gone = [part for name, part in old.items() if name not in new]
    renamed: dict[str, str] = {}
    if not gone:
        return renamed
    came = {_content(part): name for name, part in new.items() if name not in old}
    for part in gone:
        if (heir := came.pop(_content(part), None)) is not None:
            renamed[part["name"]] = heir
    return renamed


def _content(part: Mapping[str, Any]) -> bytes:
    return canonical_bytes({key: value for key, value in part.items() if key not in _UNCOMPARED})


def with_new_names(
    document: Mapping[str, Any], renamed: Mapping[str, str], *, section: str
) -> dict[str, Any]:
    """Return the document as if the parts of a section had always had their new names."""
    if not renamed:
        return dict(document)
    settings = dict(document["settings"])
    if section == "phases" and settings.get("initial_phase") in renamed:
        settings["initial_phase"] = renamed[settings["initial_phase"]]
    made = {
        key: _in_list(key, value, renamed, section=section) if isinstance(value, list) else value
        for key, value in document.items()
    }
    made["settings"] = settings
    made[section] = [
        {**part, "name": renamed.get(part["name"], part["name"])} for part in made[section]
    ]
    return made


def _in_list(key: str, items: list[Any], renamed: Mapping[str, str], *, section: str) -> list[Any]:
    if key in _REFERRING[section] and all(isinstance(item, str) for item in items):
        return [renamed.get(item, item) for item in items]
    if key == "tools":
        return items  # a tool refers to nothing, and its schemas are not ours to read
    return [
        {
            field: _in_list(field, value, renamed, section=section)
            if isinstance(value, list)
            else value
            for field, value in item.items()
        }
        if isinstance(item, dict)
        else item
        for item in items
    ]
