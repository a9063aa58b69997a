"""The body of a request: its properties are arguments where it is a plain object."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from catalog.document.problems import gettext_noop
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
    doubled: set[str] = field(default_factory=set)


def body_of(raw: object, *, dialect: Dialect, draft: Draft) -> Body | None:
    """Return an operation's body, ``None`` where it has none.

    One that is no plain object is the argument ``body``. Raises ``Faulted``.
    """
    body = resolved(dialect.document, raw)
    if body is None:
        return None
    if not isinstance(body, Mapping) or not isinstance(body.get("content", {}), Mapping):
        raise Faulted(
            "wrong_type", field="requestBody", expected=gettext_noop("an object with content")
        )
    content = body.get("content", {})
    chosen = media_type(content)
    if chosen is None:
        return None
    if others := [media for media in content if media != chosen]:
        draft.note("media_types_left", chosen=chosen, others=", ".join(others))
    media = content[chosen]
    schema = media.get("schema") if isinstance(media, Mapping) else None
    is_required = body.get("required") is True
    parts = _Reader(dialect.document).parts({} if schema is None else schema)
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


class _Reader:
    """Reads plain objects through references and ``allOf``, each reference once."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document
        self._known: dict[str, _Parts | None] = {}
        self._open: set[str] = set()

    def parts(self, schema: Any) -> _Parts | None:
        """Return what a plain object holds, ``None`` for any other schema. Raises ``Faulted``."""
        if not isinstance(schema, Mapping):
            return None
        if isinstance(ref := schema.get("$ref"), str):
            beside = {key for key in schema if key != "$ref" and key not in _ABOUT}
            return None if beside else self._pointed(ref)
        says = {key for key in schema if key not in _ABOUT and not key.startswith("x-")}
        branches = schema.get("allOf", [])
        is_plain = schema.get("type", "object") == "object" and isinstance(branches, list)
        return self._composed(schema, branches) if is_plain and says <= _PLAIN else None

    def _composed(self, schema: Mapping[str, Any], branches: list[Any]) -> _Parts | None:
        made = _Parts(further=schema.get("additionalProperties"))
        _merge(made, schema.get("properties"), schema.get("required"))
        for branch in branches:
            inner = self.parts(branch)
            # A branch that refuses further properties refuses those of its neighbours.
            if inner is None or {_is_open(inner), _is_open(made)} != {True}:
                return None
            if not _merge(made, inner.properties, inner.required):
                return None
            made.doubled |= inner.doubled
        return made

    def _pointed(self, ref: str) -> _Parts | None:
        if ref in self._open:
            raise Faulted("reference_loops", reference=ref)
        if ref not in self._known:
            self._open.add(ref)
            self._known[ref] = self.parts(target(self._document, ref))
            self._open.discard(ref)
        return self._known[ref]


def _is_open(parts: _Parts) -> bool:
    return parts.further in (None, True)


def _merge(parts: _Parts, properties: object, required: object) -> bool:
    """Add properties to parts; ``False`` where one would be composed twice, and could grow."""
    if isinstance(required, list):
        names = (name for name in required if isinstance(name, str))
        parts.required = list(dict.fromkeys([*parts.required, *names]))
    for name, schema in properties.items() if isinstance(properties, Mapping) else ():
        known = parts.properties.setdefault(name, schema)
        if known != schema:
            if name in parts.doubled:
                return False
            parts.doubled.add(name)
            parts.properties[name] = {"allOf": [known, schema]}
    return True
