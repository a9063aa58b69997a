"""Take a document of tools in, keep it while somebody looks at what it would do, and let it go."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.views.decorators.debug import sensitive_variables

from catalog.importing import Choices, Preview, preview_import
from catalog.models import Catalog, PendingImport
from catalog.reading import READABLE, Reading, Remark, read
from dashboard.forms.imports import SERVER
from routing.sources import Fetched, fetch_document

KEPT_FOR = timedelta(days=1)
MOST_OF_ONE = 5


class Unreadable(Exception):
    """Nothing of a document could be read; ``faults`` say why."""

    def __init__(self, faults: tuple[Remark, ...]) -> None:
        super().__init__("; ".join(fault.message for fault in faults))
        self.faults = faults


@sensitive_variables()
def take_in(
    *, catalog: Catalog, by: User, asked: Mapping[str, Any], now: datetime
) -> PendingImport:
    """Keep the document that a valid ``ImportForm`` asks for, until it is looked at.

    Raises ``SourceFailed`` where nothing came from an address, ``Unreadable`` where what came is no
    document of tools. A person has five documents of a catalog waiting at most.
    """
    got = _content(asked)
    reading = read(got.content, format_name=asked["format_name"] or got.format_name)
    if reading.faults:
        raise Unreadable(reading.faults)
    make_room(waiting_in(catalog).filter(by=by), now=now)
    return PendingImport.objects.create(
        catalog=catalog,
        by=by,
        source=asked["source"],
        format_name=asked["format_name"] or got.format_name or "",
        group=asked["group"],
        content=got.content,
        created_at=now,
    )


def waiting_in(catalog: Catalog) -> "QuerySet[PendingImport]":
    """Return the documents of tools that wait; whole versions wait in the same table."""
    return PendingImport.objects.filter(catalog=catalog, format_name__in=("", *READABLE))


def make_room(own: "QuerySet[PendingImport]", *, now: datetime) -> None:
    """Let go of what waits too long, and of the oldest of a person's where they have many."""
    PendingImport.objects.filter(created_at__lt=now - KEPT_FOR).delete()
    own.filter(pk__in=list(own.values_list("pk", flat=True)[MOST_OF_ONE - 1 :])).delete()


def reading_of(pending: PendingImport) -> Reading:
    """Return what a waiting document holds."""
    return read(bytes(pending.content), format_name=pending.format_name or None)


def preview_of(pending: PendingImport) -> Preview:
    """Return what importing a waiting document would do now."""
    return preview_import(
        catalog=pending.catalog, reading=reading_of(pending), source=pending.source
    )


def choices_of(sent: Mapping[str, Any], *, group: str) -> Choices:
    """Return what a person ticked on the page of a preview; ``sent`` is a ``QueryDict``."""
    many: Any = sent
    take = (value.partition(" ")[::2] for value in many.getlist("take"))
    return Choices(
        take={(key, field) for key, field in take},
        take_all="take_all" in sent,
        remove=set(many.getlist("remove")),
        remove_all="remove_all" in sent,
        bring_back=set(many.getlist("bring_back")),
        bring_all_back="bring_all_back" in sent,
        leave=set(many.getlist("leave")),
        group=group,
    )


@sensitive_variables()
def _content(asked: Mapping[str, Any]) -> Fetched:
    if asked["text"].strip():
        # Halves of characters cannot be kept; they are told of where the text is read.
        return Fetched(asked["text"].encode("utf-8", "surrogatepass"), asked["source"])
    if asked["file"]:
        return Fetched(asked["file"].read(), asked["source"])
    if asked["at"] == SERVER:
        from routing.sources.mcp_http import fetch_mcp_tools  # noqa: PLC0415 - a second to load

        return fetch_mcp_tools(url=asked["url"], header=asked["header"])
    return fetch_document(url=asked["url"], header=asked["header"])
