"""The webhook of a catalog: requests for approval are announced, signed, without arguments."""

from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.views.decorators.debug import sensitive_variables

from catalog.models import Catalog
from catalog.recording import note_deed
from routing.models import Approval, Webhook
from routing.signed_posts import (
    LONGEST_ERROR,
    TEST,
    NotDelivered,
    OpenClient,
    make_secret,
    open_client,
    post_signed,
    timestamp,
)

REQUESTED = "approval.requested"


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
        "requested_at": timestamp(approval.requested_at),
        "expires_at": timestamp(approval.expires_at),
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
        "requested_at": timestamp(now),
        "expires_at": None,
        "url": settings.SITE_URL + reverse("dashboard:approvals", args=[catalog.name]),
    }


def deliver(
    webhook: Webhook, said: dict[str, Any], *, now: datetime, client: OpenClient = open_client
) -> None:
    """Send an announcement once, and put on record what came of it. Raises ``NotDelivered``."""
    # Only of the address that was tried: another may have been set meanwhile.
    tried = Webhook.objects.filter(pk=webhook.pk, url=webhook.url)
    try:
        post_signed(said, url=webhook.url, secret=webhook.secret, now=now, client=client)
    except NotDelivered as failed:
        tried.update(last_at=now, last_error=str(failed)[:LONGEST_ERROR])
        raise
    tried.update(last_at=now, last_error="")
