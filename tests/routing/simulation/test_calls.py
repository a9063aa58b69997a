"""The calls of a simulated month: real proposals, approvals and results, and the label of runs."""

from collections import Counter
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F

from catalog.samples import SAMPLES
from routing.models import Approval, Circuit, Run, Span, Text, ToolCall
from routing.policy.types import Reason
from routing.simulation import Simulated, simulate, traffic
from routing.simulation.agents import Agent
from tests.routing.simulation.test_traffic import break_after
from tests.samples import NOW, published

DAYS = 4
START = NOW + timedelta(days=1)
UNTIL = START + timedelta(days=DAYS)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def samples(db: None) -> None:
    for name in SAMPLES:
        published(name)


@pytest.fixture
def administrator(db: None) -> User:
    return User.objects.create_superuser("admin")


def run_it(*, tasks: int = 60, approver: User | None = None) -> Simulated:
    return simulate(
        tasks=tasks, days=DAYS, seed=1, until=UNTIL, say=lambda text: None, approver=approver
    )


def test_everything_that_may_happen_to_a_call_happens_in_six_hundred_tasks(
    administrator: User,
) -> None:
    done = run_it(tasks=600, approver=administrator)
    calls = Span.objects.filter(name=Span.Name.CALL)
    results = Span.objects.filter(name=Span.Name.RESULT)
    # A call that has ended is answered from the record.
    ended = results.filter(reason="attempts_exhausted")
    assert calls.count() + ended.count() == done.tally.calls.proposals
    decisions = Counter(calls.values_list("decision", flat=True))
    assert decisions["allowed"] > 0.75 * decisions.total()
    assert set(calls.values_list("reason", flat=True)) == {"", *Reason}
    ends = Counter(results.values_list("status", "reason"))
    assert ends["ok", ""] > 0.85 * ends.total()
    assert {reason for _, reason in ends} >= {
        "timed_out",
        "attempts_exhausted",
        "malformed_result",
        "upstream_timeout",
        "not_found",
    }
    assert results.filter(status="ok", attempt=2).exists()
    assert results.filter(details__flags__isnull=False).exists()
    assert_approvals_are_of_every_kind(administrator)
    assert_circuits_closed_again()
    labels = Counter(labels_of(Span.objects.all()).values())
    assert labels[True] > labels[False] > 20
    stops = set(Run.objects.values_list("stop_reason", flat=True))
    assert stops >= {"budget_exhausted", "approval_refused", "missing_scope", "tool_error"}


def assert_approvals_are_of_every_kind(administrator: User) -> None:
    for approval in Approval.objects.filter(state=Approval.State.APPROVED):
        assert approval.decided_by == administrator
        assert approval.reason
        assert approval.decided_at is not None
        assert approval.requested_at < approval.decided_at <= UNTIL
    assert Approval.objects.filter(used_by__isnull=False).exists()
    assert Approval.objects.filter(state=Approval.State.REFUSED).exclude(reason="").exists()
    pending = Approval.objects.filter(state=Approval.State.PENDING)
    assert pending.filter(expires_at__lte=UNTIL).exists()
    assert pending.filter(expires_at__gt=UNTIL).count() in {2, 3, 4, 5}


def assert_circuits_closed_again() -> None:
    circuits = Circuit.objects.filter(by_hand=False)
    assert circuits
    assert circuits.filter(closed_at=None).count() <= 1
    assert ToolCall.objects.filter(is_probe=True, status="ok").exists()


def labels_of(spans: Iterable[Span]) -> dict[int, bool]:
    """Return for each selection after which something was called whether it was complete.

    As document.md says it: every tool that the run called before its next selection had been
    offered by the selection itself, and no call was refused as not offered.
    """
    offered = {span.pk: span.offered for span in spans if span.name == Span.Name.ROUTE}
    labels: dict[int, bool] = {}
    for span in spans:
        if span.name != Span.Name.CALL or span.selection_id is None or span.tool is None:
            continue
        if span.decision == "allowed" or span.reason == Reason.NOT_OFFERED:
            complete = span.tool in offered[span.selection_id]
            labels[span.selection_id] = labels.get(span.selection_id, True) and complete
    return labels


def test_what_only_an_expansion_offered_makes_a_selection_incomplete(administrator: User) -> None:
    run_it(approver=administrator)
    labels = labels_of(Span.objects.order_by("id"))
    allowed = Span.objects.filter(name=Span.Name.CALL, decision="allowed")
    offered = dict(Span.objects.filter(name=Span.Name.ROUTE).values_list("pk", "offered"))
    opened = [span for span in allowed if span.tool not in offered[span.selection_id or 0]]
    assert opened
    assert not any(labels[span.selection_id or 0] for span in opened)
    assert any(labels.values())


def test_calls_carry_the_simulated_time_and_the_run_s_count(administrator: User) -> None:
    run_it(approver=administrator)
    calls = ToolCall.objects.select_related("run", "selection")
    assert calls
    for call in calls:
        assert call.selection.time < call.leased_until
        assert call.settled_at is None or call.run.started_at < call.settled_at <= UNTIL
    for run in Run.objects.all():
        assert run.calls_spent == calls.filter(run=run).count()
    assert Run.objects.filter(tokens_spent__gt=0).exists()
    assert Approval.objects.exclude(requested_at=F("proposal__time")).count() == 0


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
