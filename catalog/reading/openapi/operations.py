"""Each operation of a document as a draft of a tool."""

from collections.abc import Iterator, Mapping
from typing import Any

from catalog.document.problems import gettext_noop
from catalog.reading.objects import Doubled
from catalog.reading.openapi.arguments import as_schema, parameters
from catalog.reading.openapi.bodies import body_of, media_type
from catalog.reading.openapi.dialect import Dialect
from catalog.reading.openapi.identity import Name, Operation, names_of
from catalog.reading.openapi.references import resolved
from catalog.reading.results import Draft, Faulted, Faulty, Remark

# What HTTP says of its methods (RFC 9110): effect, and whether twice is as once.
_METHODS: Mapping[str, tuple[str, bool]] = {
    "get": ("read", True),
    "head": ("read", True),
    "options": ("read", True),
    "trace": ("read", True),
    "put": ("write", True),
    "patch": ("write", False),
    "post": ("write", False),
    "delete": ("destructive", True),
}


def is_openapi(value: object) -> bool:
    """Tell whether a value is an OpenAPI document, of whichever version."""
    return isinstance(value, Mapping) and ("openapi" in value or "swagger" in value)


def read_openapi(document: Mapping[str, Any], notes: list[Remark]) -> Iterator[Draft | Faulty]:
    """Return a draft of each operation, in the document's order. Raises ``Faulted``."""
    version = str(document.get("openapi", document.get("swagger")))
    if not version.startswith(("3.0", "3.1")):
        raise Faulted("old_openapi", version=version)
    if document.get("webhooks"):
        notes.append(Remark("webhooks_left"))
    found = list(_operations(document, notes))
    faulty = [entry for entry in found if isinstance(entry, Faulty)]
    sound = [entry for entry in found if not isinstance(entry, Faulty)]
    names = names_of([operation for operation, _, _ in sound])
    yield from faulty
    for (operation, item, raw), name in zip(sound, names, strict=True):
        yield _read(document, operation, item, raw, name)


Placed = tuple[Operation, Mapping[str, Any], Mapping[str, Any]]


def _operations(document: Mapping[str, Any], notes: list[Remark]) -> Iterator[Placed | Faulty]:
    paths = document.get("paths") or {}
    if not isinstance(paths, Mapping):
        raise Faulted("wrong_type", field="paths", expected=gettext_noop("an object"))
    if isinstance(paths, Doubled):
        notes.append(Remark("key_twice", {"key": paths.key}))
    for path, raw_item in paths.items():
        if path.startswith("x-"):
            continue
        try:
            item = resolved(document, raw_item)
            if not isinstance(item, Mapping):
                raise Faulted("wrong_type", field=path, expected=gettext_noop("an object"))
            if isinstance(item, Doubled):
                raise Faulted("key_twice", key=item.key)
        except Faulted as fault:
            yield Faulty(path, None, (fault.remark,))
            continue
        for method in (key for key in item if key.lower() in _METHODS):
            raw = item[method]
            given = raw.get("operationId") if isinstance(raw, Mapping) else None
            identifier = given if isinstance(given, str) and given.strip() else None
            yield Operation(path, method.lower(), identifier), item, raw


def _read(
    document: Mapping[str, Any],
    operation: Operation,
    item: Mapping[str, Any],
    raw: Any,
    name: Name,
) -> Draft | Faulty:
    try:
        return _draft(document, operation, item, raw, name)
    except Faulted as fault:
        return Faulty(operation.place, operation.identifier, (fault.remark,))
    except RecursionError:
        deep = Remark("too_deep", {"limit": 100})
        return Faulty(operation.place, operation.identifier, (deep,))


def _draft(
    document: Mapping[str, Any], operation: Operation, item: Mapping[str, Any], raw: Any, name: Name
) -> Draft:
    if isinstance(raw, Doubled):
        raise Faulted("key_twice", key=raw.key)
    if not isinstance(raw, Mapping):
        raise Faulted("not_an_object")
    draft = Draft(operation.place, name.name, {})
    if name.note is not None:
        draft.notes.append(name.note)
    if raw.get("deprecated") is True:
        draft.note("deprecated")
    effect, idempotent = _METHODS[operation.method]
    tags = raw.get("tags") or []
    draft.fields = {
        "title": raw.get("summary"),
        "description": raw.get("description") or raw.get("summary") or item.get("summary"),
        "tags": tags,
        "input_schema": _input(document, operation, item, raw, draft),
        "output_schema": _output(document, raw, draft),
        "side_effect": effect,
        "idempotent": idempotent,
    }
    return draft


def _input(
    document: Mapping[str, Any],
    operation: Operation,
    item: Mapping[str, Any],
    raw: Mapping[str, Any],
    draft: Draft,
) -> dict[str, Any]:
    dialect = Dialect(document, hidden="readOnly")
    arguments = parameters(
        raw.get("parameters"),
        item.get("parameters"),
        path=operation.path,
        dialect=dialect,
        draft=draft,
    )
    body = body_of(raw.get("requestBody"), dialect=dialect, draft=draft)
    schema = dialect.complete(as_schema(arguments, body, draft))
    dialect.notes(draft)
    return schema


def _output(document: Mapping[str, Any], raw: Mapping[str, Any], draft: Draft) -> Any:
    """Return the schema of what a success answers in JSON; ``None`` where nothing says it."""
    responses = raw.get("responses") or {}
    if not isinstance(responses, Mapping):
        return None
    successes = sorted(str(code) for code in responses if str(code).startswith("2"))
    try:
        for code in successes:
            answer = resolved(document, responses[code])
            content = answer.get("content") if isinstance(answer, Mapping) else None
            chosen = media_type(content) if isinstance(content, Mapping) else None
            if chosen is None or "json" not in chosen.lower():
                continue
            media = content[chosen] if isinstance(content, Mapping) else None
            if isinstance(media, Mapping) and media.get("schema") is not None:
                dialect = Dialect(document, hidden="writeOnly")
                schema = dialect.schema(media["schema"])
                return dialect.complete(schema) if isinstance(schema, dict) else None
    except Faulted as fault:
        draft.note("output_left", reason=fault.remark)
    return None
