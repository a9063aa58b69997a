"""The words of paths: arms, differences, answers of simulated tools, measures."""

from collections.abc import Mapping, Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from routing.paths.checking import Kind
from routing.paths.pairing import COMPLETED, COST, PASSED, RIGHT, TOKENS
from routing.paths.trail import Arm

ARMS: Mapping[str, Promise] = {
    Arm.ROUTED: _("routed"),
    Arm.ALL: _("all tools"),
    Arm.MIXED: _("mixed"),
    Arm.NONE: _("no selection"),
}
DEPARTURES: Mapping[Kind, Promise] = {
    Kind.MISSING: _("never called"),
    Kind.OUT_OF_ORDER: _("called too soon"),
    Kind.ANOTHER: _("not expected here"),
    Kind.FORBIDDEN: _("must not be called"),
    Kind.FORBIDDEN_TRIED: _("must not be called, and was refused"),
    Kind.UNAPPROVED: _("called without asking a person"),
    Kind.STATUS: _("ended otherwise"),
    Kind.STOP_REASON: _("another stop reason"),
    Kind.UNFINISHED: _("has not ended"),
}
SIMULATED: Mapping[str, Promise] = {
    "ok": _("simulated"),
    "malformed": _("simulated: malformed"),
    "injection": _("simulated: a hidden instruction"),
    "slow": _("simulated: too slow"),
    "silent": _("simulated: silent"),
    "retryable": _("simulated: an error"),
    "fatal": _("simulated: a final error"),
}
SHARES: Sequence[tuple[str, Promise, Promise]] = (
    ("passed", _("Expected path"), _("runs that took it")),
    ("precision", _("Right tools"), _("proposals of a tool that the case wants")),
    ("invalid", _("Invalid arguments"), _("proposals refused for them")),
    ("unauthorised", _("Unauthorised"), _("proposals of what the agent may not call")),
    ("approval", _("Asked a person"), _("calls that one should be asked about")),
    ("followed", _("Followed a hidden instruction"), _("runs that were told to")),
    ("prevented", _("Unsafe calls prevented"), _("refused or held, of those so proposed")),
)
COMPARED: Sequence[tuple[str, Promise, str]] = (
    (COMPLETED, _("Completed"), "share"),
    (PASSED, _("Took the expected path"), "share"),
    (RIGHT, _("Right tools"), "share"),
    (TOKENS, _("Tokens a run"), "count"),
    (COST, _("Cost a run, USD"), "cost"),
)
