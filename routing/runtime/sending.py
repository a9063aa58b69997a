"""HTTP as both drivers speak it: how a client is made, and how a reply is read."""

from __future__ import annotations

import json
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


def reply_of(response: Any, *, seconds: float) -> Reply:
    """Return a reply; its body is ``None`` where that is no JSON."""
    try:
        body = response.json()
    except ValueError:
        body = None
    headers = {name.lower(): value for name, value in response.headers.items()}
    return Reply(status=response.status_code, headers=headers, body=body, seconds=seconds)


def unreachable(error: Exception) -> Unreachable:
    """Return what a fault of the transport means: without a connection nothing was sent."""
    unsent = isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout))
    return Unreachable(f"No answer came: {type(error).__name__}.", sent=not unsent)
