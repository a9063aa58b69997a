"""Which numbers the steps of some runs can have at most, and which runs went on for longer.

The steps of nearly every run come on the day on which it began, or on the day after. Those that do
not are noted where spans are counted, so that nothing that an agent waits for is slower for it.
"""

from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Days:
    """The days that have steps of some runs, as conditions on rows by their numbers.

    ``near`` are those of nearly all runs; ``late``, where there are any, the further ones of the
    runs that have a ``last_day``; ``every`` are both.
    """

    near: Q
    every: Q
    late: Q | None = None


def days_with_steps(*, catalog: int, since: datetime, until: datetime) -> Days:
    """Return the days that have steps of the runs that began from ``since`` on, before ``until``.

    They are of one catalog; of their steps those that are counted. One query.
    """
    if connection.vendor != "postgresql":
        return Days(near=Q(), every=Q())
    runs = Run.objects.filter(catalog=catalog, started_at__gte=since, started_at__lt=until)
    last = runs.filter(last_day__isnull=False).aggregate(day=Max("last_day"))["day"]
    first, soon = ids_since(since), day_of(until - timedelta(microseconds=1)) + 2
    near = Q(pk__gte=first, pk__lt=first_id(soon))
    if last is None or last < soon:
        return Days(near=near, every=near)
    late, end = first_id(soon), first_id(last + 1)
    return Days(near=near, every=Q(pk__gte=first, pk__lt=end), late=Q(pk__gte=late, pk__lt=end))
