"""Up to which span nothing older can come any more.

Ids are given before a transaction commits. With one writer at a time (SQLite) they come in order;
PostgreSQL may commit a lower one after a higher one, and who has counted up to the higher one would
pass it over for ever.
"""

from dataclasses import dataclass

from django.db import connection
from django.db.models import Max

from routing.models import CountedUpTo, Span


@dataclass(frozen=True, slots=True)
class Settled:
    """``span`` may be counted up to; ``seen`` and ``horizon`` are to be remembered for the next."""

    span: int
    seen: int = 0
    horizon: int = 0


def settled(mark: CountedUpTo) -> Settled:
    """Return up to where spans may be counted now, at least to where they are counted already.

    A transaction that may still bring a span up to the newest that is seen is one that ran when it
    was seen. Once none of those runs any more, everything up to it is there or never will be.
    """
    # What counts already bounds it, so that PostgreSQL looks into no partition of before.
    newest = Span.objects.filter(id__gte=mark.span).aggregate(newest=Max("id"))["newest"] or 0
    newest = max(newest, mark.span)
    if connection.vendor != "postgresql":
        return Settled(span=newest)
    # Asked after the newest span was.
    horizon, running = _running()
    if running:
        # Where a transaction ends between the snapshot and the look at whose it is, it is taken for
        # one of this database: what the next snapshot no longer has is over.
        running &= _running()[1]
    if not running:
        return Settled(span=newest)
    if mark.seen and all(one >= mark.horizon for one in running):
        return Settled(span=mark.seen, seen=newest, horizon=horizon)
    if mark.seen:
        return Settled(span=mark.span, seen=mark.seen, horizon=mark.horizon)
    return Settled(span=mark.span, seen=newest, horizon=horizon)


def _running() -> tuple[int, set[int]]:
    """Return the number the next transaction will have, and those of the others that run now.

    Those of another database of the server write no spans here, nor do those that only clean up
    and take statistics: they are left out. Whose they are is read anew: PostgreSQL keeps what it
    said first for as long as a transaction lasts, and would not know who came since.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_snapshot_xmax(s)::text::bigint,"
            " ARRAY(SELECT x::text::bigint FROM pg_snapshot_xip(s) x WHERE NOT EXISTS ("
            "  SELECT 1 FROM pg_stat_activity WHERE backend_xid::text::bigint"
            "  = x::text::bigint % 4294967296 AND"
            "  (datname <> current_database() OR backend_type = 'autovacuum worker')))"
            " FROM pg_stat_clear_snapshot(), pg_current_snapshot() s"
        )
        horizon, running = cursor.fetchone()
    return horizon, set(running)
