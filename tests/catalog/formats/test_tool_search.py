"""Tools behind a provider's own search, held against the types of the providers' own clients."""

import json
from typing import Any

import pytest
from anthropic.types import (
    ToolParam,
    ToolReferenceBlockParam,
    ToolSearchToolBm25_20251119Param,
    ToolSearchToolRegex20251119Param,
)
from openai.types.responses import (
    FunctionToolParam,
    NamespaceToolParam,
    ToolSearchToolParam,
)
from pydantic import TypeAdapter

from catalog.formats import FORMATS, encode
from catalog.formats.tool_search import (
    TOOL_SEARCH,
    encode_deferred,
    encode_namespace,
    encode_reference,
    encode_search_tool,
    filled,
)
from catalog.samples import SAMPLES, load_sample

TOOL = {
    "name": "find_payment",
    "description": "Find a payment.",
    "input_schema": {"properties": {"order": {"type": "string"}}, "required": ["order"]},
}


def held_against(kind: Any, value: Any) -> None:
    """Fail unless a value is of a client's type and says nothing that the type does not know."""
    TypeAdapter(kind, config=None).validate_python(value, strict=True)
    assert set(value) <= set(kind.__annotations__), value


def test_every_provider_that_searches_has_a_format() -> None:
    assert set(TOOL_SEARCH) == {"openai-responses", "anthropic"} <= set(FORMATS)


def test_openai_responses_is_flat() -> None:
    value = json.loads(encode(TOOL, format_name="openai-responses"))

    assert value == {
        "type": "function",
        "name": "find_payment",
        "description": "Find a payment.",
        "parameters": {
            "type": "object",
            "properties": {"order": {"type": "string"}},
            "required": ["order"],
        },
        "strict": False,
    }
    assert list(value) == ["type", "name", "description", "parameters", "strict"]


def test_a_tool_without_arguments_takes_an_object_without_properties() -> None:
    tool = TOOL | {"input_schema": {}}

    assert json.loads(encode(tool, format_name="openai-responses"))["parameters"] == {
        "type": "object",
        "properties": {},
    }


@pytest.mark.parametrize(
    ("format_name", "kind"), [("openai-responses", FunctionToolParam), ("anthropic", ToolParam)]
)
@pytest.mark.parametrize("sample", SAMPLES)
def test_tools_are_of_the_clients_types(sample: str, format_name: str, kind: Any) -> None:
    for tool in load_sample(sample)["tools"]:
        eager = json.loads(encode(tool, format_name=format_name))
        deferred = json.loads(encode_deferred(tool, format_name=format_name))
        held_against(kind, eager)
        held_against(kind, deferred)
        assert "defer_loading" not in eager
        assert deferred == eager | {"defer_loading": True}


def test_the_check_against_a_clients_type_can_fail() -> None:
    with pytest.raises(ValueError, match="input_schema"):
        held_against(ToolParam, {"name": "find_payment"})
    with pytest.raises(AssertionError):
        held_against(ToolSearchToolParam, {"type": "tool_search", "name": "search"})


def test_search_tools_are_of_the_clients_types() -> None:
    held_against(
        ToolSearchToolParam,
        json.loads(encode_search_tool(taken=(), format_name="openai-responses")),
    )
    held_against(
        ToolSearchToolBm25_20251119Param,
        json.loads(encode_search_tool(taken=(), format_name="anthropic")),
    )


def test_the_search_tool_takes_no_name_that_a_tool_has() -> None:
    taken = {"tool_search_tool_bm25"}
    value = json.loads(encode_search_tool(taken=taken, format_name="anthropic"))

    held_against(ToolSearchToolRegex20251119Param, value)


def test_a_namespace_holds_deferred_tools() -> None:
    empty = encode_namespace("billing", "Use to settle bills.", format_name="openai-responses")
    assert empty is not None
    tool = encode_deferred(TOOL, format_name="openai-responses")
    value = json.loads(filled(empty, [tool, tool]))

    held_against(NamespaceToolParam, value)
    assert list(value) == ["type", "name", "description", "tools"]
    assert value["name"] == "billing"
    assert value["description"] == "Use to settle bills."
    assert value["tools"] == [json.loads(tool)] * 2


def test_a_namespace_is_described_even_where_its_group_is_not() -> None:
    empty = encode_namespace("billing", " ", format_name="openai-responses")

    assert empty is not None
    assert json.loads(empty)["description"] == "Tools of the group billing."


def test_anthropic_has_no_namespaces() -> None:
    assert encode_namespace("billing", "Use it.", format_name="anthropic") is None


def test_references_point_to_deferred_tools() -> None:
    found = encode_reference("find_payment", namespace="billing", format_name="anthropic")
    held_against(ToolReferenceBlockParam, json.loads(found))
    assert json.loads(found)["tool_name"] == "find_payment"

    told = encode_reference("find_payment", namespace="billing", format_name="openai-responses")
    assert json.loads(told) == {"namespace": "billing", "name": "find_payment"}
