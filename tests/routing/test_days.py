"""A day of spans begins: its partitions are there, and its numbers go on from its first."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from catalog.models import Catalog
from routing.exploring.asking import Asked
from routing.exploring.searching import search
from routing.models import Run, Span, SpanDay
from routing.partitions import opening
from routing.partitions.days import day_of, day_of_id, first_id
from routing.partitions.opening import SEQUENCE, open_days
from routing.partitions.since import AGE, Calendar, calendar, ids_since, ids_since_uid
from routing.partitions.tables import COLUMNS, partitions
from routing.partitions.until import days_with_steps
from routing.rollups.folding import fold_all
from routing.spans import new_uid
from tests.routing.api.test_spans import expand_span, outcome_span, route_span, tell
from tests.routing.conftest import Agent
from tests.samples import NOW

pytestmark = pytest.mark.django_db
on_postgresql = pytest.mark.skipif(
    connection.vendor != "postgresql", reason="SQLite has no partitions"
)
DAY = timedelta(days=1)


@pytest.fixture
def _numbers_go_back(db: None) -> Iterator[None]:
    """Number spans as before once the test is over: no transaction takes that back."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT last_value, is_called FROM {SEQUENCE}")  # noqa: S608
        before = cursor.fetchone()
        yield
        cursor.execute("SELECT setval(%s, %s, %s)", [SEQUENCE, *before])


def ends(table: str) -> list[int]:
    with connection.cursor() as cursor:
        return [day_of_id(one.end) for one in partitions(cursor, table)]


@on_postgresql
@pytest.mark.usefixtures("_numbers_go_back")
class TestBeginningADay:
    def test_numbers_go_on_from_its_first_and_never_back(
        self, agent: Agent, back_office: Catalog
    ) -> None:
        agent.select("Where is the order?")
        last, now = Span.objects.latest("id").pk, timezone.now()
        day = max(day_of(now + 3 * DAY), day_of_id(last) + 1)
        now = datetime.fromtimestamp(day * DAY.total_seconds() + 60, tz=UTC)
        assert open_days(now)
        assert open_days(now)
        assert open_days(now - DAY)
        for table in COLUMNS:
            assert ends(table)[-2:] == [day + 1, day + 2]
        agent.select("Where is the order?")
        assert Span.objects.latest("id").pk == first_id(day)
        begun = SpanDay.objects.get(first=first_id(day))
        assert begun.opened_at == now
        # Days on which nobody worked have no partition, and need none.
        assert ends("routing_span").count(day + 1) == 1

    def test_where_a_table_is_busy_numbers_stay_and_writing_goes_on(
        self, agent: Agent, back_office: Catalog, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        agent.select("Where is the order?")
        last = Span.objects.latest("id").pk
        before = ends("routing_span")
        monkeypatch.setattr(opening, "make_day", _busy)
        assert not open_days(timezone.now() + 9 * DAY)
        agent.select("Where is the order?")
        assert Span.objects.latest("id").pk == last + 1
        assert ends("routing_span") == before
        assert not SpanDay.objects.filter(first__gt=last).exists()

    def test_who_drops_days_meanwhile_is_not_waited_for(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(opening, "PATIENCE", "10ms")
        other = connection.copy()
        try:
            with other.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_lock(%s)", [opening.LOCK])
            assert not open_days(timezone.now())
        finally:
            other.close()
        assert open_days(timezone.now())

    def test_a_batch_sent_again_after_midnight_is_known(
        self, agent: Agent, back_office: Catalog
    ) -> None:
        """Uids are unique in each partition alone."""
        forged = new_uid(now=NOW + 900 * DAY)
        batch = [route_span(), route_span(id=str(forged)), outcome_span()]
        tell(agent, *batch)
        day = day_of(timezone.now()) + 5
        assert open_days(datetime.fromtimestamp(day * DAY.total_seconds(), tz=UTC))
        calendar.keep(((0, NOW - 9 * DAY), (first_id(day), NOW + DAY)))
        answer = tell(agent, *batch, expand_span(batch[0], time=(NOW + 2 * DAY).isoformat()))
        assert answer["known"] == [span["id"] for span in batch]
        assert len(answer["taken"]) == 1
        # The selection that it names came on the day before.
        assert day_of_id(Span.objects.latest("id").pk) == day
        assert Span.objects.count() == len(batch) + 1


@on_postgresql
@pytest.mark.usefixtures("_numbers_go_back")
class TestStepsOfLongAfter:
    def test_a_run_that_went_on_for_days_is_found_by_what_it_did_then(
        self, agent: Agent, back_office: Catalog
    ) -> None:
        began = timezone.now()
        quick, slow = agent.select("Where is the order?"), agent.select("Where is the order?")
        agent.post(f"/selections/{quick['id']}/expansions", {"group": "stock"})
        fold_all(now=began)
        asked = Asked(
            catalog=back_office.pk, since=began - DAY, until=began + DAY, asked_group="stock"
        )
        assert _last_days(quick, slow) == [None, None]
        before = _ends(asked)
        day = max(day_of(began), day_of_id(Span.objects.latest("id").pk)) + 5
        assert open_days(datetime.fromtimestamp(day * DAY.total_seconds(), tz=UTC))
        agent.post(f"/runs/{quick['run_id']}/outcome", {"status": "solved"})
        agent.post(f"/selections/{slow['id']}/expansions", {"group": "stock"})
        fold_all(now=began)
        assert _last_days(quick, slow) == [None, day]
        near = first_id(day_of(asked.until - timedelta(microseconds=1)) + 2)
        assert before == (near, near)
        assert near < Span.objects.get(name=Span.Name.EXPAND, run__run_id=slow["run_id"]).pk
        # Other runs are not looked for in the days that only the slow one reached.
        assert _ends(asked) == (near, first_id(day + 1))
        with CaptureQueriesContext(connection) as queries:
            found = [run.run_id for run in search(asked).runs]
        assert found == [slow["run_id"], quick["run_id"]]
        # Run by run: joined, a whole day would be read for the newest fifty.
        assert any("OFFSET 0" in query["sql"] for query in queries)


def _last_days(*selections: dict[str, Any]) -> list[int | None]:
    return [Run.objects.get(run_id=one["run_id"]).last_day for one in selections]


def _ends(asked: Asked) -> tuple[int, int]:
    """Return where the days end that are near, and all of them."""
    days = days_with_steps(catalog=asked.catalog, since=asked.since, until=asked.until)
    bounds: list[dict[str, int]] = [
        dict(one.children)  # type: ignore[arg-type]
        for one in (days.near, days.every)
    ]
    return bounds[0]["pk__lt"], bounds[1]["pk__lt"]


def _busy(*_args: object) -> None:
    raise OperationalError("canceling statement due to lock timeout")


class TestWhichNumbersATimeCanHave:
    def test_a_day_bounds_what_came_an_hour_after_it_began(self) -> None:
        calendar.keep(((first_id(1), NOW), (first_id(2), NOW + DAY)))
        partitioned = connection.vendor == "postgresql"
        for at, first in (
            (NOW + timedelta(minutes=59), 0),
            (NOW + timedelta(minutes=60), first_id(1)),
            (NOW + DAY, first_id(1)),
            (NOW + 2 * DAY, first_id(2)),
        ):
            assert ids_since(at) == (first if partitioned else 0)
            assert ids_since_uid(new_uid(now=at)) == ids_since(at)
        assert ids_since_uid(uuid4()) == 0
        assert ids_since_uid(UUID(int=(1 << 128) - 1 & ~(0xF << 76) | 7 << 76)) in (0, first_id(2))

    def test_days_are_read_now_and_then(self) -> None:
        seconds, reads = [0.0], []

        def read() -> tuple[tuple[int, datetime], ...]:
            reads.append(seconds[0])
            return ()

        known = Calendar(read=read, clock=lambda: seconds[0])
        for at in (0.0, 1.0, AGE - 1, AGE, AGE + 1):
            seconds[0] = at
            known.days()
        assert reads == [0.0, AGE]
