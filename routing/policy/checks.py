"""The checks of a proposal: each says why not, or nothing. Their order is the contract's.

Nothing that a task, a history or an argument says in words is looked at: they are a model's or a
stranger's, and decide nothing.
"""

from collections.abc import Callable

from routing.policy.rules import Proposal, ToolRules
from routing.policy.types import (
    ApprovalState,
    Decision,
    Reason,
    Refusal,
    Situation,
    Verdict,
)

Check = Callable[[Proposal, ToolRules, Situation], Refusal | None]
REQUEST_GROUP = "request_group"
"""The tool that opens one more group: the server answers it, no call is made."""
EVERY_SCOPE = "*"
"""The scope of a key that stands for all of them."""


def decide(proposal: Proposal, situation: Situation) -> Decision:
    """Decide on a proposal: the first check that does not let it pass says why."""
    refusal = _first_refusal(proposal, situation)
    if refusal is None:
        return Decision(verdict=Verdict.ALLOWED)
    if refusal.reason is Reason.NEEDS_APPROVAL:
        return Decision(verdict=Verdict.NEEDS_APPROVAL, refusal=refusal)
    return Decision(verdict=Verdict.REFUSED, refusal=refusal)


def _first_refusal(proposal: Proposal, situation: Situation) -> Refusal | None:
    if proposal.tool is None:
        return tool_unknown(proposal)
    for check in CHECKS:
        refusal = check(proposal, proposal.tool, situation)
        if refusal is not None:
            return refusal
    return None


def tool_unknown(proposal: Proposal) -> Refusal:
    """Say that the release has no such tool."""
    detail = f"{proposal.ref} has no tool of this name; names are compared exactly."
    if proposal.name == REQUEST_GROUP:
        detail = "To open a group, post to the selection's expansions: request_group is no call."
    return Refusal(reason=Reason.TOOL_UNKNOWN, detail=detail)


def tool_on_route(_proposal: Proposal, tool: ToolRules, situation: Situation) -> Refusal | None:
    """Refuse what the run's route does not allow, or not to this key."""
    if tool.name in situation.on_route:
        return None
    where = f"the route {situation.route}" if situation.route else "this run"
    return Refusal(reason=Reason.NOT_ON_ROUTE, detail=f"{tool.name} is not allowed on {where}.")


def tool_offered(_proposal: Proposal, tool: ToolRules, situation: Situation) -> Refusal | None:
    """Refuse what neither the selection nor its expansions offered."""
    if tool.enabled and tool.name in situation.offered:
        return None
    if not tool.enabled:
        return Refusal(
            reason=Reason.NOT_OFFERED, detail=f"{tool.name} is switched off in this version."
        )
    groups = situation.holders.get(tool.name, ())
    return Refusal(
        reason=Reason.NOT_OFFERED,
        detail=f"{tool.name} was not offered by this selection.",
        hint={"groups": list(groups)} if groups else None,
    )


def has_scopes(_proposal: Proposal, tool: ToolRules, situation: Situation) -> Refusal | None:
    """Refuse what needs a scope that the key does not have."""
    missing = [scope for scope in tool.scopes if scope not in situation.scopes]
    if not missing or EVERY_SCOPE in situation.scopes:
        return None
    return Refusal(
        reason=Reason.MISSING_SCOPE,
        detail=f"{tool.name} needs what this key does not have: {', '.join(missing)}.",
    )


def has_key(proposal: Proposal, tool: ToolRules, _situation: Situation) -> Refusal | None:
    """Refuse a call that changes something and could not be known again."""
    if proposal.idempotency_key is not None or not tool.needs_key:
        return None
    return Refusal(
        reason=Reason.MISSING_KEY,
        detail=f"{tool.name} changes something: send an idempotency_key of your own, and the same "
        "one when you try again.",
    )


def arguments_fit(proposal: Proposal, tool: ToolRules, _situation: Situation) -> Refusal | None:
    """Refuse arguments that the tool's schema does not accept, with all that is wrong."""
    faults = proposal.arguments.faults
    if not faults:
        return None
    count = len(faults)
    said = "one thing is" if count == 1 else f"{count} things are"
    return Refusal(
        reason=Reason.INVALID_ARGUMENTS,
        detail=f"The arguments do not fit {tool.name}: {said} wrong with them.",
        errors=faults,
    )


def circuit_closed(_proposal: Proposal, _tool: ToolRules, situation: Situation) -> Refusal | None:
    """Refuse what a circuit of the tool, its capability or the route stops."""
    opening = situation.gate.stopped_by
    if opening is None:
        return None
    return Refusal(reason=Reason.CIRCUIT_OPEN, detail=opening.told(now=situation.now))


def budget_left(_proposal: Proposal, _tool: ToolRules, situation: Situation) -> Refusal | None:
    """Refuse where nothing is left to spend."""
    kind = situation.budget.exhausted(retry=situation.retry)
    if kind is None:
        return None
    return Refusal(reason=Reason.BUDGET_EXHAUSTED, detail=situation.budget.told(kind))


def approval_not_refused(
    _proposal: Proposal, tool: ToolRules, situation: Situation
) -> Refusal | None:
    """Refuse what a person refused, and an approval that is none for this call."""
    approval = situation.approval
    if not _asks(tool, situation) or approval is None:
        return None
    details = {
        ApprovalState.REFUSED: "A person refused this call"
        + (f": {approval.reason}" if approval.reason else "."),
        ApprovalState.FOREIGN: "This approval is not for this call: it holds for one run, one tool "
        "and exactly its arguments.",
    }
    if approval.named:
        details[ApprovalState.USED] = "This approval was used: it lets one call pass."
    detail = details.get(approval.state)
    return Refusal(reason=Reason.APPROVAL_REFUSED, detail=detail) if detail else None


def approval_not_expired(
    _proposal: Proposal, tool: ToolRules, situation: Situation
) -> Refusal | None:
    """Refuse an approval that came too late; without one named, a new one is asked for."""
    approval = situation.approval
    if not _asks(tool, situation) or approval is None or not approval.named:
        return None
    if approval.state is not ApprovalState.EXPIRED:
        return None
    return Refusal(
        reason=Reason.APPROVAL_EXPIRED,
        detail="This approval has expired. Propose the call without it to ask for another.",
    )


def approval_there(_proposal: Proposal, tool: ToolRules, situation: Situation) -> Refusal | None:
    """Ask a person where the tool needs one, and none has said yes to just this call yet."""
    approval = situation.approval
    if not _asks(tool, situation):
        return None
    if approval is not None and approval.state is ApprovalState.APPROVED:
        return None
    return Refusal(
        reason=Reason.NEEDS_APPROVAL,
        detail=f"{tool.name} needs a person's approval. Propose the same call again once it is "
        "there.",
    )


def _asks(tool: ToolRules, situation: Situation) -> bool:
    """Tell whether a person is to be asked: once a call, not once an attempt."""
    return tool.needs_approval and not situation.retry


CHECKS: tuple[Check, ...] = (
    tool_on_route,
    tool_offered,
    has_scopes,
    has_key,
    arguments_fit,
    circuit_closed,
    budget_left,
    approval_not_refused,
    approval_not_expired,
    approval_there,
)
