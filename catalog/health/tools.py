"""Checks of tools: what a model reads to choose one, and how far one reaches."""

import re
from collections.abc import Iterator

from catalog.health.finding import Finding, Mend, MendKind, gettext_noop, hint, warning
from catalog.health.reading import Part, Reading

# Characters: under the first nothing tells it from another, and OpenAI's older models cut a
# function's description at the second.
SHORT, LONG = 20, 1024
FEW_TOOLS = 6
_OPENING_WORDS = 3
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}\Z")
_WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
_RUNS = frozenset(["run", "execute", "exec", "eval", "evaluate", "invoke"])
_CODE = frozenset(
    [
        "bash",
        "cmd",
        "code",
        "command",
        "commands",
        "javascript",
        "powershell",
        "python",
        "query",
        "script",
        "shell",
        "sql",
        "statement",
        "terminal",
    ]
)
_SENDS = frozenset(["call", "do", "execute", "invoke", "make", "perform", "send"])
_WIRES = frozenset(["api", "graphql", "http", "https", "rest"])
_BROAD = frozenset({"bash", "curl", "eval", "exec", "shell", "sql", "terminal"})


def there_are_tools(reading: Reading) -> Iterator[Finding]:
    """Find a catalog without tools, and one that needs no router."""
    count = len(reading.enabled)
    if not reading.tools:
        yield warning(
            "no_tools",
            ("tools", ""),
            gettext_noop("The catalog has no tools."),
            gettext_noop("Add or import some."),
        )
    elif not count:
        yield warning(
            "all_tools_disabled",
            ("tools", ""),
            gettext_noop("Every tool is disabled."),
            gettext_noop("Enable those that an agent may call."),
        )
    elif count <= FEW_TOOLS:
        yield hint(
            "few_tools",
            ("tools", ""),
            gettext_noop("So few tools (%(count)s) need no router: a model chooses among them."),
            gettext_noop("Serve them all, with the strategy “all”."),
            count=count,
        )


def tools_are_grouped(reading: Reading) -> Iterator[Finding]:
    """Find enabled tools that no group, phase, rule or fallback names."""
    somewhere = reading.grouped | reading.named_directly
    for name in (name for name in reading.enabled if name not in somewhere):
        yield warning(
            "tool_in_no_group",
            ("tools", name),
            gettext_noop("The tool is in no group and no phase, and no rule names it."),
            gettext_noop("Put it into the group of the tasks that need it, or disable it."),
        )


def tools_are_described(reading: Reading) -> Iterator[Finding]:
    """Find descriptions that are missing, very short, very long or another tool's too."""
    first: dict[str, str] = {}
    for name, tool in reading.tools.items():
        text = tool["description"].strip()
        place = ("tools", name)
        if not text:
            yield warning(
                "tool_without_description",
                place,
                gettext_noop("The tool has no description: a model can only guess from its name."),
                gettext_noop("Say what it does, when to use it, and what tells it from others."),
            )
            continue
        if len(text) < SHORT:
            yield hint(
                "short_description",
                place,
                gettext_noop("The description is very short: %(count)s characters."),
                gettext_noop("Say when to use it, and what tells it from others."),
                count=len(text),
            )
        elif len(text) > LONG:
            yield warning(
                "long_description",
                place,
                gettext_noop(
                    "The description has %(count)s characters: every call pays for them, and some "
                    "models cut them at %(most)s."
                ),
                gettext_noop("Keep what a model needs to choose the tool."),
                count=len(text),
                most=LONG,
            )
        if (other := first.setdefault(" ".join(text.casefold().split()), name)) != name:
            yield warning(
                "same_description",
                place,
                gettext_noop("The description is that of “%(other)s”, word for word."),
                gettext_noop("Say in each what tells it from the other."),
                other=other,
            )


def tools_do_not_begin_alike(reading: Reading) -> Iterator[Finding]:
    """Find tools that take the same arguments and whose descriptions begin with the same words."""
    first: dict[tuple[tuple[str, ...], tuple[str, ...]], Part] = {}
    for tool in reading.enabled.values():
        opening = tuple(tool["description"].casefold().split(maxsplit=_OPENING_WORDS))
        taken = _arguments(tool)
        if len(opening) < _OPENING_WORDS or not taken:
            continue
        other = first.setdefault((opening[:_OPENING_WORDS], tuple(sorted(taken))), tool)
        if other is not tool and other["description"] != tool["description"]:
            yield hint(
                "tools_begin_alike",
                ("tools", tool["name"]),
                gettext_noop("It takes what “%(other)s” takes, and both descriptions begin alike."),
                gettext_noop("Begin each with what tells it from the other."),
                other=other["name"],
            )


def arguments_are_described(reading: Reading) -> Iterator[Finding]:
    """Find tools none of whose arguments says what it is."""
    for name, tool in reading.tools.items():
        arguments = _arguments(tool)
        if arguments and not any(
            isinstance(schema, dict) and (schema.keys() & {"description", "title", "$ref"})
            for schema in arguments.values()
        ):
            yield hint(
                "arguments_without_description",
                ("tools", name),
                gettext_noop("No argument of the tool says what it is."),
                gettext_noop("Describe the arguments in the input schema."),
            )


def tools_are_narrow(reading: Reading) -> Iterator[Finding]:
    """Find primitives that do anything: what may be called then says nothing of what happens."""
    for name in reading.enabled:
        words = {word.casefold() for word in _WORD.findall(name)}
        does = (words & _RUNS and words & _CODE) or (words & _SENDS and words & _WIRES)
        if does or words <= _BROAD:
            yield warning(
                "broad_tool",
                ("tools", name),
                gettext_noop("By its name the tool can do anything: no rule bounds what it does."),
                gettext_noop("Offer tools for the tasks it is used for, each with its own schema."),
            )


def names_suit_providers(reading: Reading) -> Iterator[Finding]:
    """Find names that a provider refuses, or that a model cannot tell apart."""
    alike: dict[str, str] = {}
    for name in reading.tools:
        if not _NAME.match(name):
            yield warning(
                "name_breaks_limits",
                ("tools", name),
                gettext_noop(
                    "Not every provider takes this name: 1 to 64 letters, digits, hyphens and "
                    "underscores, beginning with a letter or an underscore."
                ),
                gettext_noop("Rename the tool."),
            )
        other = alike.setdefault(re.sub(r"[\W_]", "", name).casefold(), name)
        if other != name and other.lower() != name.lower():
            yield warning(
                "names_alike",
                ("tools", name),
                gettext_noop("Only hyphens and underscores tell the name from “%(other)s”."),
                gettext_noop("Give one of them a name that says how they differ."),
                other=other,
            )


def dangerous_tools_ask(reading: Reading) -> Iterator[Finding]:
    """Find destructive tools that nobody has to approve."""
    for name, tool in reading.enabled.items():
        if tool["side_effect"] == "destructive" and not tool["needs_approval"]:
            yield hint(
                "destructive_without_approval",
                ("tools", name),
                gettext_noop("The tool destroys something and nobody approves its calls."),
                gettext_noop("Have a person approve each call."),
                Mend(MendKind.REQUIRE_APPROVAL),
            )


def _arguments(tool: Part) -> dict[str, object]:
    schema = tool["input_schema"]
    properties = schema.get("properties") if isinstance(schema, dict) else None
    return properties if isinstance(properties, dict) else {}
