"""The providers that search tools themselves, and how they take what is not loaded at once.

Pure, like the formats. A newcomer adds a provider by writing the functions in its format's module
and naming them here.
"""

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from catalog.formats import anthropic, openai_responses
from catalog.formats.compact import compact

Tool = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolSearch:
    """A provider's shapes.

    ``search_tool`` is told which names are taken. ``reference`` is told a tool's name and its
    namespace. ``namespace`` is told a group's name and description and returns an object whose last
    key is an empty list of tools; ``None`` where the provider has no namespaces.
    """

    deferred: Callable[[Tool], object]
    search_tool: Callable[[Container[str]], object]
    reference: Callable[[str, str | None], object]
    namespace: Callable[[str, str], object] | None = None


TOOL_SEARCH: Mapping[str, ToolSearch] = {
    "openai-responses": ToolSearch(
        deferred=openai_responses.deferred,
        search_tool=openai_responses.search_tool,
        reference=openai_responses.reference,
        namespace=openai_responses.namespace,
    ),
    "anthropic": ToolSearch(
        deferred=anthropic.deferred,
        search_tool=anthropic.search_tool,
        reference=anthropic.reference,
    ),
}


def encode_deferred(tool: Tool, *, format_name: str) -> bytes:
    """Return a tool that a search may load, as compact JSON. Raises ``KeyError``."""
    return compact(TOOL_SEARCH[format_name].deferred(tool))


def encode_search_tool(*, taken: Container[str], format_name: str) -> bytes:
    """Return the provider's search tool as compact JSON. Raises ``KeyError``."""
    return compact(TOOL_SEARCH[format_name].search_tool(taken))


def encode_reference(name: str, *, namespace: str | None, format_name: str) -> bytes:
    """Return how to point a model to a deferred tool, as compact JSON. Raises ``KeyError``."""
    return compact(TOOL_SEARCH[format_name].reference(name, namespace))


def encode_namespace(name: str, description: str, *, format_name: str) -> bytes | None:
    """Return a group without its tools as compact JSON, ``None`` where there are no namespaces."""
    made = TOOL_SEARCH[format_name].namespace
    return None if made is None else compact(made(name, description))


def filled(namespace: bytes, tools: Iterable[bytes]) -> bytes:
    """Return an encoded namespace with encoded tools in it."""
    return namespace.removesuffix(b"]}") + b",".join(tools) + b"]}"
