"""What a document must keep to be published.

Each check is a generator of problems over the whole document; ``check`` runs them all, so that an
owner sees every fault at once.
"""

import hashlib
import marshal
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NoReturn

import jsonschema_rs
import re2

from catalog.document.problems import Problem, SchemaFault, gettext_noop
from catalog.document.shape import REQUEST_GROUP

Document = Mapping[str, Any]

DIALECTS = frozenset(
    {
        "http://json-schema.org/draft-04/schema",
        "http://json-schema.org/draft-06/schema",
        "http://json-schema.org/draft-07/schema",
        "https://json-schema.org/draft/2019-09/schema",
        "https://json-schema.org/draft/2020-12/schema",
    }
)


def pattern_problem(pattern: str) -> str | None:
    """Tell why RE2 cannot compile a pattern, or ``None`` where it can."""
    options = re2.Options()
    options.log_errors = False
    try:
        re2.compile(pattern, options)
    except re2.error as error:
        reason = error.args[0]
        return reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
    return None


def schema_problems(schema: object) -> list[SchemaFault]:
    """Tell what keeps a value from being a tool's JSON Schema.

    References may point inside the schema only: one to the network or to a file would make
    validation fetch it. Patterns must run in linear time.
    """
    if not isinstance(schema, Mapping):
        return [SchemaFault(gettext_noop("A schema is a JSON object."))]
    if problems := list(_outside_references(schema)):
        return problems
    try:
        jsonschema_rs.meta.validate(dict(schema))
        jsonschema_rs.validator_for(
            dict(schema), retriever=_refuse, pattern_options=jsonschema_rs.RegexOptions()
        )
    except jsonschema_rs.ValidationError as error:
        path = "/".join(map(str, error.instance_path))
        value, unknown, _rest = error.message.partition(" is not valid under any of the schemas")
        if unknown:  # of `type`, say: what the alternatives are called says nothing to a person
            said = gettext_noop("At /%(path)s: JSON Schema knows no %(value)s there.")
            return [SchemaFault(said, {"path": path, "value": value}, path)]
        said = gettext_noop("At /%(path)s: %(message)s")
        return [SchemaFault(said, {"path": path, "message": error.message}, path)]
    except (jsonschema_rs.ReferencingError, ValueError) as error:
        return [SchemaFault("%(message)s", {"message": str(error)})]
    return []


def _refuse(uri: str) -> NoReturn:
    raise ValueError(f"“{uri}” points outside this schema.")


def _outside_references(schema: Mapping[str, Any]) -> Iterator[SchemaFault]:
    waiting: list[object] = [dict(schema)]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            for key in ("$ref", "$dynamicRef", "$recursiveRef"):
                if isinstance(ref := item.get(key), str) and not ref.startswith("#"):
                    said = gettext_noop("“%(reference)s” points outside this schema.")
                    yield SchemaFault(said, {"reference": ref})
            dialect = item.get("$schema")
            if isinstance(dialect, str) and dialect.rstrip("#") not in DIALECTS:
                said = gettext_noop("“%(dialect)s” is not a published dialect of JSON Schema.")
                yield SchemaFault(said, {"dialect": dialect})
            waiting.extend(part for part in item.values() if isinstance(part, (dict, list)))
        elif isinstance(item, list):
            waiting.extend(item)


# Digests of schemas that were found sound. A draft is checked at every look at it, and little of it
# changes in between; without this the schemas of 5,000 tools take longer than all the rest.
_SOUND: set[bytes] = set()
_MOST_KNOWN = 50_000


def _faults_of(schema: Any) -> list[SchemaFault]:
    try:
        # Without references (version 2) it writes equal values alike, much faster than as JSON.
        digest = hashlib.sha256(marshal.dumps(schema, 2)).digest()
    except ValueError:  # nested too deeply for it
        return schema_problems(schema)
    if digest in _SOUND:
        return []
    faults = schema_problems(schema)
    if not faults:
        if len(_SOUND) >= _MOST_KNOWN:
            _SOUND.clear()
        _SOUND.add(digest)
    return faults


def check(document: Document) -> list[Problem]:
    """Return every fault of a document; an empty list may be published."""
    return [problem for find in CHECKS for problem in find(document)]


_FAULTY = {
    "input_schema": gettext_noop("Input schema: %(fault)s"),
    "output_schema": gettext_noop("Output schema: %(fault)s"),
}


def tools_are_sound(document: Document) -> Iterator[Problem]:
    """Find tools whose name is taken or reserved, or whose schemas cannot be used."""
    seen: dict[str, str] = {}
    for tool in document["tools"]:
        name = tool["name"]
        place = ("tools", name)
        if name.lower() == REQUEST_GROUP:
            yield Problem("reserved_name", place, gettext_noop("This name is reserved."))
        if (other := seen.setdefault(name.lower(), name)) != name:
            yield Problem(
                "colliding_names",
                place,
                gettext_noop("“%(name)s” and “%(other)s” differ in letter case only."),
                {"name": name, "other": other},
            )
        for field in ("input_schema", "output_schema"):
            schema = tool[field]
            if schema is None and field == "output_schema":
                continue
            for fault in _faults_of(schema):
                yield Problem("invalid_schema", place, _FAULTY[field], {"fault": fault})
        if isinstance(tool["input_schema"], Mapping) and tool["input_schema"].get("type") not in (
            "object",
            None,
        ):
            yield Problem(
                "input_is_no_object",
                place,
                gettext_noop("The input schema must describe an object: arguments have names."),
            )


def names_are_known(document: Document) -> Iterator[Problem]:
    """Find names that stand for nothing in the document."""
    known = {kind: {item["name"] for item in document[kind]} for kind in _NAMED}
    for kind, place, names in _references(document):
        for name in names:
            if name not in known[kind]:
                yield Problem("unknown_name", place, _NAMED[kind], {"name": name})


# A sentence a kind, since languages differ in what the kind's gender changes.
_NAMED = {
    "tools": gettext_noop("“%(name)s” is not among the tools of this catalog."),
    "groups": gettext_noop("“%(name)s” is not among the groups of this catalog."),
    "phases": gettext_noop("“%(name)s” is not among the phases of this catalog."),
    "routes": gettext_noop("“%(name)s” is not among the routes of this catalog."),
}


def _references(document: Document) -> Iterator[tuple[str, tuple[str, str], Sequence[str]]]:
    for group in document["groups"]:
        yield "tools", ("groups", group["name"]), group["tools"]
    for phase in document["phases"]:
        place = ("phases", phase["name"])
        yield "tools", place, phase["tools"]
        yield "groups", place, phase["groups"]
        yield "phases", place, phase["next"]
    for number, rule in enumerate(document["keyword_rules"], 1):
        place = ("keyword_rules", str(number))
        yield "tools", place, [*rule["add_tools"], *rule["remove_tools"]]
        yield "groups", place, [*rule["add_groups"], *rule["remove_groups"]]
    for number, rule in enumerate(document["intent_rules"], 1):
        place = ("intent_rules", str(number))
        yield "tools", place, rule["tools"]
        yield "groups", place, rule["groups"]
    for number, rule in enumerate(document["channel_rules"], 1):
        yield "groups", ("channel_rules", str(number)), rule["groups"]
    for route in document["routes"]:
        place = ("routes", route["name"])
        yield "tools", place, route["tools"]
        yield "groups", place, route["groups"]
    yield "tools", ("settings", "default_tools"), document["default_tools"]
    yield "tools", ("settings", "always_on"), document["always_on"]
    initial = document["settings"]["initial_phase"]
    yield "phases", ("settings", "initial_phase"), [] if initial is None else [initial]


def fallbacks_are_read_only(document: Document) -> Iterator[Problem]:
    """Find default and always-on tools that change something: nobody chose them for the task."""
    effects = {tool["name"]: tool["side_effect"] for tool in document["tools"]}
    for setting, sentence in _READ_ONLY.items():
        for name in document[setting]:
            if effects.get(name, "read") != "read":
                yield Problem(
                    "fallback_with_side_effect",
                    ("tools", name),
                    sentence,
                    {"name": name, "setting": setting},
                )


_READ_ONLY = {
    "default_tools": gettext_noop(
        "“%(name)s” may change something: the default tools must be read-only."
    ),
    "always_on": gettext_noop(
        "“%(name)s” may change something: the always-on tools must be read-only."
    ),
}


def phases_can_read(document: Document) -> Iterator[Problem]:
    """Find phases with tools none of which reads: an agent there could act but not look."""
    tools = {tool["name"]: tool for tool in document["tools"]}
    for phase in document["phases"]:
        own = _reach(document, phase)
        reach = [tools[name] for name in (*own, *document["always_on"]) if name in tools]
        if own and not any(tool["enabled"] and tool["side_effect"] == "read" for tool in reach):
            yield Problem(
                "phase_without_read_tool",
                ("phases", phase["name"]),
                gettext_noop("No tool of this phase only reads. Add one that does."),
            )


def routes_can_fall_back(document: Document) -> Iterator[Problem]:
    """Find routes with no default tool left: an unsure selection there would be empty."""
    effects = {tool["name"]: tool["side_effect"] for tool in document["tools"]}
    for route in document["routes"]:
        left = set(_reach(document, route)) & set(document["default_tools"]) & set(effects)
        if not any(effects[name] in route["side_effects"] for name in left):
            yield Problem(
                "route_without_default",
                ("routes", route["name"]),
                gettext_noop(
                    "No default tool is allowed on this route. Allow one that only reads."
                ),
            )


def _reach(document: Document, part: Mapping[str, Any]) -> list[str]:
    """Return the names of a phase's or a route's own tools and of those of its groups."""
    members = {group["name"]: group["tools"] for group in document["groups"]}
    return [*part["tools"], *(tool for name in part["groups"] for tool in members.get(name, ()))]


def patterns_compile(document: Document) -> Iterator[Problem]:
    """Find keyword patterns that RE2 cannot compile."""
    for number, rule in enumerate(document["keyword_rules"], 1):
        if reason := pattern_problem(rule["pattern"]):
            yield Problem(
                "invalid_pattern",
                ("keyword_rules", str(number)),
                gettext_noop("“%(pattern)s” cannot be used: %(reason)s"),
                {"pattern": rule["pattern"], "reason": reason},
            )


CHECKS: tuple[Callable[[Document], Iterator[Problem]], ...] = (
    tools_are_sound,
    names_are_known,
    fallbacks_are_read_only,
    phases_can_read,
    routes_can_fall_back,
    patterns_compile,
)
