"""What is older than it is kept goes as a whole, and what was counted of it stays."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import CASCADE

from catalog.models import Catalog
from routing.admission import NotFound
from routing.models import Approval, CountedUpTo, KeptSince, Run, Span, SpanDay, Text, ToolCall
from routing.partitions.days import day_of_id, first_id
from routing.partitions.opening import SEQUENCE
from routing.partitions.references import check_references
from routing.partitions.tables import COLUMNS, make_day, partitions
from routing.retention.boundary import Boundary, kept_since
from routing.retention.pruning import Pruner, due, prune
from routing.retention.rows import OF_RUNS, Gone, delete_runs
from routing.rollups.folding import fold_all
from routing.rollups.rebuilding import rebuild
from routing.rollups.sections import Section
from routing.services.running import record_outcome
from routing.spans import write_span
from tests.dashboard.traffic import NOON, Traffic
from tests.eventful import eventful_run
from tests.routing.api.test_spans import outcome_span, tell
from tests.routing.conftest import Agent
from tests.routing.rollups.steps import Steps
from tests.routing.rollups.test_folding import kept

pytestmark = pytest.mark.django_db
UNTIL = datetime(2026, 11, 30, tzinfo=UTC)
LATER = NOON + timedelta(days=1)
"""Then spans of before ``UNTIL`` are too old that are kept for one day."""


@pytest.fixture(autouse=True)
def _numbers_go_back(db: None) -> Iterator[None]:
    """Number spans as before once the test is over: no transaction takes that back."""
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT last_value, is_called FROM {SEQUENCE}")  # noqa: S608
        before = cursor.fetchone()
        yield
        cursor.execute("SELECT setval(%s, %s, %s)", [SEQUENCE, *before])


def midnight(at: datetime = UNTIL) -> None:
    """Have what comes from now on lie in another partition, where there are any."""
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        day = day_of_id(partitions(cursor, "routing_span")[-1].end)
        for table in COLUMNS:
            make_day(cursor, table, day)
        cursor.execute("SELECT setval(%s, %s, false)", [SEQUENCE, first_id(day)])
    SpanDay.objects.create(first=first_id(day), opened_at=at)


def names() -> list[list[str]]:
    """Return the partitions of both tables."""
    if connection.vendor != "postgresql":
        return []
    with connection.cursor() as cursor:
        return [[one.name for one in partitions(cursor, table)] for table in COLUMNS]


def without_facts(counts: list[dict[Any, dict[str, int]]]) -> list[dict[Any, dict[str, int]]]:
    return [
        {place: said for place, said in one.items() if place[1] != Section.FACTS} for one in counts
    ]


@pytest.mark.parametrize("seed", [1, 2])
def test_runs_go_whole_and_counts_stay(seed: int) -> None:
    steps = Steps(Traffic(), seed=seed)
    for _ in range(80):
        steps.step()
    midnight()
    for _ in range(30):
        steps.step()
    for span in Span.objects.all():
        Text.objects.create(span=span, run_id=span.run_id, time=span.time, task=f"{span.pk}")
    fold_all(now=NOON)
    connection.check_constraints()  # a table that has checks to do cannot be dropped
    counted = kept()
    runs = dict(Run.objects.values_list("pk", "started_at"))
    going = {
        pk
        for pk, began in runs.items()
        if began < UNTIL and not Span.objects.filter(run=pk, time__gte=UNTIL).exists()
    }
    left = list(Span.objects.exclude(run__in=going).values_list())
    assert 5 < len(going) < len(runs) - 5
    told, dropped = due(days=1, now=LATER), Gone()
    assert prune(days=1, now=LATER, gone=dropped)

    assert set(Run.objects.values_list("pk", flat=True)) == runs.keys() - going
    assert list(Span.objects.values_list()) == left
    assert [int(text) for text in Text.objects.order_by("span").values_list("task", flat=True)] == [
        row[0] for row in left
    ]
    check_references()
    assert (told.runs, told.until) == (dropped.runs, UNTIL)
    assert (told.spans, told.partitions) == (dropped.spans, dropped.partitions)
    assert (dropped.partitions > 1) == (connection.vendor == "postgresql")
    assert without_facts(kept()) == without_facts(counted)
    # The search of runs finds what is there, and only that.
    hours = {
        (place[2], key): n
        for place, said in kept()[0].items()
        if place[1] == Section.FACTS and place[2] < hour_of_until()
        for key, n in said.items()
        if key.startswith("outcome:")
    }
    began_before = sum(1 for pk in runs.keys() - going if runs[pk] < UNTIL)
    assert sum(hours.values()) == began_before > 0
    after = kept()
    rebuild(now=LATER)
    assert kept() == after
    again, before = Gone(), names()
    assert prune(days=1, now=LATER, gone=again)
    assert (again, kept(), names()) == (Gone(), after, before)


def hour_of_until() -> int:
    return int(UNTIL.timestamp()) // 3600


def test_what_comes_late_corrects_a_run_that_is_kept_and_none_that_went() -> None:
    traffic = Traffic()
    old = traffic.select(at=UNTIL - timedelta(hours=5), groups=["billing"])
    kept_on = traffic.select(at=UNTIL - timedelta(hours=4), groups=["stock"])
    midnight()
    traffic.expand(kept_on, "billing", at=UNTIL + timedelta(hours=1))
    connection.check_constraints()
    assert prune(days=1, now=LATER, gone=Gone())
    before = without_facts(kept())
    with pytest.raises(NotFound):
        record_outcome(
            key=traffic.key, run_id=old.run.run_id, status="solved", stop_reason="", now=LATER
        )
    traffic.key.catalogs.add(traffic.catalog)
    record_outcome(
        key=traffic.key, run_id=kept_on.run.run_id, status="solved", stop_reason="", now=LATER
    )
    fold_all(now=LATER)
    changed = [
        (place[1], place[2], said, before[0][place])
        for place, said in without_facts(kept())[0].items()
        if said != before[0][place]
    ]
    assert changed == [
        (
            Section.RUNS,
            hour_of_until() - 4,
            {"n": 1, "outcome:solved": 1},
            {"n": 1, "outcome:": 1},
        )
    ]
    counted = kept()
    rebuild(now=LATER)
    assert kept() == counted


def test_what_does_not_count_yet_stays() -> None:
    traffic = Traffic()
    traffic.select(at=UNTIL - timedelta(hours=5))
    fold_all(now=NOON)
    counted = CountedUpTo.objects.get().span
    late = traffic.select(at=UNTIL - timedelta(hours=5))
    delete_runs(Boundary(until=UNTIL, counted=counted, now=LATER), gone=Gone())
    assert Span.objects.get() == late


def test_a_call_that_is_out_and_an_approval_that_may_be_used_keep_their_run(
    refunds: Catalog, agent: Agent
) -> None:
    began = UNTIL - timedelta(hours=5)
    run = eventful_run(refunds, key=agent.key, tool="issue_refund", now=began)
    Approval.objects.filter(state="pending").update(expires_at=LATER + timedelta(hours=1))
    assert prune(days=1, now=LATER, gone=Gone())
    assert Run.objects.get() == run
    Approval.objects.update(expires_at=began + timedelta(minutes=1))
    ToolCall.objects.update(status="", settled_at=None, leased_until=LATER + timedelta(hours=1))
    prune(days=1, now=LATER, gone=Gone())
    assert Run.objects.get() == run
    ToolCall.objects.update(leased_until=began)
    gone = Gone()
    assert prune(days=1, now=LATER, gone=gone)
    assert gone.spans > 8
    assert not any(model._base_manager.exists() for model in (Run, *OF_RUNS))
    owned = [one for one in Run._meta.related_objects if one.on_delete is CASCADE]
    assert {one.related_model for one in owned} == set(OF_RUNS)


def test_no_span_is_taken_of_before(agent: Agent, back_office: Catalog) -> None:
    KeptSince.objects.create(pk=1, hour=hour_of_until(), at=LATER)
    assert kept_since() == UNTIL
    told = [outcome_span(time=at.isoformat()) for at in (UNTIL - timedelta(seconds=1), UNTIL)]
    answer = tell(agent, *told)
    assert answer["refused"][0]["errors"] == [
        {"path": "time", "message": "Spans of before 2026-11-30 are not kept."}
    ]
    assert answer["taken"] == [told[1]["id"]]


def test_the_command_says_what_goes_and_keeps_everything_unless_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for options in ({}, {"days": 0}):
        with pytest.raises(CommandError, match="SPANS_KEPT_DAYS"):
            call_command("prune_spans", **options)
    traffic = Traffic()
    traffic.expand(traffic.select(at=UNTIL - timedelta(days=99)))
    monkeypatch.setattr("django.utils.timezone.now", lambda: LATER)
    call_command("prune_spans", days=10**12, dry_run=True)
    assert capsys.readouterr().out.startswith("0 runs with 0 spans ended before 1970-01-01 (UTC)")
    call_command("prune_spans", days=98, dry_run=True)
    assert capsys.readouterr().out.startswith("1 runs with 2 spans ended before 2026-08-25 (UTC)")
    assert Run.objects.exists()
    call_command("prune_spans", days=98)
    assert capsys.readouterr().out.startswith("Dropped 1 runs with 2 spans, 0 partitions")
    assert not Run.objects.exists()


def test_the_worker_drops_once_a_day_where_days_are_set(settings: Any) -> None:
    traffic, pruner = Traffic(), Pruner()

    def old_run() -> None:
        run = traffic.run(at=UNTIL - timedelta(days=9))
        write_span(run=run, name=Span.Name.PHASE, now=run.started_at)

    old_run()
    pruner(LATER)
    assert Run.objects.count() == 1
    settings.SPANS_KEPT_DAYS = 5
    pruner(LATER)
    assert Run.objects.count() == 0
    old_run()
    pruner(LATER + timedelta(hours=1))
    assert Run.objects.count() == 1
    pruner(LATER + timedelta(days=1))
    assert Run.objects.count() == 0
