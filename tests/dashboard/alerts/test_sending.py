"""Messages: what is in them, that each is sent once, tried again, and given up in the end."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from smtplib import SMTPServerDisconnected
from typing import Any
from unittest.mock import Mock

import httpx2
import pytest
from django.core import mail
from django.core.mail import EmailMessage
from django_tasks_db.models import DBTaskResult

from catalog.models import Catalog
from dashboard.alerts.editing import add_target, try_target
from dashboard.alerts.ruled import plain
from dashboard.alerts.rules import DEFAULT_OF
from dashboard.alerts.sending import BROKEN_OFF, LEASE, OVERTAKEN, send
from dashboard.alerts.telling import OVERDUE, hand_over, send_overdue
from dashboard.models import AlertChange, AlertDelivery, AlertTarget
from routing.signed_posts import PAUSES, signature
from tests.alerted import SEEN
from tests.drafts import empty_catalog

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 30, 12, 5, tzinfo=UTC)


class Hook:
    """An address that takes messages, and answers each with the next of its statuses."""

    def __init__(self) -> None:
        self.taken: list[httpx2.Request] = []
        self.statuses: list[int] = []

    def client(self) -> httpx2.Client:
        return httpx2.Client(transport=httpx2.MockTransport(self._answer))

    def _answer(self, request: httpx2.Request) -> httpx2.Response:
        self.taken.append(request)
        return httpx2.Response(self.statuses.pop(0) if self.statuses else 204)


@pytest.fixture
def hook() -> Hook:
    return Hook()


@pytest.fixture
def desk(db: None) -> Catalog:
    return empty_catalog("desk")


@pytest.fixture
def webhook(desk: Catalog) -> AlertTarget:
    return add_target(catalog=desk, kind="webhook", address="https://example.com/hook", now=NOW)


def change_of(catalog: Catalog, *, title: str = "", after: str = "firing") -> AlertChange:
    return AlertChange.objects.create(
        catalog=catalog,
        key="fallbacks",
        at=NOW,
        upto=494_917,
        before="ok" if after == "firing" else "firing",
        after=after,
        rule={**plain(DEFAULT_OF["fallbacks"]), "title": title},
        seen=SEEN,
    )


def fired(target: AlertTarget, **named: Any) -> AlertDelivery:
    change = change_of(target.catalog, **named)
    return hand_over(target, event="alert.fired", change=change, now=NOW)


def jobs() -> list[tuple[int, datetime | None]]:
    rows = DBTaskResult.objects.order_by("enqueued_at")
    return [(row.args_kwargs["args"][0], row.run_after) for row in rows]


def test_a_webhook_is_told_what_was_seen_and_can_check_it(webhook: AlertTarget, hook: Hook) -> None:
    one = fired(webhook)
    assert [pk for pk, _after in jobs()] == [one.pk]

    send(one.pk, now=NOW, client=hook.client)
    send(one.pk, now=NOW, client=hook.client)  # a task that comes twice finds it taken

    [request] = hook.taken
    body = request.content
    assert json.loads(body) == {
        "event": "alert.fired",
        "id": str(one.uid),
        "catalog": "desk",
        "at": "2026-11-30T12:05:00Z",
        "alert": "fallbacks",
        "title": "Share of fallbacks: risen by 50 %",
        "rule": {**plain(DEFAULT_OF["fallbacks"])},
        "counted_up_to": "2026-06-17T13:00:00Z",
        "seen": SEEN,
        "url": "http://testserver/catalogs/desk/alerts",
    }
    assert request.headers["Toolcrib-Event"] == "alert.fired"
    seconds = int(request.headers["Toolcrib-Timestamp"])
    assert request.headers["Toolcrib-Signature"] == signature(
        secret=webhook.secret, seconds=seconds, body=body
    )
    one.refresh_from_db()
    assert (one.taken_at, one.next_at, one.tries, one.last_error) == (NOW, None, 1, "")


def test_it_is_tried_again_later_and_later_and_then_no_more(
    webhook: AlertTarget, hook: Hook
) -> None:
    one, now = fired(webhook), NOW
    hook.statuses = [500] * 9
    for pause in PAUSES:
        DBTaskResult.objects.all().delete()
        send(one.pk, now=now, client=hook.client)
        send(one.pk, now=now, client=hook.client)  # not due yet
        now += pause
        assert jobs() == [(one.pk, now)]
    DBTaskResult.objects.all().delete()
    send(one.pk, now=now, client=hook.client)
    assert jobs() == []
    assert len(hook.taken) == len(PAUSES) + 1
    one.refresh_from_db()
    assert (one.next_at, one.taken_at) == (None, None)
    assert (one.tries, one.last_error) == (5, "The address answered 500.")


def test_of_two_workers_at_once_one_sends(webhook: AlertTarget, hook: Hook) -> None:
    one = fired(webhook)

    def client_of_the_first() -> httpx2.Client:
        # While the first is about to send, another worker comes to the same message.
        send(one.pk, now=NOW, client=hook.client)
        return hook.client()

    send(one.pk, now=NOW, client=client_of_the_first)
    assert len(hook.taken) == 1


def test_what_a_killed_worker_was_at_is_sent_by_another(webhook: AlertTarget, hook: Hook) -> None:
    one = fired(webhook)
    with pytest.raises(KeyboardInterrupt):
        send(one.pk, now=NOW, client=Mock(side_effect=KeyboardInterrupt))
    DBTaskResult.objects.all().delete()

    assert send_overdue(now=NOW + LEASE) == 0
    later = NOW + LEASE + OVERDUE + timedelta(seconds=1)
    assert send_overdue(now=later) == 1
    assert send_overdue(now=later) == 0
    [(pk, _after)] = jobs()
    send(pk, now=later, client=hook.client)
    one.refresh_from_db()
    assert (len(hook.taken), one.taken_at) == (1, later)


def test_what_breaks_every_worker_off_comes_to_an_end(webhook: AlertTarget, hook: Hook) -> None:
    one, now = fired(webhook), NOW
    for _ in range(len(PAUSES) + 1):
        with pytest.raises(KeyError):
            send(one.pk, now=now, client=Mock(side_effect=KeyError))
        now += LEASE + OVERDUE + timedelta(seconds=1)
        assert send_overdue(now=now) == 1
    send(one.pk, now=now, client=hook.client)
    one.refresh_from_db()
    assert (hook.taken, one.next_at, one.last_error) == ([], None, BROKEN_OFF)


def test_an_old_message_does_not_overtake_a_newer_one(webhook: AlertTarget, hook: Hook) -> None:
    first = fired(webhook)
    over = change_of(webhook.catalog, after="ok")
    second = hand_over(webhook, event="alert.cleared", change=over, now=NOW)
    for one in (second, first):
        send(one.pk, now=NOW, client=hook.client)
    assert [json.loads(request.content)["event"] for request in hook.taken] == ["alert.cleared"]
    first.refresh_from_db()
    assert (first.next_at, first.last_error) == (None, OVERTAKEN)


def test_a_test_is_tried_once(webhook: AlertTarget, hook: Hook) -> None:
    hook.statuses = [404]
    one = try_target(target=webhook, now=NOW)
    send(one.pk, now=NOW, client=hook.client)
    said = json.loads(hook.taken[0].content)
    assert (said["event"], said["alert"], said["seen"]) == ("test", None, None)
    one.refresh_from_db()
    assert (one.next_at, one.last_error) == (None, "The address answered 404.")


def test_an_address_of_this_machine_is_not_asked(desk: Catalog) -> None:
    target = add_target(catalog=desk, kind="webhook", address="http://127.0.0.1:9/", now=NOW)
    one = try_target(target=target, now=NOW)
    send(one.pk, now=NOW)
    one.refresh_from_db()
    assert "127.0.0.1" in one.last_error
    assert one.taken_at is None


@pytest.fixture
def write(desk: Catalog, settings: Any) -> Callable[..., AlertDelivery]:
    """Return what sends an e-mail of an alert, and returns its message as it stands then."""
    settings.EMAIL_IS_SET_UP = True
    target = add_target(
        catalog=desk, kind="email", address="ops@example.com", language="es", now=NOW
    )

    def write(**named: Any) -> AlertDelivery:
        one = fired(target, **named)
        send(one.pk, now=NOW)
        one.refresh_from_db()
        return one

    return write


def test_an_e_mail_is_in_the_language_of_its_receiver(write: Callable[..., AlertDelivery]) -> None:
    assert write().taken_at == NOW
    [message] = mail.outbox
    assert message.to == ["ops@example.com"]
    assert message.subject == "[Toolcrib] desk: alerta: Parte de respaldos: subida del 50 %"
    assert "40,0 %, sube 100,0 % (60,0 % a 160,0 %) frente a 20,0 %" in message.body
    assert message.body.endswith("\n\nhttp://testserver/catalogs/desk/alerts\n")


def test_a_name_cannot_write_headers(write: Callable[..., AlertDelivery]) -> None:
    write(title="Unsure\r\nBcc: all@example.com\n\nBuy")
    [message] = mail.outbox
    assert message.subject == "[Toolcrib] desk: alerta: Unsure Bcc: all@example.com Buy"
    assert message.recipients() == ["ops@example.com"]
    assert "Bcc" not in message.message()


def test_what_a_mail_server_does_not_take_is_tried_again(
    write: Callable[..., AlertDelivery], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(EmailMessage, "send", Mock(side_effect=SMTPServerDisconnected("gone")))
    one = write()
    assert (one.last_error, one.next_at) == ("gone", NOW + PAUSES[0])


def test_without_a_mail_server_it_says_so(
    write: Callable[..., AlertDelivery], settings: Any
) -> None:
    settings.EMAIL_IS_SET_UP = False
    assert write().last_error == "E-mail is not set up: EMAIL_URL is empty."
    assert mail.outbox == []
