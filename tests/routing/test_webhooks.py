"""The webhook: what is announced, signed how, when it is tried again, and where it may not go."""

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from catalog.models import Catalog
from routing import jobs
from routing.models import Approval, Webhook
from routing.signed_posts import PAUSES, signature
from routing.webhooks import deliver, rotate_secret, set_webhook, trial
from tests.approvals import ask, desk_agent, refund_desk
from tests.routing.calls.conftest import Caller
from tests.routing.outgoing.servers import StandIn, send, serving
from tests.samples import NOW

# Made with: printf '1772625600.{"event":"test"}' | openssl dgst -sha256 -hmac tcw_secret
KNOWN = "t=1772625600,v1=256a3b3660de363b6c0f3d06d702ee06359a7117c5c5f1b467a793a5242783e1"


class Hook:
    """A server that takes announcements, and answers each with the next of its statuses."""

    def __init__(self) -> None:
        self.taken: list[tuple[dict[str, str], bytes]] = []
        self.statuses: list[int] = []
        self.server: StandIn | None = None

    def answer(self, handler: Any) -> None:
        body = handler.rfile.read(int(handler.headers["Content-Length"]))
        self.taken.append((dict(handler.headers), body))
        send(handler, b"", status=self.statuses.pop(0) if self.statuses else 204)

    @property
    def url(self) -> str:
        assert self.server is not None
        return f"http://127.0.0.1:{self.server.port}/hook?team=desk"


@pytest.fixture
def hook(settings: Any) -> Iterator[Hook]:
    """Yield a server of this machine that the allow-list opens."""
    hook = Hook()
    with serving(hook.answer) as hook.server:
        settings.OUTGOING_ALLOWED = [f"127.0.0.1:{hook.server.port}"]
        yield hook


@pytest.fixture
def desk(db: None) -> Catalog:
    return refund_desk()


@pytest.fixture
def webhook(desk: Catalog, hook: Hook) -> Webhook:
    set_webhook(catalog=desk, url=hook.url)
    return Webhook.objects.get()


def jobs_waiting() -> list[tuple[Any, ...]]:
    rows = DBTaskResult.objects.filter(task_path="routing.jobs.announce", status="READY")
    return [tuple(row.args_kwargs["args"]) for row in rows.order_by("enqueued_at")]


def test_a_request_is_announced_without_what_was_said(webhook: Webhook, hook: Hook) -> None:
    approval = ask()
    assert jobs_waiting() == [(approval.pk,)]

    jobs.announce.call(approval.pk)

    [(headers, body)] = hook.taken
    assert json.loads(body) == {
        "event": "approval.requested",
        "id": str(approval.uid),
        "catalog": "refunds",
        "run_id": approval.run.run_id,
        "tool": "issue_refund",
        "requested_at": approval.requested_at.isoformat().replace("+00:00", "Z"),
        "expires_at": approval.expires_at.isoformat().replace("+00:00", "Z"),
        "url": f"http://testserver/catalogs/refunds/approvals/{approval.uid}",
    }
    assert headers["Toolcrib-Event"] == "approval.requested"
    assert headers["Content-Type"] == "application/json"
    seconds = int(headers["Toolcrib-Timestamp"])
    assert headers["Toolcrib-Signature"] == signature(
        secret=webhook.secret, seconds=seconds, body=body
    )
    webhook.refresh_from_db()
    assert (webhook.last_error, int(webhook.last_at.timestamp())) == ("", seconds)  # type: ignore[union-attr]


def test_the_signature_is_what_another_program_computes() -> None:
    seconds = int(NOW.timestamp())
    assert signature(secret="tcw_secret", seconds=seconds, body=b'{"event":"test"}') == KNOWN


def test_nothing_is_announced_without_a_webhook(desk: Catalog) -> None:
    approval = ask()
    assert jobs_waiting() == []
    jobs.announce.call(approval.pk)


def test_what_is_proposed_twice_is_announced_once(webhook: Webhook) -> None:
    caller = Caller(desk_agent())
    answers = [caller.refund(key).json()["decision"] for key in ("a", "b")]
    assert answers == ["needs_approval"] * 2
    assert len(jobs_waiting()) == 1


def test_a_request_that_is_taken_back_is_not_announced(webhook: Webhook) -> None:
    with transaction.atomic():
        ask()
        transaction.set_rollback(True)
    assert jobs_waiting() == []


def test_it_is_tried_again_later_and_later_and_then_no_more(webhook: Webhook, hook: Hook) -> None:
    approval = ask()
    hook.statuses = [500] * 9
    DBTaskResult.objects.all().delete()

    for tries in range(len(PAUSES)):
        before = timezone.now()
        jobs.announce.call(approval.pk, tries)
        [later] = DBTaskResult.objects.all()
        assert later.args_kwargs["args"] == [approval.pk, tries + 1]
        late = later.run_after - before
        assert PAUSES[tries] <= late < PAUSES[tries] + timedelta(seconds=5)
        DBTaskResult.objects.all().delete()
    jobs.announce.call(approval.pk, len(PAUSES))

    assert not DBTaskResult.objects.exists()
    assert len(hook.taken) == len(PAUSES) + 1
    webhook.refresh_from_db()
    assert webhook.last_error == "The address answered 500."

    hook.statuses = []
    jobs.announce.call(approval.pk)
    webhook.refresh_from_db()
    assert webhook.last_error == ""


def test_what_no_longer_waits_is_not_announced(webhook: Webhook, hook: Hook) -> None:
    approval = ask()
    Approval.objects.update(expires_at=timezone.now())
    jobs.announce.call(approval.pk)
    assert hook.taken == []


def test_an_address_of_this_machine_is_not_asked(
    webhook: Webhook, hook: Hook, settings: Any
) -> None:
    settings.OUTGOING_ALLOWED = []
    jobs.try_webhook.call(webhook.pk)
    assert hook.taken == []
    webhook.refresh_from_db()
    assert "127.0.0.1" in webhook.last_error


def test_a_redirect_is_not_followed(desk: Catalog, settings: Any) -> None:
    def redirect(handler: Any) -> None:
        send(handler, b"", status=307, Location="http://127.0.0.1:1/elsewhere")

    with serving(redirect) as server:
        settings.OUTGOING_ALLOWED = ["127.0.0.1"]
        set_webhook(catalog=desk, url=f"http://127.0.0.1:{server.port}/")
        jobs.try_webhook.call(Webhook.objects.get().pk)
        assert len(server.asked) == 1
    assert Webhook.objects.get().last_error == "The address answered 307."


def test_a_new_secret_signs_from_then_on(webhook: Webhook, hook: Hook, desk: Catalog) -> None:
    secret = rotate_secret(webhook=webhook)
    assert secret != webhook.secret
    webhook.refresh_from_db()

    deliver(webhook, trial(desk, now=NOW), now=NOW)

    [(headers, body)] = hook.taken
    seconds = int(NOW.timestamp())
    assert headers["Toolcrib-Signature"] == signature(secret=secret, seconds=seconds, body=body)
    assert json.loads(body)["event"] == "test"


def test_another_address_keeps_the_secret(webhook: Webhook, desk: Catalog) -> None:
    assert set_webhook(catalog=desk, url="https://example.com/other") is None
    changed = Webhook.objects.get()
    assert (changed.url, changed.secret) == ("https://example.com/other", webhook.secret)
