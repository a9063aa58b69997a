"""Models of the test's own behind the providers' wire formats: each says what a script has next.

They are as strict as the providers in what loops get wrong: a call that is not answered, an answer
without a call, and a tool of another shape are a 400.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

from tests.routing.llm.stand_in import (
    Answering,
    Heard,
    StandIn,
    anthropic_error,
    chat_completion,
    message,
    openai_error,
)

Calls = list[tuple[str, dict[str, Any]]]
NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


class ScriptedModel(StandIn):
    """Says one entry of a script after another: calls, or words that end the run."""

    def __init__(self, *script: Calls | str) -> None:
        super().__init__()
        self.script = list(script)
        self.shown: list[list[str]] = []
        self.answer = self._answer

    def _answer(self, heard: Heard) -> Answering:
        speak, check, error = {
            "/v1/chat/completions": (_chat, _check_chat, openai_error),
            "/v1/responses": (_response, _check_response, openai_error),
            "/v1/messages": (_message, _check_message, anthropic_error),
        }[heard.path]
        try:
            self.shown.append(check(heard.body))
        except AssertionError as fault:
            return error(400, "invalid_request_error", str(fault))
        step = len(self.shown)
        said = self.script[step - 1]
        if isinstance(said, str):
            return speak(said, [])
        numbered = [(f"call_{step}_{n}", name, given) for n, (name, given) in enumerate(said)]
        return speak(None, numbered)


def _chat(text: str | None, calls: list[tuple[str, str, Any]]) -> Answering:
    answering = chat_completion(text, finish_reason="tool_calls" if calls else "stop")
    value = json.loads(answering.content)
    if calls:
        value["choices"][0]["message"]["tool_calls"] = [
            {
                "id": call_id,
                "type": "function",
                "function": {"name": name, "arguments": json.dumps(given)},
            }
            for call_id, name, given in calls
        ]
    return replace(answering, content=json.dumps(value).encode())


def _message(text: str | None, calls: list[tuple[str, str, Any]]) -> Answering:
    answering = message(text, stop_reason="tool_use" if calls else "end_turn")
    value = json.loads(answering.content)
    value["content"] += [
        {"type": "tool_use", "id": call_id, "name": name, "input": given}
        for call_id, name, given in calls
    ]
    return replace(answering, content=json.dumps(value).encode())


def _response(text: str | None, calls: list[tuple[str, str, Any]]) -> Answering:
    output: list[dict[str, Any]] = [
        {
            "type": "function_call",
            "id": f"fc_{call_id}",
            "call_id": call_id,
            "name": name,
            "arguments": json.dumps(given),
            "status": "completed",
        }
        for call_id, name, given in calls
    ]
    if text is not None:
        content = [{"type": "output_text", "text": text, "annotations": []}]
        output.append(
            {
                "type": "message",
                "id": "msg_1",
                "role": "assistant",
                "status": "completed",
                "content": content,
            }
        )
    value = {
        "id": "resp_1",
        "object": "response",
        "created_at": 1793000000,
        "status": "completed",
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
        "model": "small-2026-03-17",
        "output": output,
        "parallel_tool_calls": True,
        "temperature": 1.0,
        "tool_choice": "auto",
        "tools": [],
        "top_p": 1.0,
        "usage": {
            "input_tokens": 400,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": 21,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": 421,
        },
    }
    return Answering(content=json.dumps(value).encode())


def _check_chat(body: dict[str, Any]) -> list[str]:
    asked: list[str] = []
    for one in body["messages"]:
        if one["role"] == "tool":
            assert one["tool_call_id"] in asked, "a tool message must follow tool_calls"
            assert isinstance(one["content"], str)
            asked.remove(one["tool_call_id"])
            continue
        assert not asked, f"tool_call_ids did not have response messages: {asked}"
        asked = [call["id"] for call in one.get("tool_calls") or ()]
    assert not asked, f"tool_call_ids did not have response messages: {asked}"
    return [
        _named(tool["function"], "parameters")
        for tool in body["tools"]
        if tool["type"] == "function"
    ]


def _check_response(body: dict[str, Any]) -> list[str]:
    items = body["input"]
    asked = [item["call_id"] for item in items if item.get("type") == "function_call"]
    told = [item["call_id"] for item in items if item.get("type") == "function_call_output"]
    assert sorted(asked) == sorted(told), "No tool output found for function call."
    return [_named(tool, "parameters") for tool in body["tools"] if tool["type"] == "function"]


def _check_message(body: dict[str, Any]) -> list[str]:
    messages = body["messages"]
    for one, following in zip(messages, [*messages[1:], {"content": ""}], strict=True):
        blocks = one["content"] if isinstance(one["content"], list) else []
        after = following["content"] if isinstance(following["content"], list) else []
        asked = [block["id"] for block in blocks if block["type"] == "tool_use"]
        told = [block["tool_use_id"] for block in after if block["type"] == "tool_result"]
        assert asked == told, f"tool_use ids were found without tool_result blocks: {asked}"
    return [_named(tool, "input_schema") for tool in body["tools"]]


def _named(tool: dict[str, Any], schema: str) -> str:
    assert NAME.fullmatch(tool["name"]), "a tool's name is of another shape"
    assert tool[schema]["type"] == "object", "a tool's schema is of another shape"
    return str(tool["name"])
