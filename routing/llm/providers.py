"""Providers: who a question is sent to, and what their failures are called here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

import httpx2

from routing.llm.configuring import RouterSettings
from routing.llm.prompt import Question
from routing.llm.replies import Reply, RouterFailure
from routing.outgoing import OutgoingRefused, ResponseTooLarge, outgoing_client

MOST_TOKENS = 2_048
"""What a model may write, whatever it thinks to itself before it answers counted in."""
MOST_BYTES = 256 * 1024
"""No honest answer is longer."""


class Provider(Protocol):
    """One way to ask a model. Threads share it."""

    def reply(self, question: Question) -> Reply:
        """Return the model's reply; raises ``RouterFailure`` where there is none."""
        ...

    def close(self) -> None:
        """Close the connections."""
        ...


class NotInstalled(Exception):
    """The provider's SDK is not there."""


Connect = Callable[[RouterSettings, httpx2.Client], Provider]


def connect(settings: RouterSettings) -> Provider:
    """Return the provider that the settings name, over a guarded client of its own.

    Raises ``NotInstalled``.
    """
    make = _connect_anthropic if settings.provider == "anthropic" else _connect_openai
    client = outgoing_client(timeout=settings.timeout, total=settings.timeout, max_bytes=MOST_BYTES)
    try:
        return make(settings, client)
    except ImportError as error:
        client.close()
        raise NotInstalled(
            f"the package {settings.provider} is not installed: pip install 'toolcrib[llm]'"
        ) from error


def _connect_anthropic(settings: RouterSettings, client: httpx2.Client) -> Provider:
    from routing.llm.anthropic_messages import AnthropicMessages  # noqa: PLC0415 - an extra

    return AnthropicMessages(settings=settings, client=client)


def _connect_openai(settings: RouterSettings, client: httpx2.Client) -> Provider:
    from routing.llm.openai_chat import OpenAIChat  # noqa: PLC0415 - an extra

    return OpenAIChat(settings=settings, client=client)


@contextmanager
def failures_of(sdk: Any, *, timeout: float) -> Iterator[None]:
    """Raise what an SDK raises as ``RouterFailure``.

    Both SDKs are made by one generator and name their errors alike. What an endpoint wrote is not
    passed on: providers quote keys and prompts in their errors.
    """
    try:
        yield
    except sdk.APITimeoutError:
        raise RouterFailure(f"no answer within {timeout:g} s") from None
    except sdk.APIConnectionError as error:
        raise RouterFailure(_unreached(error.__cause__)) from None
    except sdk.APIStatusError as error:
        raise RouterFailure(f"the endpoint answered {error.status_code}") from None
    except Exception as error:
        # The SDKs build their objects without checking them, so that anything may be missing.
        raise RouterFailure(
            f"the endpoint's answer is not of the provider's shape ({type(error).__name__})"
        ) from None


def _unreached(cause: BaseException | None) -> str:
    if isinstance(cause, OutgoingRefused):
        return "its address is not public, and OUTGOING_ALLOWED does not name it"
    if isinstance(cause, ResponseTooLarge):
        return f"the endpoint's answer is longer than {MOST_BYTES:,} bytes"
    return "the endpoint could not be reached"
