"""``POST /api/v1/selections/{id}/calls``: every reason to refuse, and what is allowed."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from catalog.models import Catalog
from routing.circuits import open_by_hand
from routing.models import Run, Span, ToolCall
from routing.policy import checks
from routing.policy.types import Reason
from tests.routing.calls.conftest import REFUND, Caller, decide
from tests.routing.conftest import Agent
from tests.samples import NOW

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


@pytest.fixture
def refunder(make_agent: Callable[..., Agent], desk: Catalog) -> Caller:
    """Return an agent whose key may issue refunds."""
    return Caller(make_agent("refunder", scopes=["refunds:issue", "other"]))


def _open_circuit(caller: Caller, kind: str, target: str) -> None:
    open_by_hand(
        catalog=Catalog.objects.get(name="refunds"),
        kind=kind,
        target=target,
        reason="broken",
        until=None,
        by=None,
        now=timezone.now(),
    )


def _off_the_route(caller: Caller) -> Any:
    return caller.propose("read_ledger", {"order_id": "1"})


def _spent(caller: Caller) -> Any:
    Run.objects.update(budget={"calls": 1})
    caller.read()
    return caller.read()


def _stopped(caller: Caller) -> Any:
    _open_circuit(caller, "tool", "read_order")
    return caller.read()


def _turned_down(caller: Caller) -> Any:
    decide(caller.refund().json()["approval_id"], "refused")
    return caller.refund()


def _too_late(caller: Caller) -> Any:
    uid = caller.refund().json()["approval_id"]
    decide(uid, "approved", lasts=-timedelta(seconds=1))
    return caller.refund(approval_id=uid)


# What brings each reason about, asked of an agent that may issue refunds.
REFUSED: dict[Reason, Callable[[Caller], Any]] = {
    Reason.TOOL_UNKNOWN: lambda caller: caller.propose("pay_bill"),
    Reason.NOT_ON_ROUTE: _off_the_route,
    Reason.NOT_OFFERED: lambda caller: caller.propose("read_invoice"),
    Reason.MISSING_SCOPE: lambda caller: caller.refund(),
    Reason.MISSING_KEY: lambda caller: caller.draft(None),
    Reason.INVALID_ARGUMENTS: lambda caller: caller.propose("read_order"),
    Reason.CIRCUIT_OPEN: _stopped,
    Reason.BUDGET_EXHAUSTED: _spent,
    Reason.APPROVAL_REFUSED: _turned_down,
    Reason.APPROVAL_EXPIRED: _too_late,
    Reason.NEEDS_APPROVAL: lambda caller: caller.refund(),
}


@pytest.mark.parametrize("reason", Reason)
def test_each_reason_is_told(reason: Reason, refunder: Caller, caller: Caller) -> None:
    who = caller if reason is Reason.MISSING_SCOPE else refunder
    response = REFUSED[reason](who)
    call = response.json()

    assert response.status_code == 201
    verdict = "needs_approval" if reason is Reason.NEEDS_APPROVAL else "refused"
    assert (call["decision"], call["reason"]) == (verdict, reason.value)
    assert call["detail"]
    assert (call["attempt"], call["arguments"], call["result"]) == (None, None, None)
    span = Span.objects.get(uid=call["id"])
    assert (span.name, span.decision, span.reason) == ("tool_call", verdict, reason.value)
    assert span.call is None


def test_the_reasons_are_those_of_the_contract_in_its_order() -> None:
    assert list(Reason) == [
        "tool_unknown",
        "tool_not_allowed_on_route",
        "tool_not_offered",
        "missing_scope",
        "missing_idempotency_key",
        "invalid_arguments",
        "circuit_open",
        "budget_exhausted",
        "approval_refused",
        "approval_expired",
        "needs_approval",
    ]
    assert len(checks.CHECKS) == len(Reason) - 1  # an unknown tool cannot be checked further


def test_the_groups_that_hold_a_tool_are_hinted_at(agent: Agent, desk: Catalog) -> None:
    caller = Caller(agent, max_tools=1, strategy="keyword")  # no rule: the default tools

    call = caller.draft().json()
    assert call["reason"] == "tool_not_offered"
    assert call["hint"] == {"groups": ["refunds"]}

    path = f"/selections/{caller.selection['id']}/expansions"
    agent.post(path, {"group": "refunds"})
    assert caller.draft().json()["decision"] == "allowed"


def test_a_selection_offers_for_itself_only(agent: Agent, desk: Catalog) -> None:
    everything = Caller(agent, run_id="one")
    little = Caller(agent, run_id="one", max_tools=1, strategy="keyword")

    assert little.draft().json()["reason"] == "tool_not_offered"
    assert everything.draft().json()["decision"] == "allowed"


def test_what_a_providers_search_can_find_was_offered(agent: Agent, desk: Catalog) -> None:
    caller = Caller(
        agent, strategy="keyword", format="openai-responses", tool_search=True, max_tools=1
    )

    assert "draft_refund_request" in caller.selection["deferred"]
    assert caller.draft().json()["decision"] == "allowed"
    assert caller.propose("read_invoice").json()["reason"] == "tool_not_offered"


def test_an_alias_is_accepted_and_the_tool_is_named(caller: Caller) -> None:
    call = caller.propose("get_order", {"order_id": "1"}).json()

    assert (call["decision"], call["tool"]) == ("allowed", "read_order")
    assert Span.objects.get(uid=call["id"]).details == {"proposed": "get_order"}


def test_to_ask_for_a_group_is_no_call(caller: Caller) -> None:
    call = caller.propose("request_group", {"group": "refunds"}).json()

    assert call["reason"] == "tool_unknown"
    assert "expansions" in call["detail"]


def test_every_fault_of_the_arguments_is_told_with_its_place(caller: Caller) -> None:
    call = caller.propose(
        "draft_refund_request", {"amount_cents": 0, "remark": "x"}, idempotency_key="k"
    ).json()

    assert {(error["path"], error["message"]) for error in call["errors"]} == {
        ("order_id", "is required and missing"),
        ("amount_cents", "is less than the minimum of 1"),
        ("remark", "is not among the properties that are known here"),
    }
    assert not ToolCall.objects.exists()
    assert caller.draft().json()["decision"] == "allowed"  # the key was not bound


@pytest.mark.parametrize(
    ("kind", "target"), [("capability", "orders.read"), ("route", "desk"), ("tool", "read_order")]
)
def test_circuits_of_tool_capability_and_route_stop_a_call(
    caller: Caller, kind: str, target: str
) -> None:
    assert caller.read().json()["decision"] == "allowed"
    _open_circuit(caller, kind, target)
    assert caller.read().json()["reason"] == "circuit_open"


CEILINGS = [
    *((owner, kind) for owner in ("run", "key") for kind in ("calls", "tokens", "cost", "seconds")),
    ("route", "calls"),
    ("route", "tokens"),
]


@pytest.mark.parametrize(("owner", "kind"), CEILINGS)
def test_the_lowest_ceiling_of_run_route_and_key_holds(
    agent: Agent, desk: Catalog, owner: str, kind: str
) -> None:
    caller = Caller(agent, route="refund_investigation" if owner == "route" else "desk")
    low, high = {kind: 5}, {kind: 10**6}
    most = {"calls": 20, "tokens": 60_000}.get(kind, 5) if owner == "route" else 5
    Run.objects.update(budget=low if owner == "run" else high)
    type(agent.key).objects.update(budget=low if owner == "key" else high)
    assert caller.read().json()["decision"] == "allowed"
    if kind == "seconds":
        Run.objects.update(started_at=timezone.now() - timedelta(seconds=most))
    else:
        Run.objects.update(**{f"{kind}_spent": most})

    call = caller.read().json()
    assert call["reason"] == "budget_exhausted"
    assert f"its {owner} allows" in call["detail"]


def test_refusals_spend_nothing_and_allowed_calls_one(caller: Caller) -> None:
    caller.propose("read_order")
    caller.propose("pay_bill")
    caller.read()
    caller.draft("a")

    assert Run.objects.get().calls_spent == 2


def test_a_reading_call_without_a_key_is_a_new_one_each_time(caller: Caller) -> None:
    calls = [caller.read().json() for _ in range(2)]

    assert calls[0]["id"] != calls[1]["id"]
    assert [call["attempt"] for call in calls] == [1, 1]


def test_nulls_that_strictness_made_an_agent_send_are_dropped(caller: Caller) -> None:
    sent = {**REFUND, "note": None}
    call = caller.propose("draft_refund_request", sent, idempotency_key="k").json()

    assert call["decision"] == "allowed"
    assert call["arguments"] == REFUND
    assert caller.draft().status_code == 409  # with the null or without, it is the same call
    sent = {**REFUND, "order_id": None}
    call = caller.propose("draft_refund_request", sent, idempotency_key="l").json()
    assert call["errors"] == [{"path": "order_id", "message": "is required and missing"}]


def test_a_key_that_lost_its_route_reaches_nothing_on_it(caller: Caller) -> None:
    type(caller.agent.key).objects.update(routes=["order_status"])

    assert caller.read().json()["reason"] == "tool_not_allowed_on_route"


def test_trace_fields_and_arguments_are_kept_with_the_text(caller: Caller) -> None:
    caller.draft()
    span = caller.agent.get(f"/runs/{caller.run_id}").json()["spans"][-1]

    assert (span["name"], span["tool"], span["decision"]) == (
        "tool_call",
        "draft_refund_request",
        "allowed",
    )
    assert span["arguments"] == span["trace_fields"] == REFUND
    assert span["call"] == span["id"]


def test_where_text_is_not_kept_no_argument_is(agent: Agent, desk: Catalog) -> None:
    Catalog.objects.update(keep_text=False)
    caller = Caller(agent)
    call = caller.draft().json()

    span = agent.get(f"/runs/{caller.run_id}").json()["spans"][-1]
    assert span["arguments"] is span["trace_fields"] is None
    assert agent.get(f"/calls/{call['id']}").json()["arguments"] is None


BAD: dict[str, tuple[object, str]] = {
    "no tool": ({"arguments": {}}, "tool"),
    "an empty tool": ({"tool": ""}, "tool"),
    "arguments in a string": ({"tool": "x", "arguments": "{}"}, "arguments"),
    "a null byte": ({"tool": "x", "arguments": {"a": ["b\0"]}}, "arguments"),
    "a null byte in a name": ({"tool": "x", "arguments": {"a\0": 1}}, "arguments"),
    "half a pair": (b'{"tool": "x", "arguments": {"a": "\\ud800"}}', "arguments"),
    "an endless float": (b'{"tool": "x", "arguments": {"a": 1e999}}', "arguments"),
    "an empty key": ({"tool": "x", "idempotency_key": ""}, "idempotency_key"),
    "an unknown field": ({"tool": "x", "approved": True}, "approved"),
}


@pytest.mark.parametrize(("sent", "path"), BAD.values(), ids=BAD)
def test_what_is_no_proposal_is_invalid(caller: Caller, sent: object, path: str) -> None:
    response = caller.agent.post(f"/selections/{caller.selection['id']}/calls", sent)

    assert response.status_code == 422, response.content
    assert path in {error["path"] for error in response.json()["errors"]}
    assert not Span.objects.filter(name="tool_call").exists()


@pytest.mark.parametrize("number", [2**63, 10**60, -(2**200)])
def test_integers_of_any_size_are_arguments(caller: Caller, number: int) -> None:
    arguments = {"order_id": "1", "amount_cents": number}
    call = caller.propose("draft_refund_request", arguments, idempotency_key="k").json()

    if number < 0:
        assert call["reason"] == "invalid_arguments"
    else:
        assert call["arguments"] == arguments
        assert caller.agent.get(f"/calls/{call['id']}").json()["arguments"] == arguments


def test_a_key_needs_the_action(
    desk: Catalog, make_agent: Callable[..., Agent], caller: Caller
) -> None:
    selector = make_agent("selector", actions=["select", "read"])
    other = Caller(selector)

    assert other.read().status_code == 403
    assert other.result(other.selection["id"]).status_code == 403
    made = caller.read().json()["id"]
    blind = make_agent("blind", actions=["propose"])
    assert blind.get(f"/calls/{made}").status_code == 403


def test_calls_of_another_key_are_not_found(
    caller: Caller, make_agent: Callable[..., Agent]
) -> None:
    call = caller.read().json()["id"]
    stranger = make_agent("stranger")

    path = f"/selections/{caller.selection['id']}/calls"
    assert stranger.post(path, {"tool": "read_order"}).status_code == 404
    assert stranger.get(f"/calls/{call}").status_code == 404
    sent = {"attempt": 1, "status": "ok"}
    assert stranger.post(f"/calls/{call}/results", sent).status_code == 404


@pytest.mark.parametrize("selection", ["nonsense", "0193e2f1-0000-7000-8000-000000000000"])
def test_unknown_selections_are_not_found(agent: Agent, selection: str) -> None:
    assert agent.post(f"/selections/{selection}/calls", {"tool": "x"}).status_code == 404
    assert agent.get(f"/calls/{selection}").status_code == 404


def test_the_openapi_document_knows_them(client: Any) -> None:
    paths = client.get("/api/v1/openapi.json").json()["paths"]

    assert "post" in paths["/api/v1/selections/{selection_id}/calls"]
    assert "get" in paths["/api/v1/calls/{call_id}"]
    assert "post" in paths["/api/v1/calls/{call_id}/results"]


def test_a_call_is_read_as_it_stands(caller: Caller) -> None:
    call = caller.draft().json()
    read = caller.agent.get(f"/calls/{call['id']}").json()

    assert read["decision"] == "allowed"
    assert (read["status"], read["done"], read["attempt"]) == (None, False, 1)
    assert read["leased_until"] > NOW.isoformat()
    assert read["selection_id"] == caller.selection["id"]
    refused = caller.propose("pay_bill").json()
    read = caller.agent.get(f"/calls/{refused['id']}").json()
    assert (read["decision"], read["reason"], read["tool"]) == ("refused", "tool_unknown", None)
