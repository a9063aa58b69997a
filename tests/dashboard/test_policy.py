"""The policy tester: it says what the API would say, check by check, and leaves no trace."""

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from catalog.models import Catalog
from routing.circuits import open_by_hand
from routing.models import ApiKey, Approval, Run, Span
from tests.approvals import desk_agent, refund_desk
from tests.routing.calls.conftest import Caller

PAGE = "/catalogs/refunds/policy"
REFUND = '{"order_id": "88231", "amount_cents": 500}'
GOOD = {"ref": "live", "route": "desk", "offered": "on", "has_key": "on"}


@pytest.fixture
def desk(db: None) -> Catalog:
    return refund_desk()


def answer_of(client: Client, **said: Any) -> tuple[str, dict[str, str], str]:
    """Return the decision, what came of each check by its reason, and the page."""
    form = {**GOOD, "tool": "issue_refund", "arguments": REFUND, **said}
    answer = client.post(PAGE, {name: value for name, value in form.items() if value is not None})
    page = unescape(answer.text)
    assert answer.status_code == 200, page
    points = re.findall(r'data-state="(\w+)" data-reason="(\w+)"', page)
    decision = re.search(r'id="decision">([^<]+)<', page)
    assert decision
    return decision[1], {reason: state for state, reason in points}, page


def test_each_check_is_told_in_the_order_of_the_contract(signed_in: Client, desk: Catalog) -> None:
    decision, points, page = answer_of(signed_in, arguments='{"amount_cents": "many"}')
    assert decision == "refused"
    assert list(points.items()) == [
        ("tool_unknown", "passed"),
        ("tool_not_allowed_on_route", "passed"),
        ("tool_not_offered", "passed"),
        ("missing_scope", "failed"),
        ("missing_idempotency_key", "unreached"),
        ("invalid_arguments", "unreached"),
        ("circuit_open", "unreached"),
        ("budget_exhausted", "unreached"),
        ("approval_refused", "unreached"),
        ("approval_expired", "unreached"),
        ("needs_approval", "unreached"),
    ]
    assert "issue_refund needs what this key does not have: refunds:issue." in page


SCOPED = {"scopes": "refunds:issue"}


@pytest.mark.parametrize(
    ("said", "decision", "reason"),
    [
        ({"tool": "Issue_refund"}, "refused", "tool_unknown"),
        ({"route": "order_status"}, "refused", "tool_not_allowed_on_route"),
        ({"offered": None}, "refused", "tool_not_offered"),
        ({}, "refused", "missing_scope"),
        ({**SCOPED, "has_key": None}, "refused", "missing_idempotency_key"),
        ({**SCOPED, "arguments": "{}"}, "refused", "invalid_arguments"),
        ({**SCOPED, "approval": "refused"}, "refused", "approval_refused"),
        ({**SCOPED, "approval": "expired"}, "refused", "approval_expired"),
        (SCOPED, "needs approval", "needs_approval"),
        ({"tool": "read_order", "route": "order_status", "calls": "10",
          "arguments": '{"order_id": "1"}'}, "refused", "budget_exhausted"),
    ],
)  # fmt: skip
def test_every_reason_can_be_had(
    signed_in: Client, desk: Catalog, said: dict[str, str], decision: str, reason: str
) -> None:
    found, points, page = answer_of(signed_in, **said)
    assert found == decision
    assert [name for name, state in points.items() if state == "failed"] == [reason]
    assert f"<code>{reason}</code>" in page


@pytest.mark.parametrize("ref", ["7", "next", "\u0661", "9" * 5000])
def test_a_version_that_there_is_not_is_not_found(
    signed_in: Client, desk: Catalog, ref: str
) -> None:
    assert signed_in.get(PAGE, {"ref": ref}).status_code == 404
    assert signed_in.post(PAGE, {**GOOD, "ref": ref}).status_code == 404


def test_a_good_call_passes_every_check(signed_in: Client, desk: Catalog) -> None:
    decision, points, _page = answer_of(signed_in, scopes="refunds:issue", approval="approved")
    assert decision == "allowed"
    assert set(points.values()) == {"passed"}


def test_circuits_count_as_they_stand(signed_in: Client, desk: Catalog) -> None:
    open_by_hand(
        catalog=desk,
        kind="tool",
        target="read_order",
        reason="It errs.",
        until=None,
        by=None,
        now=timezone.now(),
    )
    _decision, points, page = answer_of(
        signed_in, tool="get_order", arguments='{"order_id": "88231"}', has_key=None
    )
    assert points["circuit_open"] == "failed"
    assert "The circuit of the tool read_order is open by hand." in page


def test_it_says_what_the_api_says(signed_in: Client, desk: Catalog) -> None:
    wrong = {"amount_cents": "many", "extra": 1}
    caller = Caller(desk_agent())
    said = caller.propose("issue_refund", wrong, idempotency_key="k").json()

    _decision, _points, page = answer_of(
        signed_in, scopes="refunds:issue", arguments='{"amount_cents": "many", "extra": 1}'
    )

    assert said["detail"] in page
    assert len(said["errors"]) > 1
    for error in said["errors"]:
        assert f"<code>{error['path']}</code> {error['message']}" in page


def test_nothing_is_recorded(signed_in: Client, desk: Catalog) -> None:
    answer_of(signed_in, scopes="refunds:issue")
    for model in (Run, Span, Approval, ApiKey):
        assert not model._default_manager.exists()


@pytest.mark.parametrize(
    "arguments", ["{", "[]", "NaN", '{"a": 1e999}', "[" * 3000, '{"a":"\\u0000"}']
)
def test_what_the_api_would_not_read_is_refused(
    signed_in: Client, desk: Catalog, arguments: str
) -> None:
    answer = signed_in.post(PAGE, {**GOOD, "tool": "read_order", "arguments": arguments})
    assert answer.status_code == 422


def test_a_version_that_there_is_not_is_not_there(signed_in: Client, desk: Catalog) -> None:
    assert signed_in.get(f"{PAGE}?ref=9").status_code == 404
    assert signed_in.get(f"{PAGE}?ref=x").status_code == 404
    assert signed_in.get(f"{PAGE}?ref=1&tool=read_order").status_code == 200


def test_without_a_version_it_says_what_to_do(signed_in: Client) -> None:
    Catalog.objects.create(name="empty", title="Empty")
    assert "Nothing is published yet." in signed_in.get("/catalogs/empty/policy").text
