"""An examination says what the decision says, and where it fell."""

from itertools import product

import pytest

from catalog.samples import load_sample
from routing.policy.checks import CHECKS, decide
from routing.policy.examining import Outcome, examine
from routing.policy.rules import Proposal, Rulebook
from routing.policy.types import Approval, ApprovalState, Reason, Situation
from tests.samples import NOW

NAMES = ("read_order", "issue_refund", "nothing_of_the_kind")
ARGUMENTS: tuple[dict[str, object], ...] = ({}, {"order_id": "88231", "amount_cents": 500})
WORDS = (None, *ApprovalState)


def test_there_is_a_reason_for_every_check() -> None:
    assert len(Reason) == len(CHECKS) + 1


@pytest.mark.parametrize("name", NAMES)
def test_the_decision_is_the_same_and_the_failed_check_is_its_reason(name: str) -> None:
    rules = Rulebook.of(load_sample("refunds"), ref="refunds@1")
    every = frozenset(rules.tools)
    seen = set()
    for arguments, key, on, offered, scopes, word in product(
        ARGUMENTS, (None, "k"), (every, frozenset()), (every, frozenset()),
        (frozenset(), frozenset({"refunds:issue"})), WORDS,
    ):  # fmt: skip
        proposal = Proposal.read(rules, name=name, arguments=arguments, idempotency_key=key)
        situation = Situation(
            now=NOW,
            on_route=on,
            offered=offered,
            scopes=scopes,
            approval=Approval(state=word, named=True) if word else None,
        )
        found = examine(proposal, situation)

        assert found.decision == decide(proposal, situation)
        assert [point.reason for point in found.checkpoints] == list(Reason)
        outcomes = [point.outcome for point in found.checkpoints]
        refusal = found.decision.refusal
        if refusal is None:
            assert set(outcomes) == {Outcome.PASSED}
        else:
            place = list(Reason).index(refusal.reason)
            assert found.checkpoints[place].refusal == refusal
            assert outcomes == [Outcome.PASSED] * place + [Outcome.FAILED] + [Outcome.UNREACHED] * (
                len(outcomes) - place - 1
            )
        seen.add(refusal.reason if refusal else None)
    assert len(seen) >= (1 if name == NAMES[2] else 3)
