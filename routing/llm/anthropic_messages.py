"""Anthropic's Messages, with the answer's schema as the format of the output."""

from __future__ import annotations

import anthropic
import httpx2

from routing.llm.configuring import RouterSettings
from routing.llm.prompt import Question
from routing.llm.providers import MOST_TOKENS, failures_of
from routing.llm.replies import Reply, told

URL = "https://api.anthropic.com"
_ENDINGS = {
    "refusal": "refused",
    "max_tokens": "cut_off",
    "model_context_window_exceeded": "cut_off",
}


class AnthropicMessages:
    """Asks ``POST /v1/messages``."""

    def __init__(self, *, settings: RouterSettings, client: httpx2.Client) -> None:
        self._model = settings.model
        self._timeout = settings.timeout
        self._client = anthropic.Anthropic(
            api_key=settings.key,
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
        with failures_of(anthropic, timeout=self._timeout):
            message = self._client.messages.create(
                model=self._model,
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
