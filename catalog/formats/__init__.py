"""The shapes in which providers take tools, one module each.

Pure: a format turns a tool of a document into the provider's value. A newcomer adds one by writing
one module with a ``render`` function and naming it twice here.
"""

from collections.abc import Callable, Mapping
from typing import Any

from catalog.formats import anthropic, gemini, mcp, native, openai, openai_responses, prompt
from catalog.formats.compact import compact

Tool = Mapping[str, Any]

FORMATS: Mapping[str, Callable[[Tool], object]] = {
    "native": native.render,
    "openai": openai.render,
    "openai-responses": openai_responses.render,
    "anthropic": anthropic.render,
    "mcp": mcp.render,
    "gemini": gemini.render,
    "prompt": prompt.render,
}
# The same, with schemas that the provider holds its model to.
STRICT: Mapping[str, Callable[[Tool], object]] = {
    "openai": openai.strict,
    "openai-responses": openai_responses.strict,
    "anthropic": anthropic.strict,
}
# What people call them, those of providers first.
TITLES: Mapping[str, str] = {
    "openai": "OpenAI",
    "openai-responses": "OpenAI Responses",
    "anthropic": "Anthropic",
    "mcp": "MCP",
    "gemini": "Gemini",
    "prompt": "Prompt",
    "native": "Toolcrib",
}


def encode(tool: Tool, *, format_name: str, strict: bool = False) -> bytes:
    """Return a tool in a provider's format as compact JSON, ready to be joined into an answer.

    Keys keep the order in which the provider documents them. ``strict`` asks for a strict schema
    where the format has them and the tool's schema has such a form. Raises ``KeyError`` for an
    unknown format.
    """
    render = FORMATS[format_name]
    return compact((STRICT.get(format_name, render) if strict else render)(tool))
