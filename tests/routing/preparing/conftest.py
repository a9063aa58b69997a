"""A draft that is too big to be published at once, with an endpoint of vectors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from catalog.models import Catalog
from routing import preparing, vectors
from tests.drafts import draft_of
from tests.routing.encoding.servers import Embeddings, embeddings


@pytest.fixture
def endpoint(settings: Any) -> Iterator[Embeddings]:
    with embeddings(settings) as (stand_in, _server):
        yield stand_in


@pytest.fixture
def catalog(endpoint: Embeddings, monkeypatch: pytest.MonkeyPatch) -> Catalog:
    """Return a draft that is too big to be published at once, in several batches."""
    monkeypatch.setattr(preparing, "MOST_OF_AN_ENDPOINT", 10)
    monkeypatch.setattr(vectors, "BATCH", 16)
    return draft_of("dev-agent")
