"""Tasks of the last week are tried as their runs asked for them, each once."""

from datetime import timedelta
from typing import Any

import pytest

from routing.gate_checks import recent
from routing.gate_checks.recent import draw, read_tasks
from routing.models import Run, Text
from routing.selection import Strategy
from routing.services.erasing import erase_words
from tests.dashboard.traffic import NOON
from tests.routing.datasets.test_collecting import Office
from tests.samples import published

LATER = NOON + timedelta(hours=1)


@pytest.fixture
def office(db: None, settings: Any) -> Office:
    """Return runs of the refunds catalog."""
    settings.ENCODER = "none"
    return Office(published("refunds"))


def drawn(office: Office, *, most: int = 10) -> list[tuple[int, int, int]]:
    return draw(office.traffic.catalog, until=LATER, most=most, seed=1)


def test_a_task_is_drawn_once_with_how_many_it_stands_for(office: Office) -> None:
    office.run("Where is order 5?", "read_order")
    office.run("Where is  order 12?", "read_order", outcome="failed")
    office.run("Refund it", "read_order")
    old = office.run("Long ago", "read_order")
    Run.objects.filter(pk=old.run_id).update(started_at=NOON - timedelta(days=8))
    office.run("", "read_order")

    found = drawn(office)

    tasks = {task.case.task: task for task in read_tasks(found, until=LATER)}
    weights = {task.case.task[:8]: task.case.weight for task in tasks.values()}
    assert weights == {"Where is": 2.0, "Refund i": 1.0}
    assert found == drawn(office)
    assert len(drawn(office, most=1)) == 1
    assert drawn(office, most=0) == []


def test_what_a_solved_run_called_is_what_its_task_needed(office: Office) -> None:
    office.run("Refund it", "read_order", "issue_refund", strategy="all")
    office.run("Sing", "read_order", outcome="failed", strategy="keyword", max_tools=3)

    by_task = {task.case.task: task for task in read_tasks(drawn(office), until=LATER)}

    solved, failed = by_task["Refund it"], by_task["Sing"]
    assert (solved.labelled, solved.case.expected_tools) == (True, ("read_order", "issue_refund"))
    assert (failed.labelled, failed.case.needs) == (False, ())
    assert solved.case.route == "order_status"
    # What is like its release's own settings the agent did not ask for.
    assert "strategy" not in solved.overrides
    assert failed.overrides["strategy"] is Strategy.KEYWORD
    assert failed.overrides["max_tools"] == 3


def test_simulated_tasks_fill_up_what_others_leave_and_erased_ones_never_count(
    office: Office,
) -> None:
    for task in ("Simulated", "Simulated too"):
        office.run(task, "read_order")
    Run.objects.update(source="simulated")
    assert len(drawn(office)) == 2
    real = office.run("Real", "read_order")
    (one,) = drawn(office, most=1)
    assert one[:2] == (real.pk, real.run_id)
    assert len(drawn(office)) == 3

    erase_words(run=Run.objects.get(pk=real.run_id), now=LATER)
    assert not Text.objects.filter(run=real.run_id, task="Real").exists()
    assert read_tasks([one], until=LATER) == []
    assert one not in drawn(office)


def test_nobody_looks_through_a_week_of_runs_whose_words_are_not_kept(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recent, "RUNS_AT_ONCE", 1)
    for _ in range(3):
        office.run("Refund it", "read_order")
    Text.objects.all().delete()
    office.run("Where is order 5?", "read_order")

    def found(silent: int) -> set[int]:
        monkeypatch.setattr(recent, "MOST_SILENT", silent)
        return {len(draw(office.traffic.catalog, until=LATER, most=9, seed=s)) for s in range(9)}

    assert found(4) == {1}
    assert found(1) == {0, 1}  # by dice it is met first, or not at all
