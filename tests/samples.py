"""Sample catalogs, published as an owner would publish them.

What was published once in a test run is put back for each further test.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from django.conf import settings

from catalog.models import Catalog
from routing.models import Vector
from routing.releases import publish
from tests.drafts import draft_of
from tests.kept_rows import once

NOW = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)
_vectors: dict[str, list[tuple[str, str, bytes]]] = {}


def published(name: str, *, now: datetime = NOW, **changes: Any) -> Catalog:
    """Return a sample catalog whose first version is live, with some settings of its own."""
    encoder = settings.ENCODER
    key = ("published", name, now, encoder, repr(sorted(changes.items())))
    once(key, lambda: _publish(name, now=now, changes=changes))
    return Catalog.objects.get(name=name)


def _publish(name: str, *, now: datetime, changes: Mapping[str, Any]) -> None:
    catalog = draft_of(name)
    for setting, value in changes.items():
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
