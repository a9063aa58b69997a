"""Words for what decisions, results and approvals name by codes."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from catalog.models import Tool
from routing.models import Run, ToolCall
from routing.models.run import API, BATCH, CASE, SIMULATED
from routing.policy.types import ApprovalState, Reason, Verdict

EFFECTS: Mapping[str, Promise | str] = {effect.value: effect.label for effect in Tool.SideEffect}

DECISIONS: Mapping[str, Promise] = {
    Verdict.ALLOWED: _("allowed"),
    Verdict.REFUSED: _("refused"),
    Verdict.NEEDS_APPROVAL: _("needs approval"),
}

STATES: Mapping[str, Promise] = {
    ApprovalState.PENDING: _("waiting"),
    ApprovalState.APPROVED: _("approved, not used yet"),
    ApprovalState.REFUSED: _("refused"),
    ApprovalState.EXPIRED: _("expired"),
    ApprovalState.USED: _("approved and used"),
}

STATUSES: Mapping[str, Promise | str] = {status.value: status.label for status in ToolCall.Status}

OUTCOMES: Mapping[str, Promise | str] = {outcome.value: outcome.label for outcome in Run.Outcome}

SOURCES: Mapping[str, Promise] = {
    API: _("asked over the API"),
    BATCH: _("told afterwards"),
    SIMULATED: _("simulated"),
    CASE: _("tries out a case"),
}

# What each check of a decision asks, in the words of whoever asks it.
CHECKS: Mapping[Reason, Promise] = {
    Reason.TOOL_UNKNOWN: _("The version has the tool"),
    Reason.NOT_ON_ROUTE: _("The route allows it"),
    Reason.NOT_OFFERED: _("It was offered, and is enabled"),
    Reason.MISSING_SCOPE: _("The key has its scopes"),
    Reason.MISSING_KEY: _("An idempotency key comes with it, where it changes something"),
    Reason.INVALID_ARGUMENTS: _("The arguments fit its schema"),
    Reason.CIRCUIT_OPEN: _("No circuit stops it"),
    Reason.BUDGET_EXHAUSTED: _("The budget is not spent"),
    Reason.APPROVAL_REFUSED: _("Nobody refused it"),
    Reason.APPROVAL_EXPIRED: _("Its approval has not expired"),
    Reason.NEEDS_APPROVAL: _("A person approved it, where it needs that"),
}
