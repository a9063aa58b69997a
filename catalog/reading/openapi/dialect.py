"""Schemas of an OpenAPI document as JSON Schema, each reference one to ``$defs``.

3.0 has a dialect of its own: ``nullable``, exclusive bounds that are booleans, one ``example``.
"""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from catalog.formats.keywords import BY_NAME, LISTS, SINGLE, schemas_in
from catalog.reading.objects import Doubled
from catalog.reading.openapi.references import resolved, steps, target
from catalog.reading.parsing import MAX_DEPTH
from catalog.reading.results import Draft, Faulted

# Said of documentation and of XML, not of JSON.
_LEFT = ("discriminator", "externalDocs", "xml")
_UNSAFE = re.compile(r"[^A-Za-z0-9_.-]+")
_NULL = {"type": "null"}


class Dialect:
    """The schemas of one tool, of its request or of its answer.

    ``hidden`` is the keyword of properties that are not sent in this direction: ``readOnly`` in a
    request, ``writeOnly`` in an answer.
    """

    def __init__(self, document: Mapping[str, Any], *, hidden: str) -> None:
        self.document = document
        self.hidden = hidden
        self.is_old = str(document.get("openapi", "")).startswith("3.0")
        self.gone: dict[str, None] = {}
        self.left: Counter[str] = Counter()
        self._names: dict[str, str] = {}
        self._waiting: list[str] = []

    def schema(self, raw: object, depth: int = 0) -> Any:
        """Return a schema as JSON Schema; what it refers to waits for ``complete``."""
        if isinstance(raw, bool):
            return raw
        if depth > MAX_DEPTH:
            raise Faulted("too_deep", limit=MAX_DEPTH)
        if isinstance(raw, Doubled):
            raise Faulted("key_twice", key=raw.key)
        if not isinstance(raw, Mapping):
            raise Faulted("not_a_schema", place="schema")
        if isinstance(ref := raw.get("$ref"), str):
            return self._reference(ref, raw, depth)
        return self._without_old_words(self._keywords(raw, depth))

    def complete(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Return a schema with the definitions of everything that it refers to."""
        definitions = {}
        while self._waiting:
            ref = self._waiting.pop()
            definitions[self._names[ref]] = self.schema(target(self.document, ref))
        if definitions:
            schema = {**schema, "$defs": dict(sorted(definitions.items()))}
        for inner in schemas_in(schema):
            self._require_only_what_is_sent(inner)
        return schema

    def notes(self, draft: Draft) -> None:
        """Tell of everything that was left out."""
        for name in self.gone:
            draft.note("read_only_dropped", name=name)
        for keyword, count in sorted(self.left.items()):
            draft.note("keyword_dropped", keyword=keyword, count=count)

    def is_hidden(self, schema: object) -> bool:
        """Tell whether a property is not sent in this direction, itself or by what it refers to."""
        said = isinstance(schema, Mapping) and schema.get(self.hidden) is True
        if said or not (isinstance(schema, Mapping) and "$ref" in schema):
            return said
        pointed = resolved(self.document, schema)
        return isinstance(pointed, Mapping) and pointed.get(self.hidden) is True

    def _reference(self, ref: str, raw: Mapping[str, Any], depth: int) -> dict[str, Any]:
        resolved(self.document, raw)
        if ref not in self._names:
            self._names[ref] = self._free_name(ref)
            self._waiting.append(ref)
        made: dict[str, Any] = {"$ref": f"#/$defs/{self._names[ref]}"}
        beside = {key: value for key, value in raw.items() if key != "$ref"}
        if self.is_old:
            # 3.0 ignores what stands beside a reference, yet means it where it is written.
            kept = ("description", "nullable", "title")
            self.left.update(key for key in beside if key not in kept)
            beside = {key: value for key, value in beside.items() if key in kept}
        return self._without_old_words({**made, **self._keywords(beside, depth)})

    def _free_name(self, ref: str) -> str:
        last = (steps(ref) or ["schema"])[-1]
        name = base = _UNSAFE.sub("_", last) or "schema"
        number = 2
        while name in self._names.values():
            name = f"{base}_{number}"
            number += 1
        return name

    def _keywords(self, raw: Mapping[str, Any], depth: int) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for key, value in raw.items():
            if key in _LEFT or key.startswith("x-"):
                self.left[key] += 1
            elif key == "properties" and isinstance(value, Mapping):
                made[key] = self._properties(value, depth)
            elif key in BY_NAME and isinstance(value, Mapping):
                made[key] = {name: self.schema(one, depth + 1) for name, one in value.items()}
            elif key in LISTS and isinstance(value, list):
                made[key] = [self.schema(one, depth + 1) for one in value]
            elif key in SINGLE:
                made[key] = self.schema(value, depth + 1)
            else:
                made[key] = value
        return made

    def _properties(self, properties: Mapping[str, Any], depth: int) -> dict[str, Any]:
        if isinstance(properties, Doubled):
            raise Faulted("key_twice", key=properties.key)
        made = {}
        for name, schema in properties.items():
            if self.is_hidden(schema):
                self.gone[name] = None
            else:
                made[name] = self.schema(schema, depth + 1)
        return made

    def _require_only_what_is_sent(self, schema: Any) -> None:
        required = schema.get("required")
        if self.gone and isinstance(required, list):
            own = schema.get("properties", {})
            # What is no list of names is left for the check of the whole schema to tell.
            schema["required"] = [
                name
                for name in required
                if not isinstance(name, str) or name in own or name not in self.gone
            ]

    def _without_old_words(self, schema: dict[str, Any]) -> dict[str, Any]:
        if "example" in schema:
            example = schema.pop("example")
            schema.setdefault("examples", [example])
        if not self.is_old:
            return schema
        for bound, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
            if isinstance(is_exclusive := schema.get(exclusive), bool):
                del schema[exclusive]
                if is_exclusive and bound in schema:
                    schema[exclusive] = schema.pop(bound)
        if schema.pop("nullable", False) is True:
            return nullable(schema)
        return schema


def nullable(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema that takes null as well."""
    kinds = schema.get("type")
    if kinds is None and not ({"enum", "$ref", "allOf", "anyOf", "oneOf"} & schema.keys()):
        return schema
    if {"$ref", "allOf", "anyOf", "oneOf"} & schema.keys():
        about = {key: schema[key] for key in ("title", "description") if key in schema}
        rest = {key: value for key, value in schema.items() if key not in about}
        return {**about, "anyOf": [rest, _NULL]}
    if kinds is not None:
        listed = kinds if isinstance(kinds, list) else [kinds]
        schema["type"] = listed if "null" in listed else [*listed, "null"]
    if isinstance(values := schema.get("enum"), list) and None not in values:
        schema["enum"] = [*values, None]
    return schema
