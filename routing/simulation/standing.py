"""The keys of the simulated agents: one a catalog and seed, and nobody holds their secrets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from catalog.models import Catalog
from routing.keys import make_key
from routing.models import ApiKey

_ACTIONS = (ApiKey.Action.SELECT, ApiKey.Action.PROPOSE, ApiKey.Action.TEST)
_WITHHELD = frozenset({"stock:adjust"})
"""Scopes that no agent has: the books are set right by people."""


def agents_keys(
    *, catalogs: Iterable[Catalog], seed: int, start: datetime
) -> tuple[Mapping[str, ApiKey], datetime]:
    """Return the agents' keys by catalog, made where there are none, and when the month begins.

    A key is as old as its month, so that a simulation which was begun keeps its beginning; a new
    one begins at ``start``. The secret of a key that is made here is thrown away: no request can
    bring it. One of a simulation from before agents made calls is given its scopes now.
    """
    named = {catalog.name: (catalog, _name(catalog.name, seed)) for catalog in catalogs}
    there = {
        key.name: key
        for key in ApiKey.objects.filter(
            name__in=[name for _, name in named.values()], all_catalogs=False
        )
    }
    start = min((key.created_at for key in there.values()), default=start)
    keys = {}
    for catalog_name, (catalog, name) in named.items():
        scopes, key = _scopes_of(catalog), there.get(name)
        if key is None:
            made = make_key(
                name=name, now=start, catalogs=[catalog], actions=_ACTIONS, scopes=scopes
            )
            key = made.key
        elif scopes and not key.scopes:
            key.scopes = scopes
            key.save(update_fields=["scopes"])
        keys[catalog_name] = key
    return keys, start


def _scopes_of(catalog: Catalog) -> list[str]:
    asked = catalog.tools.values_list("scopes", flat=True)
    return sorted({scope for scopes in asked for scope in scopes} - _WITHHELD)


def _name(catalog: str, seed: int) -> str:
    return f"simulated agents of {catalog}, seed {seed}"
