"""Why a tool is served or not, laid out for reading."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from dashboard.words import WHY, WHY_NOT
from routing.selection import Why
from routing.selection.whynot import Account


@dataclass(frozen=True, slots=True)
class AccountShown:
    """An account with its verdict in words."""

    account: Account
    verdict: Promise


def show_account(account: Account) -> AccountShown:
    """Return an account as the page shows it."""
    reason = account.reason
    return AccountShown(account, WHY[reason] if isinstance(reason, Why) else WHY_NOT[reason])


def no_such_tool(similar: Sequence[str]) -> str:
    """Return what is said to a name that no tool has, with names that are written nearly so."""
    if not similar:
        return _("This version has no such tool.")
    return _("This version has no such tool. Did you mean one of: %(names)s?") % {
        "names": ", ".join(similar)
    }
