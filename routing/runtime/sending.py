"""HTTP as both drivers speak it: how a client is made, and how a reply is read."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any

from routing.runtime.effects import Reply, Send
from routing.runtime.errors import Unreachable
from routing.runtime.web import httpx

PREFIX = "/api/v1"


def client_options(
    *, base_url: str, key: str, timeout: float, headers: Mapping[str, str] | None
) -> dict[str, Any]:
    """Return the arguments of either of httpx's clients. Redirects would take the key along."""
    return {
        "base_url": base_url.rstrip("/").removesuffix(PREFIX) + PREFIX,
        "headers": {
            "User-Agent": "toolcrib-runtime",
            **(headers or {}),
            "Authorization": f"Bearer {key}",
        },
        "timeout": timeout,
        "follow_redirects": False,
    }


def request_of(send: Send) -> dict[str, Any]:
    """Return the arguments of ``request``. The bytes are the same whichever httpx makes them."""
    options: dict[str, Any] = {"method": send.method, "url": send.path.removeprefix("/")}
    if send.body is not None:
        options["content"] = json.dumps(
            send.body, ensure_ascii=False, allow_nan=False, separators=(",", ":")
        ).encode("utf-8", "surrogatepass")
        options["headers"] = {"Content-Type": "application/json"}
    return options


class Slow(Exception):
    """An answer did not come whole in the time of a request."""


class Answer:
    """An answer as it comes in; the time of the request, in seconds, bounds the whole of it.

    The client's own bounds are for each read: an answer that trickles would never end. Without a
    bound (``None``) it may take for ever.
    """

    def __init__(self, response: Any, *, began: float, timeout: float | None) -> None:
        self._response = response
        self._began = began
        self._timeout = timeout
        self._parts: list[bytes] = []

    def take(self, part: bytes) -> None:
        """Add what was read; raises ``Slow``."""
        self._parts.append(part)
        if self._timeout is not None and time.monotonic() - self._began > self._timeout:
            raise Slow

    def reply(self) -> Reply:
        """Return the whole as a reply; its body is ``None`` where that is no JSON."""
        try:
            body = json.loads(b"".join(self._parts))
        except (ValueError, RecursionError):
            body = None
        return Reply(
            status=self._response.status_code,
            headers={name.lower(): value for name, value in self._response.headers.items()},
            body=body,
            seconds=time.monotonic() - self._began,
        )


FAULTS = (Slow, httpx.RequestError)
"""What is raised where no answer came, or none that can be read."""


def unreachable(error: Exception) -> Unreachable:
    """Return what a fault of the transport means: without a connection nothing was sent."""
    unsent = isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout))
    return Unreachable(f"No answer came: {type(error).__name__}.", sent=not unsent)
