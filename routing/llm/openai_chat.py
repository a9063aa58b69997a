"""OpenAI's Chat Completions, which other servers speak too, with a strict schema of the answer."""

from __future__ import annotations

import httpx2
import openai
from openai.types.chat import ChatCompletion

from routing.llm.configuring import RouterSettings
from routing.llm.prompt import Question
from routing.llm.providers import MOST_TOKENS, Provider, SdkProvider, client_options
from routing.llm.replies import Reply, told

URL = "https://api.openai.com/v1"
NO_KEY = "none"
"""What is sent to a server that asks for no key, since the SDK would look for one elsewhere."""


def openai_chat(*, settings: RouterSettings, client: httpx2.Client) -> Provider:
    """Return the provider that asks ``POST /chat/completions``."""
    completions = openai.OpenAI(
        api_key=settings.key or NO_KEY, **client_options(settings, url=URL, client=client)
    )
    return SdkProvider(sdk=openai, client=completions, settings=settings, ask=_ask)


def _ask(client: openai.OpenAI, model: str, question: Question) -> Reply:
    completion = client.chat.completions.create(
        model=model,
        max_completion_tokens=MOST_TOKENS,
        messages=[
            {"role": "system", "content": question.instructions},
            {"role": "user", "content": question.content},
        ],
        response_format={
            "type": "json_schema",
            "json_schema": {
                "name": "groups",
                "strict": True,
                "schema": dict(question.schema),
            },
        },
    )
    used = completion.usage
    return told(
        completion.choices[0].message.content,
        _ending(completion),
        tokens_in=[used.prompt_tokens if used else 0],
        tokens_out=used.completion_tokens if used else 0,
    )


def _ending(completion: ChatCompletion) -> str:
    choice = completion.choices[0]
    if choice.message.refusal or choice.finish_reason == "content_filter":
        return "refused"
    return "cut_off" if choice.finish_reason == "length" else "complete"
