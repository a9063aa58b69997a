"""OpenAI's Chat Completions, which other servers speak too, with a strict schema of the answer."""

from __future__ import annotations

import httpx2
import openai
from openai.types.chat import ChatCompletion

from routing.llm.configuring import RouterSettings
from routing.llm.prompt import Question
from routing.llm.providers import MOST_TOKENS, failures_of
from routing.llm.replies import Reply, told

URL = "https://api.openai.com/v1"
NO_KEY = "none"
"""What is sent to a server that asks for no key, since the SDK would look for one elsewhere."""


class OpenAIChat:
    """Asks ``POST /chat/completions``."""

    def __init__(self, *, settings: RouterSettings, client: httpx2.Client) -> None:
        self._model = settings.model
        self._timeout = settings.timeout
        self._client = openai.OpenAI(
            api_key=settings.key or NO_KEY,
            base_url=settings.url or URL,
            timeout=settings.timeout,
            # A second attempt takes longer than `auto`, which answers in its stead.
            max_retries=0,
            http_client=client,
        )

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def reply(self, question: Question) -> Reply:
        """Return the model's reply; raises ``RouterFailure``."""
        with failures_of(openai, timeout=self._timeout):
            completion = self._client.chat.completions.create(
                model=self._model,
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
