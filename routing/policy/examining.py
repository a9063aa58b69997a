"""A decision with each of its checks: what passed, what did not, and what was not reached."""

from dataclasses import dataclass
from enum import StrEnum

from routing.policy.checks import CHECKS, decide, tool_unknown
from routing.policy.rules import Proposal
from routing.policy.types import Decision, Reason, Refusal, Situation


class Outcome(StrEnum):
    """What came of a check."""

    PASSED = "passed"
    FAILED = "failed"
    UNREACHED = "unreached"


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """One check, named by the reason that it gives, and what came of it."""

    reason: Reason
    outcome: Outcome
    refusal: Refusal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    """What ``decide`` says of a proposal, and the checks in their order."""

    decision: Decision
    checkpoints: tuple[Checkpoint, ...]


def examine(proposal: Proposal, situation: Situation) -> Examination:
    """Decide on a proposal, and tell what each check said up to the one that decided."""
    points, reached = [], True
    for place, reason in enumerate(Reason):
        refusal = _said(place, proposal, situation) if reached else None
        outcome = Outcome.PASSED if reached else Outcome.UNREACHED
        if refusal is not None:
            outcome, reached = Outcome.FAILED, False
        points.append(Checkpoint(reason=reason, outcome=outcome, refusal=refusal))
    return Examination(decision=decide(proposal, situation), checkpoints=tuple(points))


def _said(place: int, proposal: Proposal, situation: Situation) -> Refusal | None:
    """Return what the check at a place of the order says; at 0, whether there is a tool."""
    if proposal.tool is None:
        return tool_unknown(proposal)
    return CHECKS[place - 1](proposal, proposal.tool, situation) if place else None
