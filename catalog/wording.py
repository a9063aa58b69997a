"""Hints on how a group is described. A hint helps to write; it never keeps anything from saving."""

from django.utils.translation import gettext as _

from catalog.health.saying_when import says_when


def description_hint(description: str) -> str | None:
    """Return what would make a group's description better, or ``None`` where nothing would."""
    if not any(mark.isalnum() or mark == "_" for mark in description):
        return _(
            "Say when to use it. The router reads this line, and so does the agent that asks "
            "for another group: “Use to reconcile payments and settle bills.”"
        )
    if says_when(description):
        return None
    return _(
        "This says what the group holds. Begin with the task instead, with “Use to …” or a verb: "
        "“Use to issue, cancel or look up an invoice.”"
    )
