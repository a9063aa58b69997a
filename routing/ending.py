"""End a catalog: archive it, bring it back, or delete it with all that was recorded of it."""

from collections.abc import Callable
from datetime import datetime

from django.db import transaction

from catalog.models import Catalog
from catalog.recording import note_deed, recorded
from routing.models import Run

# Runs that go at a time: each batch is a short transaction, so that agents wait for none of them.
RUNS_AT_ONCE = 200
MOST_RUNS_AT_ONCE = 2_000
"""Runs of a catalog that a page deletes itself; the worker deletes more than that."""


def archive(*, catalog: Catalog, now: datetime, note: str = "") -> None:
    """Take a catalog out of use: for agents and on pages it is not there, and nothing is lost."""
    _set_archived(catalog, archived=True, action="archive", note=note, now=now)


def unarchive(*, catalog: Catalog, now: datetime) -> None:
    """Bring an archived catalog back as it was."""
    _set_archived(catalog, archived=False, action="unarchive", note="", now=now)


def _set_archived(
    catalog: Catalog, *, archived: bool, action: str, note: str, now: datetime
) -> None:
    with recorded(catalog=catalog, action=action, note=note, now=now):
        catalog.archived = archived
        catalog.save(update_fields=["archived"])


def can_delete_at_once(catalog: Catalog) -> bool:
    """Tell whether so little was recorded of a catalog that a page may delete it."""
    return Run.objects.filter(catalog=catalog)[: MOST_RUNS_AT_ONCE + 1].count() <= MOST_RUNS_AT_ONCE


def note_deletion(*, catalog: Catalog, now: datetime) -> None:
    """Take a catalog out of use for good, and say in the audit log who did so.

    The entry outlives the catalog, as all of its entries do.
    """
    with transaction.atomic():
        if not catalog.archived:
            archive(catalog=catalog, now=now)
        note_deed(
            catalog=catalog,
            action="delete",
            kind="catalog",
            subject=catalog.name,
            before={"title": catalog.title, "versions": catalog.versions.count()},
            now=now,
        )


def delete_catalog(*, catalog: Catalog, stopping: Callable[[], bool] = lambda: False) -> bool:
    """Delete an archived catalog with its versions, runs, spans and members; tell whether it did.

    Keys stay, without it; audit entries stay. It goes in many short transactions, and goes on where
    it was left. It stops where ``stopping`` comes true or somebody brings the catalog back.
    """
    while not stopping() and Catalog.objects.filter(pk=catalog.pk, archived=True).exists():
        runs = Run.objects.filter(catalog=catalog).order_by("pk")
        batch = list(runs.values_list("pk", flat=True)[:RUNS_AT_ONCE])
        if not batch:
            with transaction.atomic():
                Catalog.objects.get(pk=catalog.pk).delete()
            return True
        Run.objects.filter(pk__in=batch).delete()
    return False
