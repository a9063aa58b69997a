"""The checks of a proposal, in their order."""

from typing import Any

import pytest

from routing.policy.budget import Budget, Ceiling
from routing.policy.checks import decide
from routing.policy.types import Approval, ApprovalState, Reason, Verdict
from tests.routing.policy.calls import OPEN, proposal, rulebook, situation

# A proposal that everything is wrong with, and what mends each thing, in the contract's order.
WRONG: dict[str, Any] = {
    "name": "Pay",
    "key": None,
    "arguments": {},
    "on_route": frozenset(),
    "offered": frozenset(),
    "scopes": frozenset(),
    "gate": OPEN,
    "budget": Budget(ceilings={"calls": Ceiling(0, "run")}),
    "approval": Approval(state=ApprovalState.REFUSED),
}
STEPS: list[tuple[Reason | None, dict[str, Any]]] = [
    (Reason.TOOL_UNKNOWN, {"name": "pay"}),
    (Reason.NOT_ON_ROUTE, {"on_route": frozenset(["pay"])}),
    (Reason.NOT_OFFERED, {"offered": frozenset(["pay"])}),
    (Reason.MISSING_SCOPE, {"scopes": frozenset(["billing:pay"])}),
    (Reason.MISSING_KEY, {"key": "k"}),
    (Reason.INVALID_ARGUMENTS, {"arguments": {"bill": "b1"}}),
    (Reason.CIRCUIT_OPEN, {"gate": type(OPEN)()}),
    (Reason.BUDGET_EXHAUSTED, {"budget": Budget()}),
    (
        Reason.APPROVAL_REFUSED,
        {"approval": Approval(state=ApprovalState.EXPIRED, named=True)},
    ),
    (Reason.APPROVAL_EXPIRED, {"approval": Approval(state=ApprovalState.PENDING)}),
    (Reason.NEEDS_APPROVAL, {"approval": Approval(state=ApprovalState.APPROVED)}),
    (None, {}),
]


def test_the_first_thing_that_is_wrong_is_told_in_the_contracts_order() -> None:
    known = dict(WRONG)
    told = []
    for _, mended in STEPS:
        proposed = proposal(known["name"], known["arguments"], key=known["key"])
        rest = {name: known[name] for name in known if name not in {"name", "arguments", "key"}}
        decision = decide(proposed, situation(**rest))
        told.append(decision.refusal.reason if decision.refusal else None)
        known |= mended

    assert told == [reason for reason, _ in STEPS]
    assert told[:-1] == list(Reason)


@pytest.mark.parametrize(
    ("approval", "verdict"),
    [
        (None, Verdict.NEEDS_APPROVAL),
        (Approval(state=ApprovalState.PENDING, named=True), Verdict.NEEDS_APPROVAL),
        (Approval(state=ApprovalState.EXPIRED), Verdict.NEEDS_APPROVAL),
        (Approval(state=ApprovalState.USED), Verdict.NEEDS_APPROVAL),
        (Approval(state=ApprovalState.USED, named=True), Verdict.REFUSED),
        (Approval(state=ApprovalState.FOREIGN, named=True), Verdict.REFUSED),
        (Approval(state=ApprovalState.REFUSED), Verdict.REFUSED),
        (Approval(state=ApprovalState.APPROVED), Verdict.ALLOWED),
    ],
)
def test_only_an_approved_approval_lets_a_call_pass(
    approval: Approval | None, verdict: Verdict
) -> None:
    assert decide(proposal(), situation(approval=approval)).verdict is verdict


@pytest.mark.parametrize("state", ApprovalState)
def test_a_tool_that_needs_none_looks_at_none(state: ApprovalState) -> None:
    free = proposal(rules=rulebook(needs_approval=False))

    assert decide(free, situation(approval=Approval(state=state, named=True))).allowed


def test_a_tool_that_is_switched_off_in_the_version_was_never_offered() -> None:
    decision = decide(proposal(rules=rulebook(enabled=False)), situation())

    assert decision.refusal is not None
    assert decision.refusal.reason is Reason.NOT_OFFERED


def test_the_groups_that_hold_a_tool_are_a_hint() -> None:
    known = situation(offered=frozenset(), holders={"pay": ("billing", "desk")})
    decision = decide(proposal(), known)

    assert decision.refusal is not None
    assert decision.refusal.hint == {"groups": ["billing", "desk"]}


def test_reading_needs_no_key() -> None:
    reading = rulebook(side_effect="read", needs_approval=False)

    assert decide(proposal(key=None, rules=reading), situation()).allowed


def test_a_retry_needs_neither_a_further_call_nor_a_second_approval() -> None:
    spent = Budget(ceilings={"calls": Ceiling(1, "run")}, spent={"calls": 1})

    assert decide(proposal(), situation(retry=True, budget=spent)).allowed
    spent = Budget(ceilings={"tokens": Ceiling(1, "run")}, spent={"tokens": 1})
    assert not decide(proposal(), situation(retry=True, budget=spent)).allowed


@pytest.mark.parametrize(
    "name", ["Pay", "PAY", "pay ", " pay", "p\u0430y", "pay\u200b", "\uff50ay", ""]
)
def test_names_are_compared_exactly(name: str) -> None:
    decision = decide(proposal(name), situation(approval=Approval(state=ApprovalState.APPROVED)))

    assert decision.refusal is not None
    assert decision.refusal.reason is Reason.TOOL_UNKNOWN


def test_an_alias_means_its_tool_and_never_hides_one() -> None:
    assert proposal("settle").tool == rulebook().find("pay")
    two = [{**rulebook().tools["pay"].tool}, {**rulebook().tools["pay"].tool, "name": "settle"}]
    book = type(rulebook()).of({"tools": two}, ref="shop@2")

    found = book.find("settle")
    assert found is not None
    assert found.name == "settle"
