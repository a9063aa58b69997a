"""The sample catalogs, published once for all tests of a file."""

from collections.abc import Iterator

import pytest
from django.db import transaction
from pytest_django.plugin import DjangoDbBlocker

from catalog.samples import SAMPLES
from tests.samples import published


@pytest.fixture(scope="module")
def samples_once(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Publish the samples; each test of the file starts with them, and with nothing else."""
    with django_db_blocker.unblock(), transaction.atomic():
        for name in SAMPLES:
            published(name)
        yield
        transaction.set_rollback(True)
