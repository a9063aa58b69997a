"""Providers: who a question is sent to, and what their failures are called here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import httpx2

from routing.llm.configuring import RouterSettings
from routing.llm.prompt import Question
from routing.llm.replies import Reply, RouterFailure
from routing.outgoing import OutgoingRefused, ResponseTooLarge, outgoing_client

MOST_TOKENS = 2_048
"""What a model may write, whatever it thinks to itself before it answers counted in."""
MOST_BYTES = 256 * 1024
"""No honest answer is longer."""


class Closing(Protocol):
    """What holds connections."""

    def close(self) -> None:
        """Close the connections."""
        ...


class Provider(Closing, Protocol):
    """One way to ask a model. Threads share it."""

    def reply(self, question: Question) -> Reply:
        """Return the model's reply; raises ``RouterFailure`` where there is none."""
        ...


ClientT = TypeVar("ClientT", bound=Closing)


@dataclass(frozen=True, slots=True, kw_only=True)
class SdkProvider(Generic[ClientT]):
    """A provider by its official SDK; ``ask`` puts a question to a model through its client."""

    sdk: Any
    client: ClientT
    settings: RouterSettings
    ask: Callable[[ClientT, str, Question], Reply]

    def reply(self, question: Question) -> Reply:
        """Return the model's reply; raises ``RouterFailure``."""
        with failures_of(self.sdk, timeout=self.settings.timeout):
            return self.ask(self.client, self.settings.model, question)

    def close(self) -> None:
        """Close the connections."""
        self.client.close()


class NotInstalled(Exception):
    """The provider's SDK is not there."""


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
    from routing.llm.anthropic_messages import anthropic_messages  # noqa: PLC0415 - an extra

    return anthropic_messages(settings=settings, client=client)


def _connect_openai(settings: RouterSettings, client: httpx2.Client) -> Provider:
    from routing.llm.openai_chat import openai_chat  # noqa: PLC0415 - an extra

    return openai_chat(settings=settings, client=client)


def client_options(settings: RouterSettings, *, url: str, client: httpx2.Client) -> dict[str, Any]:
    """Return what both SDKs' clients are made with; ``url`` is the provider's own."""
    return {
        "base_url": settings.url or url,
        "timeout": settings.timeout,
        # A second attempt takes longer than `auto`, which answers in its stead.
        "max_retries": 0,
        "http_client": client,
    }


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
