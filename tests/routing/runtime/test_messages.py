"""What models say and are told, in their providers' formats."""

from __future__ import annotations

import json
from typing import Any

import pytest
from anthropic.types import Message
from openai.types.chat import ChatCompletion
from openai.types.responses import Response

from routing.policy.output import content_of
from routing.runtime import ModelCall
from routing.runtime.messages import calls_in, own_words, with_id

ARGUMENTS = {"order_id": "88231"}
TEXT = json.dumps(ARGUMENTS)
CHAT: dict[str, Any] = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1,
    "model": "m",
    "choices": [
        {
            "index": 0,
            "finish_reason": "tool_calls",
            "message": {
                "role": "assistant",
                "content": None,
                "refusal": None,
                "tool_calls": [
                    {
                        "id": "call_1",
                        "type": "function",
                        "function": {"name": "read_order", "arguments": TEXT},
                    }
                ],
            },
        }
    ],
}
RESPONSE: dict[str, Any] = {
    "id": "resp_1",
    "output": [
        {"type": "reasoning", "id": "rs_1", "summary": []},
        {
            "type": "function_call",
            "id": "fc_1",
            "call_id": "call_1",
            "name": "read_order",
            "arguments": TEXT,
            "status": "completed",
        },
    ],
}
MESSAGE: dict[str, Any] = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "m",
    "content": [
        {"type": "text", "text": "I will look."},
        {"type": "tool_use", "id": "call_1", "name": "read_order", "input": ARGUMENTS},
    ],
}


@pytest.mark.parametrize(
    ("format_name", "answer"),
    [
        ("openai", CHAT),
        ("openai", CHAT["choices"][0]["message"]),
        ("openai", ChatCompletion.model_validate(CHAT)),
        ("openai-responses", RESPONSE),
        ("openai-responses", RESPONSE["output"]),
        ("openai-responses", Response.model_construct(**RESPONSE)),
        ("anthropic", MESSAGE),
        ("anthropic", MESSAGE["content"]),
        ("anthropic", Message.model_construct(**MESSAGE)),
        ("native", [{"id": "call_1", "name": "read_order", "arguments": ARGUMENTS}]),
    ],
)
def test_calls_are_read_from_what_the_sdk_returns_and_from_json(
    format_name: str, answer: Any
) -> None:
    assert calls_in(answer, format_name=format_name) == [
        ModelCall(id="call_1", place="call_1", name="read_order", arguments=ARGUMENTS)
    ]


@pytest.mark.parametrize(
    ("format_name", "answer"),
    [
        ("openai", {"role": "assistant", "content": "Done."}),
        ("openai-responses", {"output": [{"type": "message", "content": []}]}),
        ("anthropic", {"role": "assistant", "content": "Done."}),
        ("native", None),
    ],
)
def test_an_answer_in_words_calls_nothing(format_name: str, answer: Any) -> None:
    assert calls_in(answer, format_name=format_name) == []


def test_no_arguments_are_an_empty_object() -> None:
    nothing: list[Any] = ["", " ", None, "{}", {}]
    for empty in nothing:
        (call,) = calls_in([{"name": "ping", "arguments": empty}], format_name="native")
        assert (call.id, call.arguments) == ("call_0", {})


@pytest.mark.parametrize(
    ("format_name", "message"),
    [
        ("openai", {"role": "tool", "tool_call_id": "m1", "content": "said"}),
        ("openai-responses", {"type": "function_call_output", "call_id": "m1", "output": "said"}),
        (
            "anthropic",
            {
                "type": "tool_result",
                "tool_use_id": "m1",
                "content": [{"type": "text", "text": "said"}],
                "is_error": True,
            },
        ),
        ("native", {"id": "m1", "content": "said"}),
    ],
)
def test_what_the_server_words_gets_the_id_of_the_models_call(
    format_name: str, message: dict[str, Any]
) -> None:
    call = ModelCall(id="m1", place="m1", name="read_order", arguments={})
    content = content_of("said", format_name=format_name, failed=True)

    told = with_id(content, call=call, format_name=format_name)

    assert told == message
    assert list(told) == list(message)
    ours = own_words({"status": "x"}, call=call, format_name=format_name, failed=True)
    assert ours.keys() == message.keys()
