"""What the audit log says is neither rewritten nor lost with what it speaks of."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from catalog.models import AuditEntry
from tests.drafts import empty_catalog

pytestmark = pytest.mark.django_db


def entry() -> AuditEntry:
    catalog, user = empty_catalog(), User.objects.create_user("eva")
    return AuditEntry.objects.create(
        catalog=catalog,
        catalog_name=catalog.name,
        at=timezone.now(),
        by=user,
        by_name="eva",
        via="page",
        action="edit",
        kind="tools",
        subject="find_payment",
        after={"name": "find_payment"},
    )


@pytest.mark.parametrize(
    "rewrite",
    [
        lambda rows: rows.update(by_name="adam"),
        lambda rows: rows.update(after=None),
        lambda rows: rows.update(at=timezone.now()),
        lambda rows: rows.update(by=User.objects.create_user("adam")),
        lambda rows: rows.update(catalog=empty_catalog("another")),
        lambda rows: rows.get().save(),
    ],
)
def test_an_entry_cannot_be_rewritten(rewrite: Callable[[QuerySet[AuditEntry]], object]) -> None:
    rows = AuditEntry.objects.filter(pk=entry().pk)

    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        rewrite(rows)


def test_an_entry_outlives_the_catalog_and_the_person() -> None:
    row = entry()
    assert row.catalog is not None
    assert row.by is not None

    row.catalog.delete()
    row.by.delete()

    kept = AuditEntry.objects.get(pk=row.pk, catalog=None, by=None)
    assert (kept.catalog_name, kept.by_name) == ("empty", "eva")
