"""Published catalogs for the tests of pages."""

import pytest

from catalog.models import Catalog
from tests.samples import published


@pytest.fixture
def back_office(db: None) -> Catalog:
    """Return the back office with its first version live."""
    return published("back-office")


@pytest.fixture
def dev_agent(db: None) -> Catalog:
    """Return the developers' agent with its first version live."""
    return published("dev-agent")
