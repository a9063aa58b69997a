"""From what readers understood to tools in the native shape, each under one canonical name."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from catalog.document import REQUEST_GROUP
from catalog.document.problems import gettext_noop
from catalog.reading.names import LONGEST, canonical_name
from catalog.reading.parsing import check_plain
from catalog.reading.results import Draft, Faulted, Faulty, Found, Remark
from catalog.reading.schemas import input_schema, note_invisible, output_schema, visible

# What is assumed of a tool of which nothing is known: the worst.
ASSUMED: dict[str, Any] = {
    "title": "",
    "description": "",
    "category": "",
    "tags": [],
    "input_schema": None,
    "output_schema": None,
    "capability": "",
    "side_effect": "destructive",
    "idempotent": False,
    "open_world": True,
    "scopes": [],
    "needs_approval": False,
    "timeout_ms": 10_000,
    "max_attempts": 3,
    "output_trust": "untrusted_content",
    "enabled": True,
    "owner": "",
    "aliases": [],
    "examples": [],
    "trace_fields": [],
}
_LENGTHS = {"title": 200, "description": 4000, "category": 100, "capability": 100, "owner": 100}
_LISTS = ("tags", "scopes", "aliases", "examples", "trace_fields")
_CHOICES = {
    "side_effect": ("read", "write", "destructive"),
    "output_trust": ("trusted_system", "untrusted_content"),
}
_RANGES = {"timeout_ms": 3_600_000, "max_attempts": 20}


def settle(entries: Iterable[Draft | Faulty]) -> tuple[Found | Faulty, ...]:
    """Return every entry as a tool or with its faults, in their order."""
    made = [_settled(entry) if isinstance(entry, Draft) else entry for entry in entries]
    return tuple(_without_meetings(made))


def name_of(value: object) -> str | None:
    """Return a name as it can be shown, ``None`` where there is none."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else None


def _settled(draft: Draft) -> Found | Faulty:
    try:
        return _found(draft)
    except Faulted as fault:
        return Faulty(draft.place, name_of(draft.name), (fault.remark,))
    except RecursionError:
        deep = Remark("too_deep", {"limit": 100})
        return Faulty(draft.place, name_of(draft.name), (deep,))


def _found(draft: Draft) -> Found:
    check_plain([draft.name, draft.fields])
    name = _canonical(draft)
    fields = {key: value for key, value in draft.fields.items() if key in ASSUMED}
    said = frozenset({"name", *(key for key, value in fields.items() if value is not None)})
    tool: dict[str, Any] = {"name": name, **ASSUMED}
    for key, value in fields.items():
        if value is not None:
            tool[key] = _checked(key, value, draft)
    tool["input_schema"] = input_schema(fields.get("input_schema"), draft)
    tool["output_schema"] = output_schema(fields.get("output_schema"), draft)
    if name != draft.name and draft.name and draft.name not in tool["aliases"]:
        tool["aliases"] = [*tool["aliases"], draft.name]
        said |= {"aliases"}
    if not tool["description"].strip():
        draft.note("no_description")
    if "side_effect" not in said:
        draft.note("effects_unknown")
    check_plain(tool)
    return Found(draft.place, tool, said, tuple(draft.notes))


def _canonical(draft: Draft) -> str:
    original = draft.name
    if not isinstance(original, str) or not original.strip():
        raise Faulted("no_name")
    name = canonical_name(original)
    if name.lower() == REQUEST_GROUP:
        raise Faulted("reserved_name", name=original)
    if name != original:
        code = "name_shortened" if len(original) > LONGEST else "name_cleaned"
        draft.note(code, name=original, canonical=name)
    return name


def _checked(key: str, value: Any, draft: Draft) -> Any:
    """Return a field's value as the native shape has it. Raises ``Faulted``."""
    if key in _LENGTHS:
        if not isinstance(value, str):
            raise Faulted("wrong_type", field=key, expected=gettext_noop("a text"))
        return _cut(key, visible(value, key, draft), draft)
    if key in _LISTS:
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise Faulted("wrong_type", field=key, expected=gettext_noop("a list of texts"))
        return _texts(key, value, draft)
    if key in _CHOICES and value not in _CHOICES[key]:
        raise Faulted("wrong_type", field=key, expected=" or ".join(_CHOICES[key]))
    if key in _RANGES and (type(value) is not int or not 1 <= value <= _RANGES[key]):
        raise Faulted("wrong_type", field=key, expected=f"1 to {_RANGES[key]}")
    if isinstance(ASSUMED[key], bool) and not isinstance(value, bool):
        raise Faulted("wrong_type", field=key, expected=gettext_noop("true or false"))
    return value


def _texts(key: str, value: list[str], draft: Draft) -> list[str]:
    """Return a list of texts: those that are read are cleaned, those that name something stay."""
    if key in ("tags", "examples"):
        return [visible(item, key, draft) for item in value]
    note_invisible("\n".join(value), key, draft)
    return list(value)


def _cut(key: str, text: str, draft: Draft) -> str:
    if len(text) <= (limit := _LENGTHS[key]):
        return text
    draft.note("text_cut", field=key, length=len(text), limit=limit)
    return text[: limit - 1] + "…"


def _without_meetings(entries: Sequence[Found | Faulty]) -> list[Found | Faulty]:
    """Refuse the tools whose names meet: none overwrites another.

    A tool whose name is as it was written goes before those that had to be changed; of the latter,
    none is more right than the others.
    """
    made = list(entries)
    meeting: dict[str, list[int]] = defaultdict(list)
    for number, entry in enumerate(entries):
        if isinstance(entry, Found):
            meeting[entry.tool["name"].lower()].append(number)
    for numbers in meeting.values():
        tools = [(n, entry) for n in numbers if isinstance(entry := entries[n], Found)]
        if len(tools) == 1:
            continue
        kept = next((number for number, tool in tools if not _was_changed(tool)), None)
        if kept is None and len({_original(tool) for _, tool in tools}) == 1:
            kept = numbers[0]
        for number, tool in tools:
            if number != kept:
                other = next(one for n, one in tools if n != number and kept in (None, n))
                made[number] = Faulty(tool.place, _original(tool), (_meeting(tool, other),))
    return made


def _was_changed(tool: Found) -> bool:
    return any(note.code.startswith("name_") for note in tool.notes)


def _original(tool: Found) -> str:
    changed = ("name_cleaned", "name_shortened")
    return next(
        (str(note.params["name"]) for note in tool.notes if note.code in changed),
        tool.tool["name"],
    )


def _meeting(tool: Found, other: Found) -> Remark:
    mine, theirs = _original(tool), _original(other)
    if mine == theirs:
        return Remark("repeated_name", {"name": mine, "other": other.place})
    if mine.lower() == theirs.lower():
        return Remark("case_only", {"name": mine, "other": theirs})
    canonical = tool.tool["name"]
    if theirs == canonical:
        params = {"name": mine, "canonical": canonical, "other": other.place}
        return Remark("name_taken", params)
    return Remark("names_meet", {"name": mine, "canonical": canonical, "other": theirs})
