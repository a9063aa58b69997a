"""What is kept of published documents is what would be worked out anew."""

from unittest.mock import patch

import pytest

from catalog import documents
from catalog.diff import changes_between
from catalog.documents import changes_since, document_of
from catalog.models import CatalogVersion
from catalog.publishing import freeze_and_check
from tests.samples import published

pytestmark = pytest.mark.django_db


def test_differences_are_worked_out_once_and_for_the_content_alone() -> None:
    catalog = published("back-office")
    version = catalog.versions.get()
    assert changes_since(version, freeze_and_check(catalog)) == ()

    catalog.tools.filter(name="find_payment").update(title="Seek payments")
    draft = freeze_and_check(catalog)
    found = changes_since(version, draft)
    assert list(found) == changes_between(version.parsed(), draft.value)
    with patch.object(documents, "changes_between", side_effect=AssertionError):
        assert changes_since(version, freeze_and_check(catalog)) is found

    catalog.tools.filter(name="find_payment").update(title="Look for payments")
    assert changes_since(version, freeze_and_check(catalog)) != found
    assert len(changes_since(None, version)) > len(found)


def test_a_document_is_read_once_and_not_by_who_has_read_it() -> None:
    version = published("back-office").versions.get()
    value = document_of(version)
    assert value == version.parsed()

    again = CatalogVersion.objects.defer("document").get(pk=version.pk)
    assert document_of(again) is value
    assert "document" in again.get_deferred_fields()
