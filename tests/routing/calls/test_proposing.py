"""``POST /api/v1/selections/{id}/calls``: every reason to refuse, and what is allowed."""

import pytest

from tests.routing.calls.conftest import REFUND, Caller

pytestmark = pytest.mark.django_db


def test_an_allowed_call_says_all_that_is_needed_to_make_it(caller: Caller) -> None:
    response = caller.draft()
    call = response.json()

    assert response.status_code == 201, call
    assert call.pop("id")
    assert call == {
        "run_id": caller.run_id,
        "tool": "draft_refund_request",
        "decision": "allowed",
        "reason": None,
        "detail": None,
        "errors": [],
        "hint": None,
        "approval_id": None,
        "attempt": 1,
        "timeout_ms": 10_000,
        "max_attempts": 3,
        "output_trust": "trusted_system",
        "arguments": REFUND,
        "result": None,
    }
