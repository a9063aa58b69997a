"""What goes out, held against the types that the providers themselves publish."""

from collections.abc import Callable, Mapping
from typing import Any

from anthropic.types import ToolParam
from google.genai.types import Tool as GeminiTool
from mcp_types import ListToolsResult
from openai.types.chat import ChatCompletionFunctionToolParam
from openai.types.responses import FunctionToolParam
from pydantic import TypeAdapter


def _each(kind: Any) -> Callable[[Any], None]:
    held: TypeAdapter[Any] = TypeAdapter(kind)

    def check(tools: Any) -> None:
        for tool in tools:
            held.validate_python(tool, strict=True)
            assert set(tool) <= set(kind.__annotations__), tool

    return check


def _mcp(document: Any) -> None:
    listed = ListToolsResult.model_validate(document)
    told = listed.model_dump(by_alias=True, mode="json", exclude_unset=True)
    assert told["tools"] == document["tools"]


def _gemini(document: Any) -> None:
    # It forbids fields that it does not know.
    assert GeminiTool.model_validate(document).function_declarations


HELD: Mapping[str, Callable[[Any], None]] = {
    "openai": _each(ChatCompletionFunctionToolParam),
    "openai-responses": _each(FunctionToolParam),
    "anthropic": _each(ToolParam),
    "mcp": _mcp,
    "gemini": _gemini,
}
