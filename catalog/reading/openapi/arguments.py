"""Parameters and body of an operation as the arguments of one tool, each with its own name."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from catalog.document.problems import gettext_noop
from catalog.reading.openapi.bodies import Body
from catalog.reading.openapi.dialect import Dialect
from catalog.reading.openapi.references import resolved
from catalog.reading.results import Draft, Faulted

PLACES = ("path", "query", "header", "cookie", "body")
# OpenAPI: a parameter that describes one of these headers shall be ignored.
_TRANSPORT = frozenset({"accept", "authorization", "content-type"})
_IN_PATH = re.compile(r"\{([^{}]+)\}")


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument; ``place`` is where the request carries it."""

    name: str
    place: str
    schema: Any
    required: bool


def parameters(
    own: object, shared: object, *, path: str, dialect: Dialect, draft: Draft
) -> list[Argument]:
    """Return the arguments of an operation's parameters and of those of its path.

    An operation's own parameter replaces the path's of the same name and place.
    """
    found: dict[tuple[str, str], Mapping[str, Any]] = {}
    for parameter in (*_listed(shared), *_listed(own)):
        value = resolved(dialect.document, parameter)
        if not isinstance(value, Mapping) or not isinstance(value.get("name"), str):
            raise Faulted(
                "wrong_type", field="parameters", expected=gettext_noop("objects with a name")
            )
        if value.get("in") not in PLACES[:-1]:
            raise Faulted("wrong_type", field="in", expected=" or ".join(PLACES[:-1]))
        found[value["name"], value["in"]] = value
    arguments = []
    for (name, place), parameter in found.items():
        if place == "header" and name.lower() in _TRANSPORT:
            draft.note("header_left", name=name)
            continue
        required = place == "path" or parameter.get("required") is True
        arguments.append(Argument(name, place, _schema_of(parameter, dialect), required))
    for name in dict.fromkeys(_IN_PATH.findall(path)):
        if (name, "path") not in found:
            draft.note("parameter_undeclared", name=name)
            arguments.append(Argument(name, "path", {"type": "string"}, required=True))
    return arguments


def _listed(value: object) -> Sequence[object]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise Faulted("wrong_type", field="parameters", expected=gettext_noop("a list"))
    return value


def _schema_of(parameter: Mapping[str, Any], dialect: Dialect) -> Any:
    raw: Any = parameter.get("schema")
    if raw is None and isinstance(content := parameter.get("content"), Mapping):
        media = next((one for one in content.values() if isinstance(one, Mapping)), {})
        raw = media.get("schema")
    schema = dialect.schema({} if raw is None else raw)
    about = parameter.get("description")
    if isinstance(about, str) and about and isinstance(schema, dict):
        return {**schema, "description": about}
    return schema


def as_schema(arguments: Sequence[Argument], body: Body | None, draft: Draft) -> dict[str, Any]:
    """Return the schema of all arguments together.

    Where several have one name, the first place keeps it, in the order of ``PLACES``, and the
    others are called by name and place. Raises ``Faulted``.
    """
    everything = [*arguments]
    if body is not None:
        everything += [
            Argument(name, "body", schema, name in body.required)
            for name, schema in body.properties.items()
        ]
    everything.sort(key=lambda argument: PLACES.index(argument.place))
    own = {argument.name for argument in everything}
    properties: dict[str, Any] = {}
    required = []
    for argument in everything:
        name = argument.name
        if name in properties:
            name = f"{argument.name}_{argument.place}"
            if name in own or name in properties:
                raise Faulted("arguments_meet", name=name)
            draft.note("argument_renamed", name=argument.name, place=argument.place, renamed=name)
        properties[name] = argument.schema
        if argument.required:
            required.append(name)
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    further = False if body is None else body.further
    if further is not None:
        schema["additionalProperties"] = further
    return schema
