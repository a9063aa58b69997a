"""Which numbers the steps of some runs can have at most, and which runs went on for longer.

The steps of nearly every run come on the day on which it began, or on the day after. Those that do
not are noted where spans are counted, so that nothing that an agent waits for is slower for it.
"""

from datetime import datetime, timedelta

from django.db import connection
from django.db.models import Max, Q

from routing.models import Run, Span
from routing.partitions.days import BITS, day_of, first_id
from routing.partitions.since import ids_since

# PostgreSQL alone has days. Rows are held in the order of their ids, as a batch of spans holds
# them.
_NOTE = f"""
WITH newest AS (
    SELECT run_id, max(id) >> {BITS} AS day FROM routing_span
    WHERE id > %(after)s AND id <= %(upto)s AND name <> %(outcome)s
    GROUP BY run_id
), late AS (
    SELECT run.id, newest.day FROM routing_run AS run JOIN newest ON newest.run_id = run.id
    WHERE newest.day > coalesce(
        run.last_day, extract(epoch FROM run.started_at)::bigint / 86400 + 1
    )
    ORDER BY run.id FOR NO KEY UPDATE OF run
)
UPDATE routing_run AS run SET last_day = late.day FROM late WHERE run.id = late.id
"""  # noqa: S608 - our own number


def note_late_steps(*, after: int, upto: int) -> None:
    """Note of which runs a step came late, among the spans above a number and up to another.

    Outcomes are none: they may come weeks later, and nobody looks for a run by that span.
    """
    if connection.vendor != "postgresql" or upto <= after:
        return
    with connection.cursor() as cursor:
        cursor.execute(_NOTE, {"after": after, "upto": upto, "outcome": Span.Name.OUTCOME.value})


def within_days(*, catalog: int, since: datetime, until: datetime) -> Q:
    """Return the condition for the days that have steps of some runs, on rows by their numbers.

    The runs are those of a catalog that began from ``since`` on and before ``until``; of their
    steps those that are counted.
    """
    if connection.vendor != "postgresql":
        return Q()
    runs = Run.objects.filter(catalog=catalog, started_at__gte=since, started_at__lt=until)
    last = runs.filter(last_day__isnull=False).aggregate(day=Max("last_day"))["day"]
    end = max(day_of(until - timedelta(microseconds=1)) + 1, last or 0) + 1
    return Q(pk__gte=ids_since(since), pk__lt=first_id(end))
