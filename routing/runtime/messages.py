"""A provider's messages: the calls in what its model said, and what the model is told of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from routing.runtime.values import ModelCall, Observation

# How each format names the call that a result belongs to.
_ID_FIELDS = {
    "openai": "tool_call_id",
    "openai-responses": "call_id",
    "anthropic": "tool_use_id",
}
FORMATS = (*_ID_FIELDS, "native", "mcp", "gemini", "prompt")


def calls_in(answer: Any, *, format_name: str) -> list[ModelCall]:
    """Return the calls in a model's answer, in its order.

    ``answer`` is what the provider's SDK returns, its message, the JSON of either, or, for
    the other formats, a list of ``{"id", "name", "arguments"}``.
    """
    calls: list[ModelCall] = []
    for number, (given, name, arguments) in enumerate(_READERS[format_name](answer)):
        call_id = str(given or f"call_{number}")
        taken = any(call.id == call_id for call in calls)
        calls.append(
            ModelCall(
                id=call_id,
                place=f"{call_id}#{number}" if taken else call_id,
                name=str(name or ""),
                arguments=_arguments(arguments),
            )
        )
    return calls


def _openai(answer: Any) -> list[tuple[Any, str, Any]]:
    choices = _field(answer, "choices")
    message = _field(choices[0], "message") if choices else answer
    return [
        (_field(call, "id"), _field(function, "name"), _field(function, "arguments"))
        for call in _field(message, "tool_calls") or ()
        if (function := _field(call, "function")) is not None
    ]


def _openai_responses(answer: Any) -> list[tuple[Any, str, Any]]:
    items = answer if isinstance(answer, list) else _field(answer, "output") or ()
    return [
        (_field(item, "call_id"), _field(item, "name"), _field(item, "arguments"))
        for item in items
        if _field(item, "type") == "function_call"
    ]


def _anthropic(answer: Any) -> list[tuple[Any, str, Any]]:
    content = answer if isinstance(answer, list) else _field(answer, "content") or ()
    if isinstance(content, str):
        return []
    return [
        (_field(block, "id"), _field(block, "name"), _field(block, "input"))
        for block in content
        if _field(block, "type") == "tool_use"
    ]


def _native(answer: Any) -> list[tuple[Any, str, Any]]:
    return [
        (_field(call, "id"), _field(call, "name"), _field(call, "arguments"))
        for call in answer or ()
    ]


_READERS = {
    "openai": _openai,
    "openai-responses": _openai_responses,
    "anthropic": _anthropic,
    "native": _native,
    "mcp": _native,
    "gemini": _native,
    "prompt": _native,
}


def _field(value: Any, name: str) -> Any:
    """Return a field of an SDK's object or of plain JSON."""
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)


def _arguments(value: Any) -> Mapping[str, Any] | None:
    """Return arguments, which some providers send as text; models call without any as ``""``."""
    if isinstance(value, str):
        try:
            value = json.loads(value, parse_constant=_refuse) if value.strip() else {}
        except (ValueError, RecursionError):
            return None
    if value is None:
        return {}
    return value if isinstance(value, Mapping) else None


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON.")


def with_id(content: Mapping[str, Any], *, call: ModelCall, format_name: str) -> dict[str, Any]:
    """Return an observation, as the server words it for a provider, with the id of its call."""
    field = _ID_FIELDS.get(format_name, "id")
    kind = [name for name in ("role", "type") if name in content]
    rest = {name: value for name, value in content.items() if name not in kind}
    return {name: content[name] for name in kind} | {field: call.id} | rest


def own_words(
    value: Mapping[str, Any],
    *,
    call: ModelCall,
    format_name: str,
    failed: bool,
    blocks: Sequence[Any] = (),
) -> dict[str, Any]:
    """Return a message in the runtime's or the server's own words, with nothing of a tool in it.

    ``blocks`` stand for the text where the provider has blocks.
    """
    text = json.dumps(
        {name: one for name, one in value.items() if one}, ensure_ascii=False, separators=(",", ":")
    )
    content: dict[str, Any]
    if format_name == "openai":
        content = {"role": "tool", "content": text}
    elif format_name == "openai-responses":
        content = {"type": "function_call_output", "output": text}
    elif format_name == "anthropic":
        said = list(blocks) or [{"type": "text", "text": text}]
        content = {"type": "tool_result", "content": said, "is_error": failed}
    else:
        content = {"content": text}
    return with_id(content, call=call, format_name=format_name)


def messages_of(
    observations: Sequence[Observation], *, format_name: str
) -> tuple[Mapping[str, Any], ...]:
    """Return what a model is sent next: Anthropic wants all results in one message of the user."""
    contents = tuple(one.message for one in observations)
    if format_name == "anthropic" and contents:
        return ({"role": "user", "content": list(contents)},)
    return contents
