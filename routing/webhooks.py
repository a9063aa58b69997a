"""The webhook of a catalog: requests for approval are announced, signed, without arguments."""

import hashlib
import hmac
import json
import secrets
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

import httpx2
from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.views.decorators.debug import sensitive_variables

from catalog.models import Catalog
from catalog.recording import note_deed
from routing.models import Approval, Webhook
from routing.outgoing import outgoing_client

REQUESTED, TEST = "approval.requested", "test"
PAUSES = (
    timedelta(seconds=10),
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=30),
)
"""How long after each failed try the next one comes; after the last one there is none."""
_TIMEOUT, _TOTAL, _MOST_BYTES = 5.0, 15.0, 64 * 1024
_LONGEST_ERROR = 500

OpenClient = Callable[[], httpx2.Client]


class NotDelivered(Exception):
    """The address did not take an announcement; the message says why."""


def make_secret() -> str:
    """Return a secret of 256 random bits."""
    return "tcw_" + secrets.token_urlsafe(32)


@transaction.atomic
@sensitive_variables("secret")
def set_webhook(*, catalog: Catalog, url: str) -> str | None:
    """Have a catalog's requests announced at an address; return the secret of a new webhook.

    A webhook that is there already keeps its secret, and ``None`` is returned.
    """
    fresh = {"last_at": None, "last_error": ""}
    secret = make_secret()
    _webhook, is_new = Webhook.objects.update_or_create(
        catalog=catalog,
        defaults={"url": url, **fresh},
        create_defaults={"url": url, "secret": secret, **fresh},
    )
    # The rest of an address may hold a secret of who is told.
    host = urlsplit(url).hostname or ""
    note_deed(catalog=catalog, action="webhook_set", kind="webhook", after={"host": host})
    return secret if is_new else None


@transaction.atomic
@sensitive_variables("secret")
def rotate_secret(*, webhook: Webhook) -> str:
    """Give a webhook another secret, which signs from now on, and return it."""
    secret = make_secret()
    Webhook.objects.filter(pk=webhook.pk).update(secret=secret)
    note_deed(catalog=webhook.catalog, action="webhook_secret", kind="webhook")
    return secret


@transaction.atomic
def forget_webhook(*, webhook: Webhook) -> None:
    """Announce nothing from now on, and forget the secret."""
    webhook.delete()
    note_deed(catalog=webhook.catalog, action="webhook_removed", kind="webhook")


def announcement(approval: Approval) -> dict[str, Any]:
    """Return what is sent about a request: where to look, and nothing that was said in the run."""
    catalog = approval.catalog
    path = reverse("dashboard:approval", args=[catalog.name, approval.uid])
    return {
        "event": REQUESTED,
        "id": str(approval.uid),
        "catalog": catalog.name,
        "run_id": approval.run.run_id,
        "tool": approval.tool,
        "requested_at": _timestamp(approval.requested_at),
        "expires_at": _timestamp(approval.expires_at),
        "url": settings.SITE_URL + path,
    }


def trial(catalog: Catalog, *, now: datetime) -> dict[str, Any]:
    """Return what is sent to try an address: the same fields, of a request that there is not."""
    return {
        "event": TEST,
        "id": None,
        "catalog": catalog.name,
        "run_id": None,
        "tool": None,
        "requested_at": _timestamp(now),
        "expires_at": None,
        "url": settings.SITE_URL + reverse("dashboard:approvals", args=[catalog.name]),
    }


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


def deliver(
    webhook: Webhook, said: dict[str, Any], *, now: datetime, client: OpenClient = open_client
) -> None:
    """Send an announcement once, and put on record what came of it. Raises ``NotDelivered``."""
    error = _send(webhook, said, now=now, client=client)
    # Only of the address that was tried: another may have been set meanwhile.
    tried = Webhook.objects.filter(pk=webhook.pk, url=webhook.url)
    tried.update(last_at=now, last_error=error[:_LONGEST_ERROR])
    if error:
        raise NotDelivered(error)


def _send(webhook: Webhook, said: dict[str, Any], *, now: datetime, client: OpenClient) -> str:
    """Return what went wrong; nothing where the address answered with a status of 200 to 299."""
    body = json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
    seconds = int(now.timestamp())
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Toolcrib",
        "Toolcrib-Event": said["event"],
        "Toolcrib-Timestamp": str(seconds),
        "Toolcrib-Signature": signature(secret=webhook.secret, seconds=seconds, body=body),
    }
    try:
        with client() as sender:
            answer = sender.post(webhook.url, content=body, headers=headers)
    except (httpx2.HTTPError, httpx2.InvalidURL) as failed:
        return str(failed) or type(failed).__name__
    return "" if answer.is_success else f"The address answered {answer.status_code}."


def _timestamp(time: datetime) -> str:
    return time.isoformat().replace("+00:00", "Z")
