"""The difference of two documents."""

from collections.abc import Iterator, Mapping
from typing import Any

from catalog.diff.change import Change, Kind
from catalog.diff.fields import SETTING_SENTENCES, field_changes
from catalog.diff.lists import compare_lists
from catalog.diff.parts import part_changes
from catalog.diff.renames import find_renames, with_new_names
from catalog.diff.rules import rule_changes
from catalog.document.problems import gettext_noop

Document = Mapping[str, Any]

_SECTIONS = ("tools", "groups", "phases", "routes")
_EMPTY: Document = {
    "title": "",
    "settings": {},
    "tools": [],
    "groups": [],
    "default_tools": [],
    "always_on": [],
    "phases": [],
    "keyword_rules": [],
    "intent_rules": [],
    "channel_rules": [],
    "routes": [],
}
_TITLE = {"title": gettext_noop("The title of the catalog changed.")}
_FLAGS = {
    "default_tools": (
        gettext_noop("It is a default tool now."),
        gettext_noop("It is no longer a default tool."),
    ),
    "always_on": (
        gettext_noop("It is always on now: it rides along with every selection."),
        gettext_noop("It is no longer always on."),
    ),
}


def changes_between(before: Document | None, after: Document) -> list[Change]:
    """Return every change from one document to another; ``None`` is a catalog never published.

    In order: settings, tools, groups, phases, rules, routes; within a section as the new document
    has them, what went at the end.
    """
    old, renamed = _with_renames(_EMPTY if before is None else before, after)
    return [
        *_setting_changes(old, after),
        *_tool_changes(old, after, renamed=renamed["tools"]),
        *part_changes("groups", old, after, renamed=renamed["groups"]),
        *part_changes("phases", old, after, renamed=renamed["phases"]),
        *rule_changes(old, after),
        *part_changes("routes", old, after, renamed=renamed["routes"]),
    ]


def renames_between(before: Document, after: Document) -> Mapping[str, Mapping[str, str]]:
    """Return by section the parts that were renamed, each old name with its new one."""
    return _with_renames(before, after)[1]


def _with_renames(before: Document, after: Document) -> tuple[Document, dict[str, dict[str, str]]]:
    """Return the older document with the new names, and what was renamed in each section."""
    old = before
    renamed: dict[str, dict[str, str]] = {}
    for section in _SECTIONS:
        renamed[section] = find_renames(old, after, section=section)
        old = with_new_names(old, renamed[section], section=section)
    return old, renamed


def _setting_changes(before: Document, after: Document) -> Iterator[Change]:
    for sentences, old, new in (
        (_TITLE, before, after),
        (SETTING_SENTENCES, before["settings"], after["settings"]),
    ):
        yield from field_changes(old, new, sentences=sentences, place=("settings", ""), subject="")


def _tool_changes(
    before: Document, after: Document, *, renamed: Mapping[str, str]
) -> Iterator[Change]:
    """Yield the changes of each tool with those of its standing: default, always on."""
    standing = _standing_changes(before, after)
    order = [tool["name"] for tool in after["tools"]]
    changes: dict[str, list[Change]] = {name: [] for name in order}
    for change in part_changes("tools", before, after, renamed=renamed):
        changes.setdefault(change.subject, []).append(change)
    for name, found in changes.items():
        yield from found
        yield from standing.get(name, [])


def _standing_changes(before: Document, after: Document) -> dict[str, list[Change]]:
    there = {tool["name"] for tool in after["tools"]}
    changes: dict[str, list[Change]] = {}
    for flag, (came, went) in _FLAGS.items():
        listed = compare_lists(before[flag], after[flag])
        for names, sentence in ((listed.added, came), (listed.removed, went)):
            for name in names:
                if name in there:
                    changes.setdefault(name, []).append(
                        Change(
                            place=("tools", name),
                            subject=name,
                            kind=Kind.CHANGED,
                            template=sentence,
                        )
                    )
    return changes
