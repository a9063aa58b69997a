"""What changed by an entry of the audit log, in the words of differences."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_noop

from catalog.diff import Change, Kind, changes_between
from catalog.diff.fields import as_text
from catalog.freezing import tool_value
from catalog.models import AuditEntry, Tool
from catalog.recording.sections import SECTIONS as PARTS
from catalog.recording.values import ORDER
from catalog.roles import Role
from dashboard.audit_words import FACTS
from dashboard.text_words import redactions_told

_RENAMED = gettext_noop("Renamed: it was “%(old)s”.")
_MOVED = gettext_noop("The order changed.")
_TOOLS_MOVED = gettext_noop("The order of its tools changed.")
_OWN: Mapping[str, str] = {
    "keep_text": gettext_noop("Whether the text of tasks is kept changed."),
    "redact_text": gettext_noop("Whether text is redacted changed."),
    "redactions": gettext_noop("What is redacted changed."),
    "text_days": gettext_noop("For how many days text is kept changed."),
    "archived": gettext_noop("Whether the catalog is archived changed."),
}
_NAMES = 10
_BLANK_TOOL: Mapping[str, Any] = tool_value(Tool())


def changes_of(entry: AuditEntry) -> list[Change]:
    """Return what an entry says, change by change, in the words of differences."""
    if entry.kind not in PARTS:
        return list(_deed_changes(entry))
    if entry.row is None:
        return [_order_change(entry)]
    changes = list(_own_changes(entry))
    before = None if entry.before is None else _document(entry, entry.before)
    after = None if entry.after is None else _document(entry, entry.after)
    empty = _empty()
    differences = changes_between(before or empty, after or empty)
    # Numbers of places are of the whole list, and an entry has but what changed of it.
    changes += [change for change in differences if change.kind is not Kind.MOVED]
    if entry.kind == "groups" and _only_moved(entry):
        changes.append(_tools_moved(entry))
    return changes


def _own_changes(entry: AuditEntry) -> Iterator[Change]:
    """Yield what documents do not hold, or hold elsewhere."""
    if entry.before is None or entry.after is None:
        return
    if "name" in entry.after:
        yield _change(entry, _RENAMED, old=entry.before["name"])
    for field, sentence in _OWN.items():
        if field in entry.after:
            was, now = (_told(field, value[field]) for value in (entry.before, entry.after))
            yield _change(entry, sentence, was, now)


def _told(field: str, value: Any) -> Sequence[str]:
    return redactions_told(value) if field == "redactions" else (as_text(value),)


def _change(
    entry: AuditEntry,
    template: str,
    removed: Sequence[str] = (),
    added: Sequence[str] = (),
    **params: object,
) -> Change:
    return Change(
        place=(entry.kind, entry.subject),
        subject=entry.subject,
        kind=Kind.CHANGED,
        template=template,
        params=params,
        removed=tuple(removed),
        added=tuple(added),
    )


def _order_change(entry: AuditEntry) -> Change:
    return _change(entry, _MOVED, (_listed(entry.before[ORDER]),), (_listed(entry.after[ORDER]),))


def _listed(rows: Sequence[Sequence[Any]]) -> str:
    names = [str(row[1]) for row in rows]
    more = f" (+{len(names) - _NAMES})" if len(names) > _NAMES else ""
    return ", ".join(names[:_NAMES]) + more


def _only_moved(entry: AuditEntry) -> bool:
    if not entry.before or not entry.after or not entry.after.get("tools"):
        return False
    was, now = ({tool[0] for tool in value["tools"]} for value in (entry.before, entry.after))
    return bool(was & now)


def _tools_moved(entry: AuditEntry) -> Change:
    return _change(
        entry, _TOOLS_MOVED, (_listed(entry.before["tools"]),), (_listed(entry.after["tools"]),)
    )


def _empty() -> dict[str, Any]:
    lists = ("default_tools", "always_on", *(kind for kind in PARTS if kind != "settings"))
    return {"title": "", "settings": {}, **{name: [] for name in lists}}


def _document(entry: AuditEntry, value: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document of one part, with what the entry has of it and blanks for the rest."""
    document, kind = _empty(), entry.kind
    if kind == "settings":
        settings = {name: one for name, one in value.items() if name != "title"}
        return {**document, "title": value.get("title", ""), "settings": settings}
    links = {link.field: _names(value.get(link.field, ())) for link in PARTS[kind].links}
    blank = _BLANK_TOOL if kind == "tools" else _blank(entry)
    part = {**blank, **value, **links}
    if entry.before is not None and entry.after is not None and "name" in blank:
        part["name"] = entry.subject  # a new name is told by itself
    if kind == "routes":
        budgets = ("calls", "tokens", "cost", "seconds")
        part["budget"] = {name: value.get(f"budget_{name}") for name in budgets}
    if kind == "phases":
        document["settings"]["initial_phase"] = part["name"] if value.get("initial") else None
    if kind == "tools":
        document["default_tools"] = [part["name"]] if value.get("is_default") else []
        document["always_on"] = [part["name"]] if value.get("always_on") else []
    document[kind] = [part]
    return document


def _blank(entry: AuditEntry) -> dict[str, Any]:
    """Return a part that says nothing but what it is known by, the same before and after."""
    blanks: dict[str, dict[str, Any]] = {
        "groups": {"name": entry.subject, "description": "", "examples": []},
        "phases": {"name": entry.subject, "description": ""},
        "routes": {"name": entry.subject, "side_effects": []},
        "keyword_rules": {"pattern": entry.subject},
        "intent_rules": {"phrases": [entry.subject]},
        "channel_rules": {"kind": "", "value": ""},
    }
    return blanks[entry.kind]


def _names(references: Sequence[Sequence[Any]]) -> list[str]:
    return [str(reference[1]) for reference in references]


def _deed_changes(entry: AuditEntry) -> Iterator[Change]:
    before, after = entry.before or {}, entry.after or {}
    for name in dict.fromkeys((*before, *after)):
        was, now = _fact(name, before.get(name)), _fact(name, after.get(name))
        if was != now and (was or now):
            label = FACTS.get(name, name)
            yield _change(entry, "%(fact)s", [was] if was else [], [now] if now else [], fact=label)


def _fact(name: str, value: object) -> str:
    if value is None or value in ([], ""):
        return ""
    if name == "role":
        return str(Role[str(value).upper()].label)
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return as_text(value)
