"""What goes with a catalog that is deleted, and what stays."""

from dataclasses import dataclass

from catalog.models import AuditEntry, Catalog
from routing.models import ApiKey, Run


@dataclass(frozen=True, slots=True)
class WhatGoes:
    """What goes with a catalog; ``keys`` and ``entries`` stay, ``own_keys`` without any use."""

    tools: int
    versions: int
    runs: int
    members: int
    keys: int
    own_keys: int
    entries: int


def what_goes(catalog: Catalog) -> WhatGoes:
    """Count what deleting a catalog takes away, and what it leaves."""
    keys = ApiKey.objects.filter(catalogs=catalog, revoked_at=None)
    elsewhere = ApiKey.catalogs.through.objects.exclude(catalog=catalog).values("apikey")
    return WhatGoes(
        tools=catalog.tools.count(),
        versions=catalog.versions.count(),
        runs=Run.objects.filter(catalog=catalog).count(),
        members=catalog.memberships.count(),
        keys=keys.count(),
        own_keys=keys.exclude(pk__in=elsewhere).count(),
        entries=AuditEntry.objects.filter(catalog=catalog).count(),
    )
