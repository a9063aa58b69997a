"""Announcements that are posted to an address under a secret: signed, guarded, tried again."""

import hashlib
import hmac
import json
import secrets
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

import httpx2
from django.views.decorators.debug import sensitive_variables

from routing.outgoing import outgoing_client

TEST = "test"
PAUSES = (
    timedelta(seconds=10),
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=30),
)
"""How long after each failed try the next one comes; after the last one there is none."""
LONGEST_ERROR = 500
_TIMEOUT, _TOTAL, _MOST_BYTES = 5.0, 15.0, 64 * 1024

OpenClient = Callable[[], httpx2.Client]


class NotDelivered(Exception):
    """The address did not take an announcement; the message says why."""


def make_secret() -> str:
    """Return a secret of 256 random bits."""
    return "tcw_" + secrets.token_urlsafe(32)


@sensitive_variables("secret")
def signature(*, secret: str, seconds: int, body: bytes) -> str:
    """Return the header that vouches for a body sent at a time (seconds since 1970).

    ``v1`` is the hexadecimal HMAC-SHA256, under the secret, of the seconds, a point and the body.
    """
    signed = hmac.digest(secret.encode(), b"%d." % seconds + body, hashlib.sha256)
    return f"t={seconds},v1={signed.hex()}"


def open_client() -> httpx2.Client:
    """Return the client that announcements go through: the guarded one, and impatient."""
    return outgoing_client(timeout=_TIMEOUT, total=_TOTAL, max_bytes=_MOST_BYTES)


@sensitive_variables("secret")
def post_signed(
    said: Mapping[str, Any],
    *,
    url: str,
    secret: str,
    now: datetime,
    client: OpenClient = open_client,
) -> None:
    """Post an announcement once; ``said["event"]`` names it.

    Raises ``NotDelivered`` unless the address answers with a status of 200 to 299.
    """
    body = json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
    seconds = int(now.timestamp())
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Toolcrib",
        "Toolcrib-Event": said["event"],
        "Toolcrib-Timestamp": str(seconds),
        "Toolcrib-Signature": signature(secret=secret, seconds=seconds, body=body),
    }
    try:
        with client() as sender:
            answer = sender.post(url, content=body, headers=headers)
    except (httpx2.HTTPError, httpx2.InvalidURL) as failed:
        raise NotDelivered(str(failed) or type(failed).__name__) from failed
    if not answer.is_success:
        raise NotDelivered(f"The address answered {answer.status_code}.")


def timestamp(time: datetime) -> str:
    """Return a time as announcements write it: ISO 8601, with a Z for UTC."""
    return time.isoformat().replace("+00:00", "Z")
