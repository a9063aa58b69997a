"""Changes of the plain fields of a part: one sentence a field."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from catalog.diff.change import Change, Kind
from catalog.diff.lists import compare_lists
from catalog.document.problems import gettext_noop

TOOL_SENTENCES: Mapping[str, str] = {
    "title": gettext_noop("The title changed."),
    "description": gettext_noop("The description changed."),
    "category": gettext_noop("The category changed."),
    "tags": gettext_noop("The tags changed."),
    "capability": gettext_noop("The capability changed."),
    "side_effect": gettext_noop("The side effect changed."),
    "idempotent": gettext_noop("Whether a repeated call is harmless (idempotent) changed."),
    "open_world": gettext_noop("Whether it reaches the outside world changed."),
    "scopes": gettext_noop("The required scopes changed."),
    "needs_approval": gettext_noop("Whether a call needs approval changed."),
    "timeout_ms": gettext_noop("The time-out changed (milliseconds)."),
    "max_attempts": gettext_noop("The attempt limit changed."),
    "output_trust": gettext_noop("The trust of its output changed."),
    "owner": gettext_noop("The owner changed."),
    "aliases": gettext_noop("The aliases changed."),
    "examples": gettext_noop("The example tasks changed."),
    "trace_fields": gettext_noop("The trace fields changed."),
}
GROUP_SENTENCES: Mapping[str, str] = {
    "description": gettext_noop("The description changed."),
    "examples": gettext_noop("The example tasks changed."),
}
PHASE_SENTENCES: Mapping[str, str] = {
    "description": gettext_noop("The description changed."),
    "tools": gettext_noop("Its tools changed."),
    "groups": gettext_noop("Its groups changed."),
    "next": gettext_noop("The phases that may follow changed."),
}
ROUTE_SENTENCES: Mapping[str, str] = {
    "tools": gettext_noop("Its tools changed."),
    "groups": gettext_noop("Its groups changed."),
    "side_effects": gettext_noop("The side effects allowed changed."),
}
BUDGET_SENTENCES: Mapping[str, str] = {
    "calls": gettext_noop("The ceiling of calls a run changed."),
    "tokens": gettext_noop("The ceiling of tokens a run changed."),
    "cost": gettext_noop("The ceiling of cost a run changed (USD)."),
    "seconds": gettext_noop("The ceiling of seconds a run changed."),
}
SETTING_SENTENCES: Mapping[str, str] = {
    "strategy": gettext_noop("The strategy changed."),
    "threshold": gettext_noop("The threshold changed."),
    "max_tools": gettext_noop("The cap changed."),
    "inclusive": gettext_noop("Whether selections are inclusive changed."),
    "initial_phase": gettext_noop("The phase that a run begins in changed."),
    "exploration": gettext_noop("The exploration share changed."),
}
KEYWORD_SENTENCES: Mapping[str, str] = {
    "add_tools": gettext_noop("The tools that it adds changed."),
    "remove_tools": gettext_noop("The tools that it removes changed."),
    "add_groups": gettext_noop("The groups that it adds changed."),
    "remove_groups": gettext_noop("The groups that it removes changed."),
}
INTENT_SENTENCES: Mapping[str, str] = {
    "tools": gettext_noop("The tools that it opens changed."),
    "groups": gettext_noop("The groups that it opens changed."),
}
CHANNEL_SENTENCES: Mapping[str, str] = {
    "groups": gettext_noop("The groups that it opens changed."),
}


def field_changes(
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    *,
    sentences: Mapping[str, str],
    place: tuple[str, str],
    subject: str,
) -> Iterator[Change]:
    """Yield a change for each field of ``sentences`` that differs; a missing one counts as none."""
    for name, sentence in sentences.items():
        old, new = before.get(name), after.get(name)
        if old == new and type(old) is type(new):
            continue
        removed, added = _texts(old, new)
        yield Change(
            place=place,
            subject=subject,
            kind=Kind.CHANGED,
            template=sentence,
            removed=removed,
            added=added,
        )


def _texts(old: object, new: object) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what went and what came: of a list its items alone, its order where no item did."""
    if isinstance(old, list) and isinstance(new, list):
        listed = compare_lists(_as_texts(old), _as_texts(new))
        if listed.added or listed.removed:
            return listed.removed, listed.added
        return (", ".join(_as_texts(old)),), (", ".join(_as_texts(new)),)
    return _alone(old), _alone(new)


def _alone(value: object) -> tuple[str, ...]:
    if isinstance(value, list):
        return tuple(_as_texts(value))
    return () if value is None or value == "" else (as_text(value),)


def _as_texts(values: Sequence[object]) -> list[str]:
    return [as_text(value) for value in values]


def as_text(value: object) -> str:
    """Return a value as a person reads it: a text as it is, the rest as JSON."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
