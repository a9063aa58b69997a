"""The invariants of calls and approvals are the database's."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, IntegrityError, transaction

from routing.models import Approval, Span, ToolCall
from tests.routing.calls.conftest import Caller
from tests.samples import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def call(caller: Caller) -> ToolCall:
    """Return a call whose attempt is out."""
    return ToolCall.objects.get(uid=caller.draft().json()["id"])


def copy_of(call: ToolCall, **changes: Any) -> ToolCall:
    """Write another call like one."""
    call.pk, call.uid, call.idempotency_key = None, uuid4(), "other"
    for name, value in changes.items():
        setattr(call, name, value)
    call.save(force_insert=True)
    return call


def approval_of(call: ToolCall, **changes: Any) -> Approval:
    """Write a request for an approval."""
    known: dict[str, Any] = {
        "uid": uuid4(),
        "run": call.run,
        "catalog": call.catalog,
        "proposal": call.selection,
        "tool": call.tool,
        "arguments_sha256": call.arguments_sha256,
        "requested_at": NOW,
        "expires_at": NOW + timedelta(hours=1),
    }
    return Approval.objects.create(**(known | changes))


def _used_twice(call: ToolCall) -> None:
    for _ in range(2):
        approval_of(call, state="approved", decided_at=NOW, used_by=call)


BREAKS: dict[str, Callable[[ToolCall], object]] = {
    "a key twice in a run": lambda call: copy_of(call, idempotency_key="k"),
    "a call's id twice": lambda call: copy_of(call, uid=call.uid),
    "an unknown status": lambda call: copy_of(call, status="fine", settled_at=NOW),
    "a status and no time": lambda call: copy_of(call, status="ok", settled_at=None),
    "a time and no status": lambda call: copy_of(call, status="", settled_at=NOW),
    "attempt 0": lambda call: copy_of(call, attempt=0),
    "an unknown state": lambda call: approval_of(call, state="maybe", decided_at=NOW),
    "a decision without a time": lambda call: approval_of(call, state="approved"),
    "a time without a decision": lambda call: approval_of(call, decided_at=NOW),
    "a use of what is not approved": lambda call: approval_of(call, used_by=call),
    "a use of what was refused": lambda call: approval_of(
        call, state="refused", decided_at=NOW, used_by=call
    ),
    "an end before the beginning": lambda call: approval_of(call, expires_at=NOW),
    "two approvals for one call": _used_twice,
    "an unknown decision": lambda call: Span.objects.create(
        uid=uuid4(),
        name="tool_call",
        run=call.run,
        catalog=call.catalog,
        key=call.key,
        release=call.run.release,
        time=NOW,
        hour=0,
        decision="perhaps",
    ),
}


@pytest.mark.parametrize("write", BREAKS.values(), ids=BREAKS)
def test_a_broken_invariant_is_refused(call: ToolCall, write: Callable[[ToolCall], object]) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        write(call)


def test_calls_without_a_key_bind_none(call: ToolCall) -> None:
    for _ in range(2):
        copy_of(call, idempotency_key=None)

    assert ToolCall.objects.filter(idempotency_key=None).count() == 2


@pytest.mark.parametrize("change", [{"decision": "refused"}, {"reason": "x"}, {"status": "ok"}])
def test_what_was_decided_is_never_rewritten(call: ToolCall, change: dict[str, str]) -> None:
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        Span.objects.filter(uid=call.uid).update(**change)
