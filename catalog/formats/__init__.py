"""The shapes in which providers take tools, one module each.

Pure: a format turns a tool of a document into the provider's value. A newcomer adds one by writing
one module with a ``render`` function and naming it twice here.
"""

from collections.abc import Callable, Mapping
from typing import Any

from catalog.formats import anthropic, native, openai, openai_responses, prompt
from catalog.formats.compact import compact

Tool = Mapping[str, Any]

FORMATS: Mapping[str, Callable[[Tool], object]] = {
    "native": native.render,
    "openai": openai.render,
    "openai-responses": openai_responses.render,
    "anthropic": anthropic.render,
    "prompt": prompt.render,
}
# What people call them, those of providers first.
TITLES: Mapping[str, str] = {
    "openai": "OpenAI",
    "openai-responses": "OpenAI Responses",
    "anthropic": "Anthropic",
    "prompt": "Prompt",
    "native": "Toolcrib",
}


def encode(tool: Tool, *, format_name: str) -> bytes:
    """Return a tool in a provider's format as compact JSON, ready to be joined into an answer.

    Keys keep the order in which the provider documents them. Raises ``KeyError`` for an unknown
    format.
    """
    return compact(FORMATS[format_name](tool))
