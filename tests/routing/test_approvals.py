"""A person's word on a call: one of two decides, in time, on what can be read."""

from datetime import timedelta
from threading import Barrier, Thread

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from catalog.models import Catalog
from routing.approvals import (
    AlreadyDecided,
    ArgumentsErased,
    TooLate,
    decide_approval,
    forget_arguments,
    waiting_requests,
)
from routing.models import Approval
from routing.policy.types import ApprovalState
from tests.approvals import ask, desk_agent, refund_desk
from tests.routing.calls.conftest import REFUND, Caller


@pytest.fixture
def desk(db: None) -> Catalog:
    return refund_desk()


@pytest.fixture
def approval(desk: Catalog) -> Approval:
    return ask()


def test_the_queue_says_what_a_person_needs_to_know(desk: Catalog) -> None:
    agent = desk_agent()
    older, newer = ask(agent), ask(agent, amount_cents=700)
    ended = ask(agent, amount_cents=900)
    Approval.objects.filter(pk=ended.pk).update(expires_at=timezone.now())

    requests = waiting_requests(catalog=desk, now=timezone.now(), most=50)

    assert [one.approval for one in requests] == [older, newer]
    first = requests[0]
    assert first.task == "What is owed for order 88231?"
    assert first.approval.arguments == REFUND
    assert (first.tool["name"], first.tool["capability"]) == ("issue_refund", "refunds.issue")
    assert first.is_destructive
    assert first.ref == "refunds@1"


def test_the_queue_is_one_read_however_long(desk: Catalog) -> None:
    agent = desk_agent()
    for amount in range(1, 6):
        ask(agent, amount_cents=amount)

    with CaptureQueriesContext(connection) as captured:
        requests = waiting_requests(catalog=desk, now=timezone.now(), most=4)
        said = [(one.task, one.approval.run.run_id, one.approval.run.key.name) for one in requests]

    assert len(said) == 4
    assert len(captured) == 1


def test_an_approval_lasts_from_the_decision_on(approval: Approval, user: User) -> None:
    now = timezone.now() + timedelta(hours=20)

    decided = decide_approval(approval=approval, user=user, approve=True, reason="", now=now)

    assert (decided.state, decided.decided_by, decided.decided_at) == ("approved", user, now)
    assert decided.expires_at == now + timedelta(hours=1)


def test_a_refusal_reaches_the_agent_with_its_reason(desk: Catalog, user: User) -> None:
    caller = Caller(desk_agent())
    asked = caller.refund().json()
    approval = Approval.objects.get(uid=asked["approval_id"])

    decide_approval(
        approval=approval, user=user, approve=False, reason="Twice paid.", now=timezone.now()
    )

    call = caller.refund().json()
    assert (call["decision"], call["reason"]) == ("refused", "approval_refused")
    assert "Twice paid." in call["detail"]


def test_the_second_person_is_told_what_the_first_said(approval: Approval, user: User) -> None:
    now = timezone.now()
    decide_approval(approval=approval, user=user, approve=False, reason="No.", now=now)
    other = User.objects.create_user("bo")

    with pytest.raises(AlreadyDecided) as told:
        decide_approval(approval=approval, user=other, approve=True, reason="", now=now)

    assert told.value.approval.decided_by == user
    assert Approval.objects.get().state == "refused"


def test_nobody_decides_too_late(approval: Approval, user: User) -> None:
    with pytest.raises(TooLate):
        decide_approval(
            approval=approval, user=user, approve=True, reason="", now=approval.expires_at
        )
    assert Approval.objects.get().state == "pending"


def test_erased_arguments_can_only_be_refused(approval: Approval, user: User) -> None:
    Approval.objects.update(arguments=None)
    now = timezone.now()
    [request] = waiting_requests(catalog=approval.catalog, now=now, most=1)
    assert (request.state, request.can_be_approved) == (ApprovalState.PENDING, False)

    with pytest.raises(ArgumentsErased):
        decide_approval(approval=approval, user=user, approve=True, reason="", now=now)

    decided = decide_approval(approval=approval, user=user, approve=False, reason="Gone", now=now)
    assert decided.state == "refused"


@pytest.mark.parametrize("kept", [True, False])
def test_arguments_are_forgotten_where_no_text_is_kept_and_nobody_is_asked_any_more(
    desk: Catalog, user: User, kept: bool
) -> None:
    Catalog.objects.update(keep_text=kept)
    caller, now = Caller(desk_agent()), timezone.now()
    approval = Approval.objects.get(uid=caller.refund().json()["approval_id"])
    late = ask(amount_cents=700)
    assert forget_arguments(now=now) == 0

    decide_approval(approval=approval, user=user, approve=True, reason="", now=now)
    assert forget_arguments(now=now) == (0 if kept else 1)
    assert forget_arguments(now=late.expires_at) == (0 if kept else 1)

    assert Approval.objects.filter(arguments__isnull=True).count() == (0 if kept else 2)
    assert caller.refund().json()["decision"] == "allowed"


def test_an_erased_run_keeps_arguments_no_longer_than_they_are_asked_about(
    desk: Catalog, user: User
) -> None:
    agent = desk_agent()
    caller = Caller(agent)
    agent.delete(f"/runs/{caller.run_id}/text")
    approval = Approval.objects.get(uid=caller.refund().json()["approval_id"])
    now = timezone.now()
    decide_approval(approval=approval, user=user, approve=False, reason="No.", now=now)

    assert forget_arguments(now=now) == 1
    assert Approval.objects.get().arguments is None


@pytest.mark.django_db(transaction=True)
def test_of_many_people_at_once_one_decides() -> None:
    refund_desk()
    approval = ask()
    people = [User.objects.create_user(f"person{number}") for number in range(6)]
    together, won, lost = Barrier(len(people)), [], []

    def decide(person: User, *, approve: bool) -> None:
        together.wait()
        try:
            word = decide_approval(
                approval=approval, user=person, approve=approve, reason="x", now=timezone.now()
            )
            won.append((person.pk, word.state))
        except AlreadyDecided:
            lost.append(person.pk)
        finally:
            connection.close()

    threads = [
        Thread(target=decide, args=[person], kwargs={"approve": number % 2 == 0})
        for number, person in enumerate(people)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    current = Approval.objects.get()
    assert won == [(current.decided_by_id, current.state)]
    assert len(lost) == len(people) - 1
