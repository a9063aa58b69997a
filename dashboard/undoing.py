"""Undo in the message that follows an edit: which operation it is of travels with the message."""

import uuid
from collections.abc import Iterable, Sequence

from django.contrib.messages import SUCCESS, get_messages
from django.contrib.messages.storage.base import Message
from django.http import HttpRequest
from django.urls import reverse

from catalog.access import Action
from catalog.models import AuditEntry, Catalog
from catalog.models.catalog import TEXT_POLICY
from catalog.recording import Operation, undoable

_MARK = "undo"
_RESERVED = frozenset({*TEXT_POLICY, "archived"})
LISTS = {
    "tools": "catalog:tools",
    "groups": "catalog:groups",
    "phases": "catalog:phases",
    "routes": "catalog:routes",
    "settings": "catalog:settings",
}


def offer_undo(request: HttpRequest, done: Sequence[Operation]) -> None:
    """Mark the last message of success that waits to be shown with the last operation."""
    last = next((one for one in reversed(done) if undoable(one.entries)), None)
    if last is None:
        return
    # Django has no public way to the messages that this request has added.
    queued: list[Message] = getattr(get_messages(request), "_queued_messages", [])
    told = [message for message in queued if message.level == SUCCESS]
    if told and not told[-1].extra_tags:
        told[-1].extra_tags = f"{_MARK}:{last.catalog.name}:{last.id}"


def undo_url(message: Message) -> str:
    """Return where that is undone which a message tells of; empty where it tells of nothing."""
    mark, _colon, said = str(message.extra_tags or "").partition(":")
    catalog, _colon, operation = said.partition(":")
    if mark != _MARK or not operation:
        return ""
    return reverse("dashboard:undo", kwargs={"catalog": catalog, "operation": uuid.UUID(operation)})


def action_to_undo(entries: Iterable[AuditEntry]) -> Action:
    """Return what a person must be allowed to do to take these entries back."""
    for entry in entries:
        if entry.kind == "settings" and _RESERVED & (entry.after or {}).keys():
            return Action.KEEP_TEXT
    return Action.EDIT


def lost_page(catalog: Catalog, entries: Iterable[AuditEntry]) -> str:
    """Return a list to go to where undoing took away or renamed what a page may be of."""
    for entry in entries:
        if entry.after is None or "name" in (entry.before or {}):
            return _list_of(catalog, entry.kind)
    return ""


def _list_of(catalog: Catalog, kind: str) -> str:
    if kind in LISTS:
        return reverse(LISTS[kind], kwargs={"catalog": catalog.name})
    rules = reverse("catalog:rules", kwargs={"catalog": catalog.name})
    return f"{rules}?kind={kind.removesuffix('_rules')}"
