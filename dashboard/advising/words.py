"""Advice in words: what was found, with its numbers, and what the button would change."""

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.advising.changes import Join
from dashboard.advising.pieces import Piece
from dashboard.metrics.findings import AskedOften, Finding, MostlyAdded
from dashboard.metrics.shares import Share


def found_words(finding: Finding) -> str:
    """Return what was found, with the number of cases and the 95 % interval of the share."""
    numbers = _numbers(finding.share)
    if isinstance(finding, AskedOften):
        return _(
            "%(asked)s was asked for in %(share)s %% of the runs that began with %(origin)s "
            "(n = %(n)s, 95 %% interval %(low)s to %(high)s %%)."
        ) % {**numbers, "asked": finding.asked, "origin": finding.origin}
    if isinstance(finding, MostlyAdded):
        return _(
            "%(share)s %% of the calls of %(tool)s were possible only after request_group "
            "(n = %(n)s, 95 %% interval %(low)s to %(high)s %%)."
        ) % {**numbers, "tool": finding.tool}
    return _(
        "%(tool)s was offered %(n)s times and never called: it is needed in %(high)s %% of them "
        "at most (95 %% interval)."
    ) % {**numbers, "tool": finding.tool}


def change_words(piece: Piece) -> str:
    """Return what the change does, or what is left to a person."""
    change = piece.change
    if change is None:
        return _by_hand(piece)
    if isinstance(change, Join):
        words = ngettext(
            "Put %(tools)s into %(group)s, so that it is served at once, with a cap of %(cap)s.",
            "Put %(tools)s into %(group)s, so that they are served at once, with a cap of %(cap)s.",
            len(change.tools),
        ) % {"tools": ", ".join(change.tools), "group": change.group, "cap": change.cap}
        return f"{words} {_served(piece)}".strip()
    return _(
        "Switch %(tool)s off in the draft: it costs tokens and distracts. It stays in the catalog."
    ) % {"tool": change.tool}


def _served(piece: Piece) -> str:
    if not piece.looked_at:
        return ""
    return _(
        "That would have answered %(served)s of the last %(all)s such requests at the start."
    ) % {"served": _whole(piece.served), "all": _whole(piece.looked_at)}


def _by_hand(piece: Piece) -> str:
    if isinstance(piece.finding, MostlyAdded) and not piece.origin:
        return _(
            "Mostly nothing had been chosen before: give its group example tasks in the words of "
            "those who ask."
        )
    return _("What to change is not clear from the counts alone: look at the runs.")


def _numbers(share: Share) -> dict[str, str]:
    return {
        "share": _percent(share.value or 0.0),
        "n": _whole(share.whole),
        "low": _percent(share.low),
        "high": _percent(share.high),
    }


def _percent(share: float) -> str:
    decimals = 1 if 0 < share < 0.0995 else 0
    return str(number_format(round(100 * share, decimals), decimals, use_l10n=True))


def _whole(value: int) -> str:
    return str(number_format(value, use_l10n=True, force_grouping=True))
