"""One tool of each provider, understood. Each function takes an entry and returns a draft."""

from collections.abc import Callable, Collection, Mapping
from typing import Any

from catalog.document.problems import gettext_noop
from catalog.formats.keywords import rewritten
from catalog.reading.results import Draft, Faulted
from catalog.reading.settling import ASSUMED

Item = Mapping[str, Any]
# Said by providers' tools, and nothing that a tool is.
_IDLE = {"strict": (False, None), "defer_loading": (False, None), "cache_control": (None,)}


def openai(item: Item, place: str) -> Draft:
    """Read Chat's nested shape, Responses' flat one, and that of before there were types."""
    if (kind := item.get("type", "function")) != "function":
        raise Faulted("hosted_tool", kind=kind)
    inner = item.get("function", item)
    if not isinstance(inner, Mapping):
        raise Faulted("wrong_type", field="function", expected=gettext_noop("an object"))
    fields = {"description": inner.get("description"), "input_schema": inner.get("parameters")}
    draft = Draft(place, inner.get("name"), fields)
    known = {"type", "function", "name", "description", "parameters"}
    _note_rest({**item, **inner}, known, draft)
    return draft


def anthropic(item: Item, place: str) -> Draft:
    """Read a tool of Messages."""
    if (kind := item.get("type") or "custom") != "custom":
        raise Faulted("hosted_tool", kind=kind)
    fields = {"description": item.get("description"), "input_schema": item.get("input_schema")}
    draft = Draft(place, item.get("name"), fields)
    _note_rest(item, {"type", "name", "description", "input_schema"}, draft)
    return draft


def mcp(item: Item, place: str) -> Draft:
    """Read an item of ``tools/list``; its hints are claims, and absent ones mean the worst."""
    hints = item.get("annotations") or {}
    if not isinstance(hints, Mapping):
        raise Faulted("wrong_type", field="annotations", expected=gettext_noop("an object"))
    fields = {
        "title": item.get("title") or hints.get("title"),
        "description": item.get("description"),
        "input_schema": item.get("inputSchema"),
        "output_schema": item.get("outputSchema"),
    }
    draft = Draft(place, item.get("name"), fields)
    read_only = _hint(hints, "readOnlyHint", "destructiveHint")
    if read_only is not None:
        fields["side_effect"] = _side_effect(hints)
        draft.note("effects_claimed")
    fields["idempotent"] = _hint(hints, "idempotentHint")
    fields["open_world"] = _hint(hints, "openWorldHint")
    known = {"name", "title", "description", "inputSchema", "outputSchema", "annotations"}
    _note_rest(item, known, draft)
    return draft


def _hint(hints: Item, *names: str) -> bool | None:
    for name in names:
        if (value := hints.get(name)) is not None:
            if not isinstance(value, bool):
                raise Faulted("wrong_type", field=name, expected=gettext_noop("true or false"))
            return value
    return None


def _side_effect(hints: Item) -> str:
    if _hint(hints, "readOnlyHint"):
        return "read"
    return "write" if _hint(hints, "destructiveHint") is False else "destructive"


_GEMINI_INPUT = ("parameters_json_schema", "parametersJsonSchema", "parameters")
_GEMINI_OUTPUT = ("response_json_schema", "responseJsonSchema", "response")


def gemini(item: Item, place: str) -> Draft:
    """Read a function declaration, with JSON Schema or with Gemini's own spelling of it."""
    fields = {
        "description": item.get("description"),
        "input_schema": _gemini_schema(item, _GEMINI_INPUT),
        "output_schema": _gemini_schema(item, _GEMINI_OUTPUT),
    }
    draft = Draft(place, item.get("name"), fields)
    _note_rest(item, {"name", "description", *_GEMINI_INPUT, *_GEMINI_OUTPUT}, draft)
    return draft


def _gemini_schema(item: Item, keys: Collection[str]) -> object:
    for key in keys:
        if (schema := item.get(key)) is not None:
            return schema if "chema" in key else rewritten(schema, _plainly_spelled)
    return None


# What JSON Schema has not, and the 64-bit counts that are texts, as in protobuf's JSON.
_GEMINIS_OWN = ("nullable", "propertyOrdering")
_COUNTS = ("minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties")


def _plainly_spelled(schema: dict[str, Any]) -> dict[str, Any]:
    made = {key: value for key, value in schema.items() if key not in _GEMINIS_OWN}
    if isinstance(kind := schema.get("type"), str):
        made["type"] = kind.lower()
        if schema.get("nullable") is True:
            made["type"] = [kind.lower(), "null"]
    for key in _COUNTS:
        if isinstance(count := schema.get(key), str) and count.isdecimal():
            made[key] = int(count)
    return made


def native(item: Item, place: str) -> Draft:
    """Read a tool of a document; the revision is the catalog's own to count."""
    fields = {key: item[key] for key in ASSUMED if key in item}
    draft = Draft(place, item.get("name"), fields)
    _note_rest(item, {"name", "revision", *ASSUMED}, draft)
    return draft


def _note_rest(item: Item, known: Collection[str], draft: Draft) -> None:
    rest = [key for key in item if key not in known and item[key] not in _IDLE.get(key, ())]
    if rest:
        draft.note("fields_dropped", fields=", ".join(rest))


PROVIDERS: Mapping[str, Callable[[Item, str], Draft]] = {
    "native": native,
    "openai": openai,
    "openai-responses": openai,
    "anthropic": anthropic,
    "mcp": mcp,
    "gemini": gemini,
}
