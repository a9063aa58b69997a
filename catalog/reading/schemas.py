"""A schema as it may be published: checked, and rid of what cannot be kept, each time with a note.

References stay references; a schema is never unrolled.
"""

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from catalog.document import schema_problems
from catalog.formats.keywords import rewritten
from catalog.reading.invisible import without_invisible
from catalog.reading.results import Draft, Faulted

NO_ARGUMENTS: Mapping[str, Any] = {
    "type": "object",
    "properties": {},
    "additionalProperties": False,
}
_SHOWN = 10


def input_schema(raw: object, draft: Draft) -> dict[str, Any]:
    """Return a tool's input schema; absent, the tool takes no arguments. Raises ``Faulted``."""
    if raw is None:
        return dict(NO_ARGUMENTS)
    if raw is True:
        draft.note("true_opened")
        return {"type": "object"}
    if raw is False:
        raise Faulted("takes_nothing")
    if not isinstance(raw, Mapping):
        raise Faulted("not_a_schema", place="input_schema")
    kind = raw.get("type", "object")
    if isinstance(kind, list) and "object" in kind:
        draft.note("type_narrowed")
        raw = {**raw, "type": "object"}
    elif kind != "object":
        raise Faulted("input_is_no_object")
    return _sound(raw, "input_schema", draft)


def output_schema(raw: object, draft: Draft) -> dict[str, Any] | None:
    """Return a tool's output schema; one that cannot be kept is left out with a note."""
    if raw is None or raw is True:
        return None
    try:
        if not isinstance(raw, Mapping):
            raise Faulted("not_a_schema", place="output_schema")
        return _sound(raw, "output_schema", draft)
    except Faulted as fault:
        draft.note("output_left", reason=fault.remark)
        return None


def _sound(raw: Mapping[str, Any], field: str, draft: Draft) -> dict[str, Any]:
    made: dict[str, Any] = rewritten(raw, lambda schema: _mended(schema, field, draft))
    if problems := schema_problems(made):
        raise Faulted("invalid_schema", field=field, reason="; ".join(map(str, problems)))
    note_invisible(json.dumps(made, ensure_ascii=False), field, draft)
    return made


def _mended(schema: dict[str, Any], field: str, draft: Draft) -> dict[str, Any]:
    for key in ("title", "description"):
        if isinstance(text := schema.get(key), str):
            schema[key] = visible(text, f"{field}.{key}", draft)
    if isinstance(pattern := schema.get("pattern"), str) and not _is_linear(pattern):
        del schema["pattern"]
        draft.note("pattern_dropped", pattern=pattern, place=field)
    patterns = schema.get("patternProperties")
    if isinstance(patterns, Mapping) and (bad := [p for p in patterns if not _is_linear(p)]):
        schema["patternProperties"] = {p: s for p, s in patterns.items() if p not in bad}
        for pattern in bad:
            draft.note("pattern_dropped", pattern=pattern, place=field)
        # What the pattern let in must not be refused now.
        for key in ("additionalProperties", "unevaluatedProperties"):
            if key in schema:
                del schema[key]
                draft.note("additional_opened", place=field)
    return schema


def visible(text: str, field: str, draft: Draft) -> str:
    """Return a text without invisible characters, with a note if there were any."""
    left, gone = without_invisible(text)
    if gone:
        shown = ", ".join(list(dict.fromkeys(gone))[:_SHOWN])
        draft.note("invisible_removed", field=field, count=len(gone), characters=shown)
    return left


def note_invisible(text: str, field: str, draft: Draft) -> None:
    """Tell of invisible characters in names and values, which say what they say: they stay."""
    # JSON writes a control as an escape.
    escaped = (
        [] if "\\u00" not in text else [f"U+{code.upper()}" for code in _CONTROL.findall(text)]
    )
    gone = [*without_invisible(text)[1], *escaped]
    if gone:
        shown = ", ".join(list(dict.fromkeys(gone))[:_SHOWN])
        draft.note("invisible_kept", field=field, count=len(gone), characters=shown)


_CONTROL = re.compile(r"(?<!\\)\\u(00[0-9a-f]{2})")


@lru_cache(maxsize=4096)
def _is_linear(pattern: str) -> bool:
    return not schema_problems({"pattern": pattern})
