"""Calls that a person must approve: bound to exactly one call, used once, not for ever."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from catalog.models import Catalog
from routing.models import Approval, Span, ToolCall
from tests.routing.calls.conftest import (
    REFUND,
    Caller,
    decide,
    desk_document,
    publish_document,
)
from tests.routing.conftest import Agent

pytestmark = pytest.mark.django_db


@pytest.fixture
def caller(make_agent: Callable[..., Agent], desk: Catalog) -> Caller:
    """Return an agent whose key may issue refunds."""
    return Caller(make_agent("refunder", scopes=["refunds:issue"]))


def test_a_request_waits_for_a_person_with_all_they_need(caller: Caller) -> None:
    call = caller.refund().json()
    approval = Approval.objects.get()

    assert (call["decision"], call["reason"]) == ("needs_approval", "needs_approval")
    assert call["approval_id"] == str(approval.uid)
    assert (approval.tool, approval.arguments, approval.state) == (
        "issue_refund",
        REFUND,
        "pending",
    )
    assert approval.expires_at - approval.requested_at == timedelta(hours=24)
    assert approval.proposal == Span.objects.get(uid=call["id"])
    read = caller.agent.get(f"/calls/{call['id']}").json()
    assert (read["approval"]["state"], read["approval_id"]) == ("pending", call["approval_id"])


def test_asking_again_makes_no_second_request(caller: Caller) -> None:
    ids = {caller.refund(key).json()["approval_id"] for key in ("a", "b", "a")}

    assert len(ids) == Approval.objects.count() == 1


@pytest.mark.parametrize("named", [False, True])
def test_an_approved_call_passes_once(caller: Caller, named: bool) -> None:
    asked = caller.refund().json()
    decide(asked["approval_id"], "approved")
    more = {"approval_id": asked["approval_id"]} if named else {}
    call = caller.refund(**more).json()

    assert (call["decision"], call["approval_id"]) == ("allowed", asked["approval_id"])
    assert Approval.objects.get().used_by == ToolCall.objects.get()
    read = caller.agent.get(f"/calls/{asked['id']}").json()
    assert read["approval"]["state"] == "used"
    again = caller.refund("other", **more).json()
    assert again["decision"] != "allowed"
    assert again["reason"] == ("approval_refused" if named else "needs_approval")


@pytest.mark.parametrize("change", [{"amount_cents": 501}, {"order_id": "88232"}])
@pytest.mark.parametrize("named", [False, True])
def test_it_is_for_exactly_these_arguments(
    caller: Caller, named: bool, change: dict[str, object]
) -> None:
    uid = caller.refund().json()["approval_id"]
    decide(uid, "approved")
    more = {"approval_id": uid} if named else {}
    call = caller.propose("issue_refund", {**REFUND, **change}, idempotency_key="k", **more).json()

    assert call["reason"] == ("approval_refused" if named else "needs_approval")
    assert Approval.objects.filter(used_by=None).count() == (1 if named else 2)


def test_it_is_for_this_run_only(caller: Caller) -> None:
    uid = caller.refund().json()["approval_id"]
    decide(uid, "approved")
    other = Caller(caller.agent)

    assert other.refund(approval_id=uid).json()["reason"] == "approval_refused"
    assert other.refund().json()["reason"] == "needs_approval"


@pytest.mark.parametrize("uid", ["nonsense", "0193e2f1-0000-7000-8000-000000000000"])
def test_one_that_there_is_not_lets_nothing_pass(caller: Caller, uid: str) -> None:
    call = caller.refund(approval_id=uid).json()

    assert call["reason"] == "approval_refused"
    assert "not for this call" in call["detail"]


def test_what_was_refused_stays_so(caller: Caller) -> None:
    uid = caller.refund().json()["approval_id"]
    decide(uid, "refused", reason="no receipt")

    for more in ({}, {"approval_id": uid}):
        call = caller.refund(**more).json()
        assert (call["reason"], call["approval_id"]) == ("approval_refused", uid)
        assert "no receipt" in call["detail"]


@pytest.mark.parametrize("state", ["pending", "approved"])
def test_what_expired_must_be_asked_for_again(caller: Caller, state: str) -> None:
    uid = caller.refund().json()["approval_id"]
    decide(uid, state, lasts=-timedelta(seconds=1))

    assert caller.refund(approval_id=uid).json()["reason"] == "approval_expired"
    call = caller.refund().json()
    assert call["reason"] == "needs_approval"
    assert call["approval_id"] != uid


def test_a_next_attempt_needs_no_second_approval(caller: Caller) -> None:
    decide(caller.refund().json()["approval_id"], "approved")
    call = caller.refund().json()
    release_tools = ToolCall.objects.filter(uid=call["id"])
    release_tools.update(leased_until=timezone.now() - timedelta(seconds=1))

    # issue_refund may be tried once.
    assert caller.refund().json()["result"]["reason"] == "attempts_exhausted"


def test_a_request_is_not_made_for_what_would_be_refused(caller: Caller) -> None:
    assert caller.propose("issue_refund", {}, idempotency_key="k").json()["errors"]

    assert not Approval.objects.exists()


def test_a_further_attempt_comes_with_the_approval_that_the_first_used(
    make_agent: Callable[..., Agent], settings: Any
) -> None:
    settings.ENCODER = "none"
    document = desk_document()
    document["tools"][3]["max_attempts"] = 2
    publish_document(document)
    caller = Caller(make_agent("refunder", scopes=["refunds:issue"]))
    asked = caller.refund().json()["approval_id"]
    decide(asked, "approved")
    call = caller.refund().json()
    caller.result(call["id"], "retryable_error", reason="busy")

    again = caller.refund().json()

    assert (again["decision"], again["attempt"], again["id"]) == ("allowed", 2, call["id"])
    assert again["approval_id"] == asked
    assert Approval.objects.count() == 1
