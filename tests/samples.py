"""Sample catalogs, published as an owner would publish them.

The encoder's vectors of a sample are made once a test run and put back for each test.
"""

from datetime import UTC, datetime
from typing import Any

from catalog.models import Catalog
from routing.models import Vector
from routing.releases import publish
from tests.drafts import draft_of

NOW = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)
_vectors: dict[str, list[tuple[str, str, bytes]]] = {}


def published(name: str, *, now: datetime = NOW, **settings: Any) -> Catalog:
    """Return a sample catalog whose first version is live, with some settings of its own."""
    catalog = draft_of(name)
    for setting, value in settings.items():
        setattr(catalog, setting, value)
    catalog.save()
    Vector.objects.bulk_create(
        (
            Vector(encoder=encoder, sha256=digest, values=values)
            for encoder, digest, values in _vectors.get(name, ())
        ),
        ignore_conflicts=True,
    )
    publish(catalog=catalog, author=None, now=now, note="First version", base=None)
    if name not in _vectors:
        rows = Vector.objects.values_list("encoder", "sha256", "values")
        _vectors[name] = [(encoder, digest, bytes(values)) for encoder, digest, values in rows]
    return catalog
