"""Make keys, find them, and know what they may reach."""

import hashlib
import secrets
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet

from catalog.models import Catalog
from catalog.recording import note_deed
from routing.models import ApiKey

_SECRET_BITS = 256
# A key's last use is written beside a span, and no oftener than this.
LAST_USED_STEP = timedelta(minutes=1)
# What a run may be allowed at most, by kind: more is no ceiling.
HIGHEST_CEILINGS = {"calls": 10**6, "tokens": 10**12, "cost": 10**9, "seconds": 10**9}
HIGHEST_RATE = 10**6
MOST_SCOPES, LONGEST_SCOPE = 100, 200


@dataclass(frozen=True, slots=True)
class MadeKey:
    """A new key; ``token`` is what its bearer sends, and is known only now."""

    key: ApiKey
    token: str


@transaction.atomic
def make_key(
    *,
    name: str,
    now: datetime,
    created_by: User | None = None,
    catalogs: Iterable[Catalog] | None = None,
    actions: Iterable[str] | None = None,
    routes: Iterable[str] = (),
    scopes: Iterable[str] = (),
    budget: Mapping[str, int | float] | None = None,
    rate_limit: int | None = None,
    expires_at: datetime | None = None,
) -> MadeKey:
    """Make a key: 256 random bits behind a readable prefix.

    ``None`` for catalogs or actions grants all there are, no route named every one. A scope has to
    be named, or ``policy.checks.EVERY_SCOPE``. ``budget`` are the ceilings of each of its runs, and
    ``rate_limit`` requests a minute.
    """
    token = f"tc_{secrets.token_hex(4)}_{secrets.token_urlsafe(_SECRET_BITS // 8)}"
    key = ApiKey.objects.create(
        name=name,
        prefix=token[:11],
        digest=digest_of(token),
        all_catalogs=catalogs is None,
        actions=list(ApiKey.Action.values if actions is None else actions),
        routes=list(routes),
        scopes=list(scopes),
        budget=dict(budget or {}),
        rate_limit=rate_limit,
        created_by=created_by,
        created_at=now,
        expires_at=expires_at,
    )
    if catalogs is not None:
        key.catalogs.set(catalogs)
    rights = {"actions": key.actions, "routes": key.routes, "scopes": key.scopes}
    _note(key, "key_made", by=created_by, now=now, after=rights)
    return MadeKey(key=key, token=token)


@transaction.atomic
def rotate_key(*, key: ApiKey) -> MadeKey:
    """Give a key a new secret with the same rights and runs; the old one ends at once."""
    token = f"tc_{secrets.token_hex(4)}_{secrets.token_urlsafe(_SECRET_BITS // 8)}"
    key.prefix, key.digest = token[:11], digest_of(token)
    key.save(update_fields=["prefix", "digest"])
    _note(key, "key_rotated")
    return MadeKey(key=key, token=token)


@transaction.atomic
def revoke_key(*, key: ApiKey, now: datetime) -> None:
    """End a key for good; what it did stays readable."""
    if ApiKey.objects.filter(pk=key.pk, revoked_at=None).update(revoked_at=now):
        _note(key, "key_revoked", now=now)


def _note(
    key: ApiKey,
    action: str,
    *,
    by: User | None = None,
    now: datetime | None = None,
    after: Mapping[str, object] | None = None,
) -> None:
    """Say in the audit log of each catalog that a key reaches what was done to the key."""
    operation = uuid.uuid4()
    for catalog in catalogs_of(key):
        note_deed(
            catalog=catalog,
            action=action,
            kind="keys",
            subject=key.name,
            after=after,
            by=by,
            operation=operation,
            now=now,
        )


def digest_of(token: str) -> str:
    """Return what is kept of a key. It is random, so that a plain SHA-256 cannot be guessed."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def find_key(*, token: str, now: datetime) -> ApiKey | None:
    """Return the usable key of a bearer."""
    return ApiKey.objects.usable(now=now).filter(digest=digest_of(token)).first()


def catalogs_of(key: ApiKey) -> QuerySet[Catalog]:
    """Return the catalogs that a key may reach; everything else does not exist for it."""
    catalogs = Catalog.objects.filter(archived=False)
    return catalogs if key.all_catalogs else catalogs.filter(api_keys=key)


def within_reach(*, key: int, everywhere: bool, catalog: str = "catalog") -> Q:
    """Return the condition that a catalog is in use and that a key may reach it.

    ``key`` is a primary key, ``everywhere`` tells whether the key is one of every catalog, and
    ``catalog`` is the way to the catalog from the rows that are asked for.
    """
    in_use = Q(**{f"{catalog}__archived": False})
    return in_use if everywhere else in_use & Q(**{f"{catalog}__api_keys": key})


def note_use(*, key: ApiKey, now: datetime) -> None:
    """Remember when a key was last used, to the minute."""
    if key.last_used_at is None or now - key.last_used_at >= LAST_USED_STEP:
        key.last_used_at = now
        ApiKey.objects.filter(pk=key.pk).update(last_used_at=now)
