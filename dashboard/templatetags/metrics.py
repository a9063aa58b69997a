"""Filters that write shares and their intervals in the reader's notation."""

from django import template
from django.utils.formats import number_format
from django.utils.translation import gettext

from dashboard.metrics.shares import Share

register = template.Library()


@register.filter
def share_words(share: float | None) -> str:
    """Return a share of 1 as per cent; with a decimal where it is small."""
    if share is None:
        return "\u2013"
    return gettext("%(number)s %%") % {"number": _percent(share)}


@register.filter
def interval_words(share: Share) -> str:
    """Return the 95 % interval of a share, as "28 to 41 %"."""
    low, high = share.interval
    return gettext("%(low)s to %(high)s %%") % {"low": _percent(low), "high": _percent(high)}


def _percent(share: float) -> str:
    decimals = 1 if 0 < share < 0.0995 else 0
    return str(number_format(round(100 * share, decimals), decimals, use_l10n=True))
