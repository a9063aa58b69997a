"""What a process keeps of a release."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalog.models import Catalog
from routing.compiled import compile_labelled_releases, compiled_release
from routing.models import Release

pytestmark = pytest.mark.django_db


def test_a_release_is_compiled_once(dev_agent: Catalog) -> None:
    pk = Release.objects.get().pk
    first = compiled_release(pk)
    with CaptureQueriesContext(connection) as queries:
        assert compiled_release(pk) is first

    assert len(queries) == 0


def test_live_releases_are_ready_before_anybody_asks(dev_agent: Catalog, refunds: Catalog) -> None:
    Catalog.objects.create(name="unpublished", title="")
    assert compile_labelled_releases() == 2
    with CaptureQueriesContext(connection) as queries:
        assert compile_labelled_releases() == 2

    assert len(queries) == 1
