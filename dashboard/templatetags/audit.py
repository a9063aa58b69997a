"""Filters of the audit log, and of the button that takes an edit back."""

from django import template
from django.contrib.messages.storage.base import Message

from catalog.diff import Change
from catalog.models import AuditEntry
from dashboard import audit_changes, audit_words, undoing

register = template.Library()


@register.filter
def undo_url(message: Message) -> str:
    """Return where that is undone which a message tells of; empty where it tells of nothing."""
    return undoing.undo_url(message)


@register.filter
def action_words(code: str) -> str:
    """Return what was done; a code that has no words stays as it is."""
    return str(audit_words.ACTIONS.get(code, code))


@register.filter
def kind_words(code: str) -> str:
    """Return what kind of thing it was done to."""
    return str(audit_words.KINDS.get(code, code))


@register.filter
def changes(entry: AuditEntry) -> list[Change]:
    """Return what an entry says, change by change."""
    return audit_changes.changes_of(entry)
