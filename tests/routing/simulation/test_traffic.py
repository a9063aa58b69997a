"""A small simulation, end to end: real services, real spans, on the simulated clock."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db.models import Count

from catalog.models import Catalog, Tool
from routing.models import ApiKey, Run, Span, Text
from routing.moves import current_move
from routing.retention.pruning import prune
from routing.retention.rows import Gone
from routing.simulation import edition, simulate, traffic
from routing.simulation.agents import Agent
from routing.simulation.plan import PlannedRun, plan_month
from tests.samples import NOW

DAYS = 4
START = NOW + timedelta(days=1)
UNTIL = START + timedelta(days=DAYS)
TASKS = 60

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("samples_once")]


def run_it(*, tasks: int = TASKS, seed: int = 1, later: int = 0) -> list[str]:
    said: list[str] = []
    simulate(
        tasks=tasks, days=DAYS, seed=seed, until=UNTIL + timedelta(hours=later), say=said.append
    )
    return said


def plan() -> list[PlannedRun]:
    return list(plan_month(seed=1, start=START, tasks=TASKS, days=DAYS))


def test_words_are_kept_where_the_catalog_keeps_them() -> None:
    Catalog.objects.filter(name="refunds").update(keep_text=False)
    run_it()
    tasks = {run.task for run in plan() if run.catalog != "refunds"}
    kept = Text.objects.filter(span__name=Span.Name.ROUTE)
    assert set(kept.values_list("task", flat=True)) == tasks
    assert not kept.filter(run__catalog__name="refunds").exists()
    assert Span.objects.filter(catalog__name="refunds", name=Span.Name.ROUTE).exists()
    assert kept.exclude(history=[]).exists()


def test_a_second_run_adds_nothing_even_later() -> None:
    run_it()
    before = (Run.objects.count(), Span.objects.count(), ApiKey.objects.count())
    said = run_it(later=30)
    assert (Run.objects.count(), Span.objects.count(), ApiKey.objects.count()) == before
    assert any("already" in line for line in said)

    # Nor what was dropped since: its counts stay, and would be there twice.
    prune(days=1, now=UNTIL, gone=(gone := Gone()))
    assert gone.runs
    run_it()
    assert Run.objects.count() == before[0] - gone.runs


def test_one_that_was_broken_off_is_completed_without_duplicates(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(traffic, "RUNS_A_TRANSACTION", 8)
    monkeypatch.setattr(Agent, "carry_through", break_after(45))
    with pytest.raises(KeyboardInterrupt):
        run_it()
    broken_off = Run.objects.count()
    assert 0 < broken_off < TASKS
    # Nothing is left half-way: a batch is there or it is not.
    without_selection = Run.objects.annotate(n=Count("spans")).filter(n=0)
    assert not without_selection.exists()
    monkeypatch.undo()
    run_it(later=5)
    assert Run.objects.count() == TASKS
    assert set(Run.objects.values_list("started_at", flat=True)) == {r.begins for r in plan()}


def break_after(runs: int) -> Callable[[Agent], None]:
    carry_through, count = Agent.carry_through, 0

    def carry(agent: Agent) -> None:
        nonlocal count
        count += 1
        if count > runs:
            raise KeyboardInterrupt
        carry_through(agent)

    return carry


def test_one_from_before_agents_made_calls_is_completed_with_calls(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(traffic, "RUNS_A_TRANSACTION", 8)
    monkeypatch.setattr(Agent, "carry_through", break_after(20))
    with pytest.raises(KeyboardInterrupt):
        run_it()
    Span.objects.filter(name__in=[Span.Name.CALL, Span.Name.RESULT]).delete()
    ApiKey.objects.update(scopes=[])
    monkeypatch.undo()
    run_it()
    assert Run.objects.count() == TASKS
    assert Span.objects.filter(name=Span.Name.CALL, decision="allowed").exists()
    missing = Span.objects.filter(reason="missing_scope").values_list("details__detail", flat=True)
    assert all("stock:adjust" in detail for detail in missing)


def test_another_number_of_tasks_is_told_and_adds_nothing() -> None:
    run_it()
    said = run_it(tasks=TASKS + 10)
    assert Run.objects.count() == TASKS
    assert any("choose another" in line for line in said)


def test_another_seed_is_another_simulation() -> None:
    run_it(tasks=10)
    run_it(tasks=10, seed=2)
    assert Run.objects.count() == 20
    assert not Run.objects.filter(key__name__endswith="seed 2", run_id__startswith="sim-1").exists()


def test_catalogs_that_are_not_published_are_left_out_and_made_good_later() -> None:
    Catalog.objects.filter(name="refunds").update(archived=True)
    run_it()
    assert not Run.objects.filter(catalog__name="refunds").exists()
    Catalog.objects.filter(name="refunds").update(archived=False)
    run_it(later=7)
    assert Run.objects.count() == TASKS


def test_nobody_can_bring_the_agents_keys() -> None:
    run_it(tasks=5)
    for key in ApiKey.objects.all():
        assert len(key.digest) == 64
        assert not key.all_catalogs
        assert set(key.actions) == {"select", "propose", "test"}
        assert key.created_at == START


# -- The version half-way ------------------------------------------------------------------------


def test_unpublished_work_is_not_published_half_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traffic, "RUNS_A_TRANSACTION", 5)
    Tool.objects.filter(catalog__name="back-office", name="find_invoice").update(title="Mine")
    said = run_it()
    catalog = Catalog.objects.get(name="back-office")
    assert catalog.versions.count() == 1
    assert sum("other work" in line for line in said) == 1
    assert catalog.tools.get(name="open_carrier_ticket").description != edition._DESCRIPTION


def test_a_catalog_without_the_tool_is_not_edited() -> None:
    catalog = Catalog.objects.get(name="back-office")
    live = current_move(catalog)
    assert live is not None
    catalog.tools.filter(name="open_carrier_ticket").delete()
    from routing.releases import publish

    publish(catalog=catalog, author=None, now=NOW, base=live.pk)
    said = run_it()
    assert catalog.versions.count() == 2
    assert any("changed too much" in line for line in said)
