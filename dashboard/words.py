"""Words for what the selection and the diff name by codes."""

from django.utils.translation import gettext_lazy as _

from routing.selection import ConfidenceSource, Fallback, Why, WhyNot

SECTIONS = {
    "settings": _("Settings"),
    "tools": _("Tool"),
    "groups": _("Group"),
    "phases": _("Phase"),
    "keyword_rules": _("Keyword rule"),
    "intent_rules": _("Intent rule"),
    "channel_rules": _("Channel rule"),
    "routes": _("Route"),
}

WHY = {
    Why.RULE: _("a rule names it"),
    Why.KEYWORD: _("a keyword rule adds it"),
    Why.PHASE: _("the phase offers it"),
    Why.LEXICAL: _("its words fit the task"),
    Why.SEMANTIC: _("its meaning fits the task"),
    Why.CLASSIFIER: _("the classifier chose it"),
    Why.MODEL: _("the model chose it"),
    Why.GROUP: _("its group was opened"),
    Why.OPEN_GROUP: _("its group was asked for"),
    Why.DEFAULT: _("a default tool"),
    Why.ALWAYS_ON: _("always on"),
    Why.ALL: _("everything is served"),
}

WHY_NOT = {
    WhyNot.BELOW_CUT: _("did not fit well enough"),
    WhyNot.OVER_CAP: _("over the cap"),
    WhyNot.BELOW_THRESHOLD: _("proposed, but under the threshold"),
    WhyNot.ROUTE: _("not allowed on the route"),
    WhyNot.DISABLED: _("disabled"),
    WhyNot.CIRCUIT_OPEN: _("switched off"),
    WhyNot.NOT_IN_PHASE: _("not in the phase"),
    WhyNot.REMOVED_BY_RULE: _("removed by a rule"),
}

FALLBACKS = {
    Fallback.LOW_CONFIDENCE: _(
        "The confidence is under the threshold, so the default tools are served. The agent can "
        "still ask for a group."
    ),
    Fallback.NO_MATCH: _(
        "Nothing in the catalog fits the task, so the strategy's fallback tools are served: the "
        "phase's for “keyword”, else the default tools."
    ),
    Fallback.STRATEGY_FAILED: _("The strategy asked for could not answer, so “auto” did."),
    Fallback.NOTHING_AVAILABLE: _(
        "Every tool that could be chosen is switched off or not allowed here: only always-on "
        "tools are left."
    ),
}

CONFIDENCE_SOURCES = {
    ConfidenceSource.FITTED: _("fitted to this catalog's own traffic"),
    ConfidenceSource.SHIPPED: _("the shipped mapping, not yet fitted to this catalog"),
    ConfidenceSource.ASSUMED: _("assumed: meaning was not weighed, so nothing was estimated"),
}

# Why a call was refused, by the contract's words.
REFUSALS = {
    "tool_unknown": _("no such tool"),
    "tool_not_allowed_on_route": _("not allowed on the route"),
    "tool_not_offered": _("not offered"),
    "missing_scope": _("a scope is missing"),
    "missing_idempotency_key": _("no idempotency key"),
    "invalid_arguments": _("arguments do not fit"),
    "circuit_open": _("circuit open"),
    "budget_exhausted": _("budget spent"),
    "approval_refused": _("a person refused"),
    "approval_expired": _("approval expired"),
}
