"""The router model as the environment names it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from routing.outgoing import fault_of_url

PROVIDERS = ("anthropic", "openai")


class BadRouterSetting(ValueError):
    """A setting of the router model cannot be read; the message names it and not its value."""


@dataclass(frozen=True, slots=True)
class Prices:
    """USD for a million tokens that a model reads and writes."""

    read: float
    written: float

    def cost(self, *, tokens_in: int, tokens_out: int) -> float:
        """Return what tokens cost in USD."""
        return round((tokens_in * self.read + tokens_out * self.written) / 1_000_000, 8)


@dataclass(frozen=True, slots=True, kw_only=True)
class RouterSettings:
    """Which model is asked, and how. ``timeout`` is in seconds; an empty ``url`` is the provider's.

    The key is in no representation of this.
    """

    provider: str
    model: str
    url: str = ""
    key: str = field(default="", repr=False)
    timeout: float = 5.0
    prices: Prices | None = None

    @property
    def name(self) -> str:
        """Return what the model is called in settings, spans and circuits."""
        return f"{self.provider}:{self.model}"


def read_settings(settings: Any) -> RouterSettings | None:
    """Return the router model of Django's settings, ``None`` where none is named.

    Raises ``BadRouterSetting``.
    """
    named = settings.LLM_ROUTER.strip()
    if not named:
        return None
    provider, _, model = named.partition(":")
    if provider not in PROVIDERS or not model.strip() or len(named) > 200:
        raise BadRouterSetting(
            "LLM_ROUTER is anthropic:MODEL or openai:MODEL, at most 200 characters."
        )
    url, key = settings.LLM_ROUTER_URL.strip(), settings.LLM_ROUTER_KEY.strip()
    if url and (fault := fault_of_url(url)):
        raise BadRouterSetting(f"LLM_ROUTER_URL {fault}.")
    if not key and (provider == "anthropic" or not url):
        raise BadRouterSetting(f"LLM_ROUTER_KEY is not set, and {provider} asks for a key.")
    if not key.isascii() or not key.isprintable():
        raise BadRouterSetting("LLM_ROUTER_KEY holds a character that no key has.")
    timeout = settings.LLM_ROUTER_TIMEOUT
    if not 0 < timeout <= 60:
        raise BadRouterSetting("LLM_ROUTER_TIMEOUT is a number of seconds, at most 60.")
    return RouterSettings(
        provider=provider,
        model=model.strip(),
        url=url,
        key=key,
        timeout=timeout,
        prices=_prices(settings.LLM_ROUTER_PRICES),
    )


def _prices(written: str) -> Prices | None:
    """Return the two prices of ``read/written``."""
    if not written.strip():
        return None
    try:
        read, output = (float(part) for part in written.split("/"))
    except ValueError:
        read = output = math.nan
    if not (0 <= read < math.inf and 0 <= output < math.inf):
        raise BadRouterSetting(
            "LLM_ROUTER_PRICES is two numbers with a slash: USD for a million tokens read/written."
        )
    return Prices(read=read, written=output)
