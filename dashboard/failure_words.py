"""Why a message was not taken, in the words of the reader; what is kept of it is English."""

import re
from collections.abc import Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from dashboard.alerts.sending import BROKEN_OFF, NO_MAIL, OVERTAKEN

_NOT_PUBLIC = r"is not a public address\. OUTGOING_ALLOWED can name it if it is meant\."
_SENTENCES: Sequence[tuple[str, Promise]] = (
    (re.escape(OVERTAKEN), _("A newer message says how it stands.")),
    (re.escape(BROKEN_OFF), _("Every try broke off.")),
    (re.escape(NO_MAIL), _("E-mail is not set up: EMAIL_URL is empty.")),
    (r"The address answered (?P<status>\d+)\.", _("The address answered %(status)s.")),
    (
        rf"(?P<host>\S+) is (?P<address>\S+), which {_NOT_PUBLIC}",
        _("%(host)s is %(address)s, which is no public address. OUTGOING_ALLOWED can name it."),
    ),
    (
        rf"(?P<host>\S+) {_NOT_PUBLIC}",
        _("%(host)s is no public address. OUTGOING_ALLOWED can name it."),
    ),
    (
        r"(?P<host>\S+) (does not resolve: .*|has no address\.)",
        _("%(host)s cannot be found: its name has no address."),
    ),
    (r"The answer is longer than (?P<size>[\d,]+) bytes\.", _("The answer is too long.")),
    (
        r".*timed out|The request took longer than it may in all\.|\S+ was not resolved in time\.",
        _("It took too long."),
    ),
    (r".*Connection refused", _("Nothing listens there: the connection was refused.")),
    (
        r".*Connection reset by peer|Server disconnected without sending a response\.",
        _("The connection was broken off."),
    ),
    (r"\[SSL: (?P<fault>\w+).*", _("The encrypted connection failed: %(fault)s.")),
)


def failure_told(error: str) -> str:
    """Return why a message was not taken; what only a system or a library says is left as it is."""
    for pattern, sentence in _SENTENCES:
        if found := re.fullmatch(pattern, error, re.DOTALL):
            return str(sentence) % found.groupdict()
    return error
