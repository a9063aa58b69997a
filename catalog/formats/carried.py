"""What each format carries of a tool: the rest is lost when it goes out and comes back.

``docs/formats.md`` prints these tables.
"""

from collections.abc import Mapping


def gettext_noop(message: str) -> str:
    """Mark a message for translation; the page that shows it translates it."""
    return message


# The fields of a tool that survive a way out and back.
CARRIED: Mapping[str, tuple[str, ...]] = {
    "openai": ("name", "description", "input_schema"),
    "openai-responses": ("name", "description", "input_schema"),
    "anthropic": ("name", "description", "input_schema"),
    "mcp": (
        "name",
        "title",
        "description",
        "input_schema",
        "output_schema",
        "side_effect",
        "idempotent",
        "open_world",
    ),
    "gemini": ("name", "description", "input_schema"),
    "prompt": ("name", "description", "input_schema"),
    "native": (
        "name",
        "title",
        "description",
        "category",
        "tags",
        "input_schema",
        "output_schema",
        "capability",
        "side_effect",
        "idempotent",
        "open_world",
        "scopes",
        "needs_approval",
        "timeout_ms",
        "max_attempts",
        "output_trust",
        "enabled",
        "owner",
        "aliases",
        "examples",
        "trace_fields",
    ),
}

_ITEMS = gettext_noop("an array that does not say what its items are gets `items: {}`")
_OBJECT = gettext_noop("an input schema that does not say that it is an object gets `type: object`")
# What a carried field looks like afterwards, where it is not as it was.
ALTERED: Mapping[str, tuple[str, ...]] = {
    "openai": (_ITEMS,),
    "openai-responses": (
        _ITEMS,
        _OBJECT,
        gettext_noop("an input schema without properties gets empty ones"),
    ),
    "anthropic": (_OBJECT,),
    "mcp": (_OBJECT,),
    "gemini": (_ITEMS, _OBJECT),
    "prompt": (
        gettext_noop(
            "of the input schema the names of the arguments, their types and which may be left out"
        ),
        gettext_noop("the description is one line"),
    ),
    "native": (),
}
