"""The values of a decision: what is proposed, what is known about it, and what is said of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from routing.policy.budget import Budget
from routing.policy.circuits import Gate
from routing.policy.faults import Fault


class Verdict(StrEnum):
    """What is decided of a proposal."""

    ALLOWED = "allowed"
    REFUSED = "refused"
    NEEDS_APPROVAL = "needs_approval"


class Reason(StrEnum):
    """Why a proposal is not allowed, in the order in which it is checked."""

    TOOL_UNKNOWN = "tool_unknown"
    NOT_ON_ROUTE = "tool_not_allowed_on_route"
    NOT_OFFERED = "tool_not_offered"
    MISSING_SCOPE = "missing_scope"
    MISSING_KEY = "missing_idempotency_key"
    INVALID_ARGUMENTS = "invalid_arguments"
    CIRCUIT_OPEN = "circuit_open"
    BUDGET_EXHAUSTED = "budget_exhausted"
    APPROVAL_REFUSED = "approval_refused"
    APPROVAL_EXPIRED = "approval_expired"
    NEEDS_APPROVAL = "needs_approval"


class ApprovalState(StrEnum):
    """How a person's word on a call stands. ``FOREIGN`` is one that is not for this call."""

    PENDING = "pending"
    APPROVED = "approved"
    REFUSED = "refused"
    EXPIRED = "expired"
    USED = "used"
    FOREIGN = "foreign"


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """The word on a call that counts: the one that was named, or else the newest.

    ``named`` tells that the proposal brought it; ``reason`` is what the person said.
    """

    state: ApprovalState
    named: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """Everything that a decision looks at beside the proposal and the release's rules.

    ``route`` is the run's, ``on_route`` the tools that it allows this key. ``offered`` are the
    tools that the selection and its expansions offered, ``scopes`` those of the key. ``retry``
    tells that the call was allowed before and its next attempt is asked for: its call was counted
    and its approval used then. ``holders`` are the groups of each tool, as far as the route lets
    them be asked for.
    """

    now: datetime
    route: str | None = None
    on_route: frozenset[str]
    offered: frozenset[str]
    scopes: frozenset[str] = frozenset()
    holders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    gate: Gate = field(default_factory=Gate)
    budget: Budget = field(default_factory=Budget)
    approval: Approval | None = None
    retry: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """What a check says that does not let a proposal pass; ``hint`` is what could help."""

    reason: Reason
    detail: str
    errors: tuple[Fault, ...] = ()
    hint: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What is decided of a proposal, and all that the agent is told about it."""

    verdict: Verdict
    refusal: Refusal | None = None

    @property
    def allowed(self) -> bool:
        """Tell whether the call may be made."""
        return self.verdict is Verdict.ALLOWED
