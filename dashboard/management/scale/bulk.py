"""Write rows as fast as a database takes them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.management.color import no_style
from django.db import connection, models, transaction
from django.db.models import Max

from dashboard.management.scale.copying import Copying, Row, Rows, rows_by_hour
from dashboard.management.scale.days import next_ids
from dashboard.management.scale.patterns import Patterns, columns
from routing.models import Run, Span, Text, ToolCall

AT_ONCE = 50_000
"""About so many spans are written in one transaction."""

Clock = Callable[[], float]
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Loaded:
    """What was written, in how many seconds."""

    runs: int
    spans: int
    texts: int
    calls: int
    seconds: float


def load(
    patterns: Patterns,
    *,
    spans: int,
    begins: datetime,
    ends: datetime,
    texts: float,
    seed: int,
    clock: Clock,
    late: bool = False,
    progress: Progress = lambda done, whole: None,
) -> Loaded:
    """Write about so many spans of runs that began between two times. Returns what was written.

    ``late`` ones come after all that there are, as those do that an agent tells of afterwards.
    """
    started = clock()
    wanted = Copying(
        patterns=patterns,
        begins=begins,
        ends=ends,
        runs=max(round(spans / patterns.mean_steps), 1),
        texts=texts,
        seed=seed,
        next_id=next_ids(late=late),
        after_run=_last(Run),
        after_call=_last(ToolCall),
        zone="+00:00" if connection.vendor == "postgresql" else "",
    )
    made = dict.fromkeys(("runs", "spans", "texts", "calls"), 0)
    with _in_a_hurry():
        for rows in _together(rows_by_hour(wanted)):
            with transaction.atomic():
                for model, of in (
                    (Run, rows.runs),
                    (Span, rows.spans),
                    (Text, rows.texts),
                    (ToolCall, rows.calls),
                ):
                    _insert(model, of)
            for name in made:
                made[name] += len(getattr(rows, name))
            progress(made["spans"], spans)
        _set_sequences()
    return Loaded(**made, seconds=clock() - started)


def _last(model: type[models.Model]) -> int:
    found = model._default_manager.aggregate(last=Max("pk"))  # noqa: SLF001 - a public name
    return int(found["last"] or 0)


def _together(hours: Iterable[Rows]) -> Iterator[Rows]:
    """Yield the rows of as many hours as make a transaction."""
    some = Rows()
    for rows in hours:
        some.runs += rows.runs
        some.spans += rows.spans
        some.texts += rows.texts
        some.calls += rows.calls
        if len(some.spans) >= AT_ONCE:
            yield some
            some = Rows()
    yield some


def _insert(model: type[models.Model], rows: Sequence[Row]) -> None:
    quote = connection.ops.quote_name
    names = ", ".join(quote(name) for name in columns(model))
    into = f"{quote(model._meta.db_table)} ({names})"  # noqa: SLF001 - a public name
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor, cursor.copy(f"COPY {into} FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)
        return
    places = ", ".join("?" * len(columns(model)))
    # The names are our own models', quoted. Django's cursor would prepare each value.
    statement = f"INSERT INTO {into} VALUES ({places})"  # noqa: S608
    raw: Any = connection.connection
    raw.executemany(statement, rows)


@contextmanager
def _in_a_hurry() -> Iterator[None]:
    """Neither wait for the disk nor look up what rows refer to, which was made just now.

    In a transaction of somebody else's that cannot be chosen any more.
    """
    if connection.in_atomic_block:
        yield
        return
    hurry, back = {
        "sqlite": (
            "PRAGMA synchronous=OFF; PRAGMA foreign_keys=OFF; PRAGMA cache_size=-524288",
            "PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA cache_size=-65536",
        ),
        "postgresql": (
            "SET synchronous_commit TO off; SET session_replication_role TO replica",
            "SET synchronous_commit TO on; SET session_replication_role TO origin",
        ),
    }[connection.vendor]
    _execute(hurry)
    try:
        yield
    finally:
        _execute(back)


def _execute(statements: str) -> None:
    with connection.cursor() as cursor:
        for statement in statements.split(";"):
            cursor.execute(statement)


def _set_sequences() -> None:
    tables = [Run, Span, ToolCall]
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), tables):
            cursor.execute(statement)


def settle() -> None:
    """Let the database learn what its tables are like, as it does by itself in time."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
