"""The pages of approvals: what waits is read whole, decided once, and by whoever may."""

from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from catalog.models import Catalog
from catalog.roles import Role
from routing.approvals import decide_approval
from routing.models import Approval
from tests.approvals import ask, desk_agent, refund_desk
from tests.members import client_of, member

PAGE = "/catalogs/refunds/approvals"


@pytest.fixture
def desk(db: None) -> Catalog:
    return refund_desk()


@pytest.fixture
def approval(desk: Catalog) -> Approval:
    return ask()


def at(approval: Approval) -> str:
    return f"{PAGE}/{approval.uid}"


def say(client: Client, approval: Approval, decision: str, **more: str) -> Any:
    return client.post(at(approval), {"decision": decision, **more})


def test_the_queue_shows_what_a_person_needs(signed_in: Client, desk: Catalog) -> None:
    approval = ask(order_id="<b>88231</b>")
    page = signed_in.get(PAGE).text

    assert "&lt;b&gt;88231&lt;/b&gt;" in page
    assert "<b>88231</b>" not in page
    for said in ("What is owed for order 88231?", "refunds.issue", "refunds:issue", "refunds@1"):
        assert said in page
    assert "It cannot be undone" in page
    assert f'href="/catalogs/refunds/runs/{approval.run_id}"' in page
    assert approval.expires_at.date().isoformat() in page


def test_nothing_that_is_not_seen_hides_in_arguments(signed_in: Client, desk: Catalog) -> None:
    ask(order_id="8823\u202e1\u200b")
    page = signed_in.get(PAGE).text
    assert r"8823\u202e1\u200b" in page
    assert "\u202e" not in page


def test_an_empty_queue_says_what_approvals_are_for(signed_in: Client, desk: Catalog) -> None:
    page = unescape(signed_in.get(PAGE).text)
    assert "Nothing waits for a person." in page
    assert "needs approval” on its page, and publish" in page


def test_a_destructive_call_is_approved_in_two_steps(
    signed_in: Client, user: User, approval: Approval
) -> None:
    first = say(signed_in, approval, "approve", reason="Fine")
    assert first.status_code == 200
    assert "Yes, approve this call" in first.text
    assert 'name="reason" value="Fine"' in first.text
    assert Approval.objects.get().state == "pending"

    second = say(signed_in, approval, "approve", reason="Fine", confirmed="on")
    assert (second.status_code, second["Location"]) == (302, PAGE)
    decided = Approval.objects.get()
    assert (decided.state, decided.decided_by, decided.reason) == ("approved", user, "Fine")


def test_refusing_needs_a_reason_and_one_step(signed_in: Client, approval: Approval) -> None:
    answer = say(signed_in, approval, "refuse")
    assert answer.status_code == 422
    assert "Say why" in answer.text
    assert Approval.objects.get().state == "pending"

    assert say(signed_in, approval, "refuse", reason="Paid twice").status_code == 302
    page = signed_in.get(PAGE).text
    assert "Paid twice" in page
    assert "Nothing waits for a person." in page


def test_who_comes_second_is_told_who_was_first(signed_in: Client, approval: Approval) -> None:
    eva = member(approval.catalog, Role.PUBLISHER)
    decide_approval(approval=approval, user=eva, approve=False, reason="No", now=timezone.now())

    answer = say(signed_in, approval, "approve", confirmed="on")

    assert answer.status_code == 409
    assert "eva decided before" in answer.text
    assert Approval.objects.get().state == "refused"


def test_who_comes_too_late_is_told_so(signed_in: Client, approval: Approval) -> None:
    Approval.objects.update(expires_at=timezone.now())
    answer = say(signed_in, approval, "refuse", reason="No")
    assert answer.status_code == 409
    assert "the request has expired" in answer.text
    assert "nobody in time" in signed_in.get(PAGE).text


def test_erased_arguments_are_not_offered_for_approval(
    signed_in: Client, approval: Approval
) -> None:
    Approval.objects.update(arguments=None)
    page = signed_in.get(PAGE).text
    assert "What nobody can read can only be refused." in page
    assert 'value="approve"' not in page
    assert say(signed_in, approval, "approve", confirmed="on").status_code == 409
    assert say(signed_in, approval, "refuse", reason="Gone").status_code == 302


def test_an_editor_reads_and_is_told_which_role_decides(approval: Approval) -> None:
    client = client_of(member(approval.catalog, Role.EDITOR))
    page = client.get(PAGE).text
    assert "you need the role “publisher”" in page
    assert 'value="refuse"' not in page
    assert say(client, approval, "refuse", reason="No").status_code == 403


def test_a_request_of_another_catalog_is_not_there(signed_in: Client, approval: Approval) -> None:
    Catalog.objects.create(name="other", title="Other")
    assert signed_in.get(f"/catalogs/other/approvals/{approval.uid}").status_code == 404


def test_the_history_says_what_was_used(signed_in: Client, approval: Approval, user: User) -> None:
    now = timezone.now()
    decide_approval(approval=approval, user=user, approve=True, reason="", now=now)
    assert "approved, not used yet" in signed_in.get(PAGE).text
    Approval.objects.update(expires_at=now + timedelta(seconds=0))
    assert "expired" in signed_in.get(at(approval)).text


def test_the_sidebar_counts_what_waits_without_a_query_more(
    signed_in: Client, desk: Catalog
) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert signed_in.get("/catalogs/refunds/tools").status_code == 200
        return len(captured)

    signed_in.get("/catalogs/refunds/tools")
    before = queries()
    agent = desk_agent()
    ask(agent)
    ask(agent, amount_cents=9)
    assert queries() == before
    assert (
        '2<span class="visually-hidden"> waiting' in signed_in.get("/catalogs/refunds/tools").text
    )


def test_a_longer_queue_costs_no_query_more(signed_in: Client, desk: Catalog) -> None:
    agent = desk_agent()

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert signed_in.get(PAGE).status_code == 200
        return len(captured)

    ask(agent)
    queries()
    few = queries()
    for amount in range(1, 6):
        ask(agent, amount_cents=amount)
    assert queries() == few <= 8
