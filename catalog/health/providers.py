"""Checks of input schemas against what providers refuse: one such tool breaks a whole request."""

import re
from collections.abc import Iterator

from catalog.health.finding import Finding, gettext_noop, hint, warning
from catalog.health.reading import Part, Reading

# Anthropic: keys of properties. Gemini: names of parameters.
_ANTHROPIC = re.compile(r"[a-zA-Z0-9_.-]{1,64}\Z")
_GEMINI = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]{0,63}\Z")
# OpenAI and Anthropic take no schema that is composed at its top, or one of listed values.
_COMPOSED = ("allOf", "anyOf", "enum", "not", "oneOf")


def arguments_suit_providers(reading: Reading) -> Iterator[Finding]:
    """Find names of arguments that a provider refuses."""
    for name, tool in reading.enabled.items():
        arguments = _arguments(tool)
        for_anthropic = [one for one in arguments if not _ANTHROPIC.match(one)]
        for_gemini = [one for one in arguments if not _GEMINI.match(one)]
        if for_anthropic:
            yield warning(
                "argument_breaks_limits",
                ("tools", name),
                gettext_noop(
                    "Anthropic and Gemini refuse an argument called “%(argument)s”: 1 to 64 "
                    "letters, digits, underscores, points and hyphens."
                ),
                gettext_noop("Rename it in the input schema, and where the call is made."),
                argument=for_anthropic[0],
            )
        elif for_gemini:
            yield hint(
                "argument_not_for_gemini",
                ("tools", name),
                gettext_noop(
                    "Gemini refuses an argument called “%(argument)s”: letters, digits and "
                    "underscores, no digit first."
                ),
                gettext_noop("Rename it if agents with Gemini are to call the tool."),
                argument=for_gemini[0],
            )


def schemas_suit_providers(reading: Reading) -> Iterator[Finding]:
    """Find input schemas that are composed at the top, which providers refuse."""
    for name, tool in reading.enabled.items():
        schema = tool["input_schema"]
        if not isinstance(schema, dict):
            continue
        word = next((word for word in _COMPOSED if word in schema), None)
        if word is not None:
            yield warning(
                "composed_input_schema",
                ("tools", name),
                gettext_noop("OpenAI and Anthropic refuse “%(word)s” at the top of a schema."),
                gettext_noop("List the properties there, and compose inside of one of them."),
                word=word,
            )


def _arguments(tool: Part) -> dict[str, object]:
    schema = tool["input_schema"]
    properties = schema.get("properties") if isinstance(schema, dict) else None
    return properties if isinstance(properties, dict) else {}
