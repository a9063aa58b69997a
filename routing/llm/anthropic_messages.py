"""Anthropic's Messages, with the answer's schema as the format of the output."""

from __future__ import annotations

import anthropic
import httpx2

from routing.llm.configuring import RouterSettings
from routing.llm.prompt import Question
from routing.llm.providers import MOST_TOKENS, Provider, SdkProvider, client_options
from routing.llm.replies import Reply, told

URL = "https://api.anthropic.com"
_ENDINGS = {
    "refusal": "refused",
    "max_tokens": "cut_off",
    "model_context_window_exceeded": "cut_off",
}


def anthropic_messages(*, settings: RouterSettings, client: httpx2.Client) -> Provider:
    """Return the provider that asks ``POST /v1/messages``."""
    messages = anthropic.Anthropic(
        api_key=settings.key, **client_options(settings, url=URL, client=client)
    )
    return SdkProvider(sdk=anthropic, client=messages, settings=settings, ask=_ask)


def _ask(client: anthropic.Anthropic, model: str, question: Question) -> Reply:
    message = client.messages.create(
        model=model,
        max_tokens=MOST_TOKENS,
        system=question.instructions,
        messages=[{"role": "user", "content": question.content}],
        output_config={"format": {"type": "json_schema", "schema": dict(question.schema)}},
    )
    used = message.usage
    return told(
        "".join(block.text for block in message.content if block.type == "text"),
        _ENDINGS.get(message.stop_reason or "", "complete"),
        tokens_in=[
            used.input_tokens,
            used.cache_creation_input_tokens,
            used.cache_read_input_tokens,
        ],
        tokens_out=used.output_tokens,
    )
