"""The same changes as JSON, for who wants to see the letter of them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise

from catalog.diff import Line, json_lines, renames_between
from dashboard.reviews import RULES, PartChanges
from dashboard.words import SECTIONS

Document = Mapping[str, Any]
_NAMED = ("tools", "groups", "phases", "routes")
_FLAGS = ("default_tools", "always_on")


@dataclass(frozen=True, slots=True)
class JsonChange:
    """The lines of one part of a document; rules are shown as the list that they are."""

    section: Promise
    subject: str
    lines: Sequence[Line]


def json_changes(
    before: Document | None, after: Document, parts: Iterable[PartChanges]
) -> list[JsonChange]:
    """Return the JSON of what changed, in the order of ``parts``."""
    renamed = renames_between(before, after) if before else {}
    old_names = {
        (section, new): old for section, names in renamed.items() for old, new in names.items()
    }
    shown: dict[tuple[str, str], JsonChange] = {}
    for part in parts:
        section = part.place[0]
        # Numbers of rules change with each that comes before: only the list says what is what.
        place = (section, "") if section in RULES else (section, part.place[1])
        if place in shown:
            continue
        old = (section, old_names.get(place, place[1]))
        shown[place] = JsonChange(
            section=SECTIONS[section],
            subject="" if section in RULES else part.subject,
            lines=json_lines(
                None if before is None else _fragment(before, old), _fragment(after, place)
            ),
        )
    return list(shown.values())


def _fragment(document: Document, place: tuple[str, str]) -> Mapping[str, Any] | None:
    """Return the part of a document that is at a place, as it stands in it."""
    section, name = place
    if section == "settings":
        return {key: document[key] for key in ("title", "settings")}
    if section not in _NAMED:
        return {section: document[section]}
    found = [part for part in document[section] if part["name"] == name]
    if not found:
        return None
    if section != "tools":
        return {section: found}
    listed = {flag: [name] for flag in _FLAGS if name in document[flag]}
    return {section: found, **listed}
