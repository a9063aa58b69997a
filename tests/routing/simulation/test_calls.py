"""The calls of a simulated month: real proposals, approvals and results, and the label of runs."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction

from routing.models import Approval, Run, Span, Text
from routing.simulation import Simulated, simulate, traffic
from routing.simulation.agents import Agent
from tests.routing.simulation.test_traffic import break_after
from tests.samples import NOW

DAYS = 4
START = NOW + timedelta(days=1)
UNTIL = START + timedelta(days=DAYS)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("samples_once")]


@pytest.fixture
def administrator(db: None) -> User:
    return User.objects.create_superuser("admin")


def run_it(*, tasks: int = 60, approver: User | None = None) -> Simulated:
    return simulate(
        tasks=tasks, days=DAYS, seed=1, until=UNTIL, say=lambda text: None, approver=approver
    )


def content() -> list[Any]:
    """Return what a simulation left, but for names that are made by chance."""
    spans = Span.objects.order_by("id").values_list(
        "run__run_id", "name", "time", "tool", "decision", "reason", "status", "attempt", "tokens"
    )
    texts = Text.objects.order_by("span_id").values_list("arguments", "data", "reason", "task")
    approvals = Approval.objects.order_by("id").values_list("tool", "state", "reason", "decided_at")
    return [list(spans), list(texts), list(approvals)]


def test_the_same_seed_makes_the_same_calls_whether_or_not_it_is_broken_off(
    administrator: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    with transaction.atomic():
        run_it(approver=administrator)
        whole = content()
        transaction.set_rollback(True)
    assert not Run.objects.exists()
    monkeypatch.setattr(traffic, "RUNS_A_TRANSACTION", 8)
    monkeypatch.setattr(Agent, "carry_through", break_after(45))
    with pytest.raises(KeyboardInterrupt):
        run_it(approver=administrator)
    assert 0 < Run.objects.count() < 60
    monkeypatch.undo()
    run_it(approver=administrator)
    assert content() == whole
