"""Send one message, and put on record what came of it; what was not taken is tried again later."""

from datetime import datetime, timedelta
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import F

from dashboard.alerts.messages import payload, subject_and_text
from dashboard.models import AlertDelivery, AlertTarget
from dashboard.tasks import send_alert
from routing.signed_posts import (
    LONGEST_ERROR,
    PAUSES,
    NotDelivered,
    OpenClient,
    open_client,
    post_signed,
)

LEASE = timedelta(minutes=2)
"""A try that has not ended by then was cut off with its worker, and another may follow."""
OVERTAKEN = "A newer message says how it stands."
BROKEN_OFF = "Every try broke off."
NO_MAIL = "E-mail is not set up: EMAIL_URL is empty."


def send(delivery: int, *, now: datetime, client: OpenClient = open_client) -> None:
    """Send a message that is due, once; whoever comes second finds it taken or moved."""
    found = AlertDelivery.objects.select_related("target__catalog", "change")
    one = found.filter(pk=delivery, next_at__lte=now).first()
    if one is None or not _claimed(one, now=now):
        return
    if _is_overtaken(one):
        _end(one, error=OVERTAKEN)
        return
    if one.tries > len(PAUSES):
        # Whatever ends a worker, or nobody expects, would come again for ever.
        _end(one, error=one.last_error or BROKEN_OFF)
        return
    try:
        if one.target.kind == AlertTarget.Kind.WEBHOOK:
            target = one.target
            post_signed(
                payload(one), url=target.address, secret=target.secret, now=now, client=client
            )
        else:
            _mail(one)
    except NotDelivered as failed:
        _try_later(one, error=str(failed)[:LONGEST_ERROR], now=now)
    else:
        AlertDelivery.objects.filter(pk=one.pk).update(taken_at=now, next_at=None, last_error="")


def _claimed(one: AlertDelivery, *, now: datetime) -> bool:
    """Move a message on before it is sent: a crash leaves it due, and two workers send it once."""
    due = AlertDelivery.objects.filter(pk=one.pk, next_at=one.next_at)
    return bool(due.update(next_at=now + LEASE, last_at=now, tries=F("tries") + 1))


def _is_overtaken(one: AlertDelivery) -> bool:
    if one.change is None:
        return False
    newer = AlertDelivery.objects.filter(target=one.target, change__key=one.change.key)
    return newer.filter(pk__gt=one.pk).exists()


def _try_later(one: AlertDelivery, *, error: str, now: datetime) -> None:
    # What is tried by a button is tried once: who pressed it reads what went wrong.
    if one.event == AlertDelivery.Event.TEST or one.tries >= len(PAUSES):
        _end(one, error=error)
        return
    later = now + PAUSES[one.tries]
    with transaction.atomic():
        AlertDelivery.objects.filter(pk=one.pk).update(next_at=later, last_error=error)
        send_alert.using(run_after=later).enqueue(one.pk)


def _end(one: AlertDelivery, *, error: str) -> None:
    AlertDelivery.objects.filter(pk=one.pk).update(next_at=None, last_error=error)


def _mail(one: AlertDelivery) -> None:
    if not settings.EMAIL_IS_SET_UP:
        raise NotDelivered(NO_MAIL)
    subject, text = subject_and_text(one)
    # Known again by its id, as the message of a webhook is.
    headers = {"X-Toolcrib-Id": str(one.uid), "Auto-Submitted": "auto-generated"}
    message = EmailMessage(subject=subject, body=text, to=[one.target.address], headers=headers)
    try:
        message.send()
    except (SMTPException, OSError, ValueError) as failed:
        raise NotDelivered(str(failed) or type(failed).__name__) from failed
