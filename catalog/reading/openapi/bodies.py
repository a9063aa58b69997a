"""The body of a request: its properties are arguments where it is a plain object."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from catalog.reading.openapi.dialect import Dialect
from catalog.reading.openapi.references import resolved, target
from catalog.reading.results import Draft, Faulted

_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
# Of a schema, what does not change which values it takes.
_ABOUT = frozenset(
    {
        "default",
        "deprecated",
        "description",
        "discriminator",
        "example",
        "examples",
        "externalDocs",
        "nullable",
        "readOnly",
        "title",
        "writeOnly",
        "xml",
    }
)
_PLAIN = frozenset({"type", "properties", "required", "additionalProperties", "allOf"})


@dataclass(frozen=True, slots=True)
class Body:
    """What a body holds; ``further`` is its ``additionalProperties``, ``None`` where unsaid."""

    properties: Mapping[str, Any]
    required: frozenset[str]
    further: Any


@dataclass(slots=True)
class _Parts:
    properties: dict[str, Any] = field(default_factory=dict)
    required: list[str] = field(default_factory=list)
    further: Any = None
    is_composed: bool = False


def body_of(raw: object, *, dialect: Dialect, draft: Draft) -> Body | None:
    """Return an operation's body, ``None`` where it has none.

    One that is no plain object is the argument ``body``. Raises ``Faulted``.
    """
    body = resolved(dialect.document, raw)
    if body is None:
        return None
    if not isinstance(body, Mapping) or not isinstance(body.get("content", {}), Mapping):
        raise Faulted("wrong_type", field="requestBody", expected="an object with content")
    content = body.get("content", {})
    chosen = media_type(content)
    if chosen is None:
        return None
    if others := [media for media in content if media != chosen]:
        draft.note("media_types_left", chosen=chosen, others=", ".join(others))
    media = content[chosen]
    schema = media.get("schema") if isinstance(media, Mapping) else None
    is_required = body.get("required") is True
    parts = _parts({} if schema is None else schema, dialect.document, frozenset())
    if parts is None or not parts.properties:
        whole = dialect.schema({} if schema is None else schema)
        return Body({"body": whole}, frozenset({"body"} if is_required else ()), further=False)
    if not is_required and parts.required:
        draft.note("body_optional")
    made = dialect.schema({"properties": parts.properties})["properties"]
    further = parts.further
    if isinstance(further, Mapping):
        further = dialect.schema(further)
    return Body(made, frozenset(parts.required) & made.keys(), further)


def media_type(content: Mapping[str, Any]) -> str | None:
    """Return the media type to take: JSON before forms before others, whatever its charset."""

    def rank(media: str) -> int:
        bare = media.split(";", maxsplit=1)[0].strip().lower()
        if bare == "application/json":
            return 0
        if bare.endswith("+json"):
            return 1
        return 2 + _FORMS.index(bare) if bare in _FORMS else 4

    return min(content, key=rank, default=None)


def _parts(schema: Any, document: Mapping[str, Any], seen: frozenset[str]) -> _Parts | None:
    """Return what a plain object holds, through references and ``allOf``; else ``None``."""
    if not isinstance(schema, Mapping):
        return None
    if isinstance(ref := schema.get("$ref"), str):
        if ref in seen:
            raise Faulted("reference_loops", reference=ref)
        beside = {key for key in schema if key != "$ref" and key not in _ABOUT}
        pointed = target(document, ref)
        return None if beside else _parts(pointed, document, seen | {ref})
    says = {key for key in schema if key not in _ABOUT and not key.startswith("x-")}
    if says - _PLAIN or schema.get("type", "object") != "object":
        return None
    parts = _Parts(further=schema.get("additionalProperties"))
    _merge(parts, schema.get("properties"), schema.get("required"))
    for branch in schema.get("allOf", ()):
        inner = _parts(branch, document, seen)
        # A branch that refuses further properties refuses those of its neighbours.
        if inner is None or inner.further not in (None, True) or parts.further not in (None, True):
            return None
        _merge(parts, inner.properties, inner.required)
    return parts


def _merge(parts: _Parts, properties: object, required: object) -> None:
    if isinstance(required, list):
        parts.required += [name for name in required if isinstance(name, str)]
    for name, schema in properties.items() if isinstance(properties, Mapping) else ():
        known = parts.properties.setdefault(name, schema)
        if known != schema:
            parts.properties[name] = {"allOf": [known, schema]}
