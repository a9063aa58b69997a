"""Spans lie in partitions by the day on which they came, where the database is PostgreSQL."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.test.utils import CaptureQueriesContext

from catalog.models import Catalog
from routing.keys import make_key
from routing.models import Approval, Span, Text, ToolCall
from routing.partitions.days import day_of, day_of_id, first_id
from routing.partitions.migrating import PartitionedByDay
from routing.partitions.references import check_references, references_to_spans
from routing.partitions.tables import COLUMNS, make_day, partitions
from routing.rollups.folding import fold, fold_all
from routing.spans import new_uid
from tests.eventful import eventful_run
from tests.samples import NOW

pytestmark = pytest.mark.django_db
on_postgresql = pytest.mark.skipif(
    connection.vendor != "postgresql", reason="SQLite has no partitions"
)


@pytest.fixture
def eventful(refunds: Catalog) -> Catalog:
    """Return a catalog with a run in which everything happened."""
    eventful_run(refunds, key=make_key(name="a", now=NOW).key, tool="issue_refund", now=NOW)
    return refunds


def layout() -> dict[str, list[tuple[int | None, int]]]:
    """Return the bounds of the partitions of each table."""
    with connection.cursor() as cursor:
        return {
            table: [(one.first, one.end) for one in partitions(cursor, table)] for table in COLUMNS
        }


def held(table: str) -> set[int]:
    """Return the last numbers of the partitions that hold rows of a table."""
    with connection.cursor() as cursor:
        found = set()
        for one in partitions(cursor, table):
            cursor.execute(f'SELECT count(*) FROM "{one.name}"')  # noqa: S608
            found |= {one.end} if cursor.fetchone()[0] else set()
        return found


def test_the_numbers_of_a_day_are_known_beforehand() -> None:
    day = day_of(datetime(2026, 11, 30, 23, 59, tzinfo=UTC))
    assert day_of_id(first_id(day)) == day_of_id(first_id(day + 1) - 1) == day
    assert day_of_id(5_000_000) == 0
    assert first_id(day_of(datetime(2300, 1, 1, tzinfo=UTC))) < 2**53


@on_postgresql
def test_spans_and_words_lie_in_a_day_and_are_append_only_there(eventful: Catalog) -> None:
    with connection.cursor() as cursor:
        days = [one for one in partitions(cursor, "routing_span") if one.first is not None]
    assert [one.end - one.first for one in days if one.first] == [first_id(1)] * len(days)
    assert held("routing_span") == held("routing_text") == {days[0].end}
    for table in ("routing_span", *(one.name for one in days[:1])):
        with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"UPDATE \"{table}\" SET reason = 'x'")  # noqa: S608
    again = Span(uid=Span.objects.all()[0].uid, **_columns())
    with pytest.raises(IntegrityError, match="uid"), transaction.atomic():
        again.save()


def _columns() -> dict[str, Any]:
    known = Span.objects.values(
        "name", "run_id", "catalog_id", "key_id", "release_id", "time", "hour"
    )
    return dict(known[0])


@on_postgresql
def test_the_way_there_and_back_keeps_everything(eventful: Catalog) -> None:
    before, spans = layout(), list(Span.objects.values_list())
    texts = list(Text.objects.values_list())
    operation, state = PartitionedByDay(), MigrationExecutor(connection).loader.project_state()
    with connection.schema_editor(atomic=False) as editor:
        operation.database_backwards("routing", editor, state, state)
    assert layout() == {table: [] for table in COLUMNS}
    assert list(Span.objects.values_list()) == spans
    # References are the database's business again.
    assert set(_referring()) == {"routing_approval", "routing_text", "routing_toolcall"}
    with connection.schema_editor(atomic=False) as editor:
        operation.database_forwards("routing", editor, state, state)
    # What was there has numbers of this day: it lies in the first partition, new ones in the next.
    assert list(Span.objects.values_list()) == spans
    assert list(Text.objects.values_list()) == texts
    assert held("routing_span") < {end for _, end in layout()["routing_span"]}
    assert layout()["routing_span"][-1] > before["routing_span"][-1]
    assert _referring() == []
    with pytest.raises(IntegrityError), transaction.atomic():
        Span.objects.update(reason="x")


def _referring() -> list[str]:
    """Return the other tables whose references to spans the database checks."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT DISTINCT conrelid::regclass::text FROM pg_constraint WHERE contype = 'f'"
            " AND confrelid = 'routing_span'::regclass AND conrelid <> confrelid ORDER BY 1"
        )
        return [table for (table,) in cursor.fetchall()]


@on_postgresql
def test_counting_passes_over_the_gap_between_two_days(eventful: Catalog) -> None:
    newest = Span.objects.latest("id").pk
    with connection.cursor() as cursor:
        day = day_of_id(newest) + 5
        make_day(cursor, "routing_span", day)
    later = Span.objects.create(pk=first_id(day), uid=new_uid(now=NOW), **_columns())
    reached = []
    with CaptureQueriesContext(connection) as queries:
        while (folded := fold(now=NOW, most=4)).more:
            reached.append(folded.upto)
    ids = list(Span.objects.order_by("id").values_list("id", flat=True))
    assert [*reached, folded.upto] == [*ids[3::4], *(ids[-1:] if len(ids) % 4 else [])]
    assert len(queries) < 50 * (len(reached) + 1)
    assert fold_all(now=NOW).upto == later.pk


def test_what_refers_to_a_span_that_is_not_there_is_found(eventful: Catalog) -> None:
    named = {(model, field.name) for model, field in references_to_spans()}
    assert named == {
        (Approval, "proposal"),
        (Span, "selection"),
        (Text, "span"),
        (ToolCall, "result"),
        (ToolCall, "selection"),
    }
    check_references()
    ToolCall.objects.filter(result__isnull=False).update(result_id=2**52)
    with pytest.raises(IntegrityError, match=r"routing_toolcall.*result"):
        check_references()
    ToolCall.objects.update(result=None)
