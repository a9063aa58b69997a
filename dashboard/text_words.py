"""What is kept of text, in words: kinds that are redacted, and what is wrong with a pattern."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from routing.redaction import READY, Fault, Redactions

KINDS: Mapping[str, Promise] = {
    "email": gettext_lazy("E-mail addresses"),
    "phone": gettext_lazy("Phone numbers"),
    "card": gettext_lazy("Payment card numbers, by their check digit"),
    "iban": gettext_lazy("Bank accounts (IBAN), by their check digits"),
    "ip": gettext_lazy("IP addresses"),
    "secret": gettext_lazy("Secrets: keys, tokens, passwords, long hexadecimal numbers"),
}
_FAULTS: Mapping[str, Promise] = {
    "shape": gettext_lazy("write a name in brackets, a space and the pattern."),
    "name_length": gettext_lazy("the name in brackets has 1 to %(most)s characters."),
    "length": gettext_lazy("the pattern has %(count)s characters, and %(most)s are the most."),
    "empty": gettext_lazy("the pattern also finds nothing at all, so it would be everywhere."),
    "itself": gettext_lazy("the pattern finds its own name, %(name)s."),
    "too_many": gettext_lazy("There are %(count)s patterns, and %(most)s are the most."),
}


def fault_told(fault: Fault) -> str:
    """Return what is wrong with an owner's patterns, with its place."""
    params = fault.params
    if fault.code == "too_many":
        return str(_FAULTS["too_many"]) % params
    if fault.code != "pattern":
        said = str(_FAULTS[fault.code]) % params
    elif params["at"]:
        said = _("%(reason)s, at character %(at)s of the pattern: %(part)s") % params
    else:
        said = _("the pattern cannot be used: %(reason)s") % params
    return _("Line %(line)s: %(said)s") % {"line": fault.line, "said": said}


def redactions_told(redactions: str) -> list[str]:
    """Return what a catalog has redacted, one thing a line."""
    setting = Redactions.parse(redactions)
    ready = [f"{KINDS[kind]} → {READY[kind].name}" for kind in setting.ready]
    return ready + [f"{line.pattern} → {line.name}" for line in setting.own]
