"""One simulation, and what can be read off it: its runs, their calls and the label of each.

The tests of this file share it and change nothing.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from pytest_django.plugin import DjangoDbBlocker

from catalog.models import Catalog
from catalog.publishing import freeze_and_check
from routing.models import Approval, Circuit, Run, Span, ToolCall
from routing.moves import current_move
from routing.policy.types import Reason
from routing.simulation import Simulated, edition, simulate
from routing.simulation.conduct import STOPPED
from routing.simulation.plan import Ending, PlannedRun, half_of, plan_month
from tests.samples import NOW

DAYS = 4
START = NOW + timedelta(days=1)
UNTIL = START + timedelta(days=DAYS)
TASKS = 600

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def administrator(samples_once: None) -> User:
    return User.objects.create_superuser("admin")


@pytest.fixture(autouse=True, scope="module")
def month(administrator: User, django_db_blocker: DjangoDbBlocker) -> Iterator[Simulated]:
    with django_db_blocker.unblock(), transaction.atomic():
        yield simulate(
            tasks=TASKS,
            days=DAYS,
            seed=1,
            until=UNTIL,
            say=lambda text: None,
            approver=administrator,
        )
        transaction.set_rollback(True)


def plan() -> list[PlannedRun]:
    return list(plan_month(seed=1, start=START, tasks=TASKS, days=DAYS))


def test_every_planned_run_is_on_record_with_its_selections_and_its_outcome() -> None:
    runs = {run.run_id: run for run in Run.objects.select_related("catalog", "key")}
    assert len(runs) == TASKS
    for planned in plan():
        run = runs[f"sim-1-{planned.number:05}"]
        assert run.started_at == planned.begins
        assert run.catalog.name == planned.catalog
        assert run.route == (planned.route or "")
        assert run.source == "simulated"
        assert list(run.key.catalogs.all()) == [run.catalog]
        selections = run.spans.filter(name=Span.Name.ROUTE)
        assert 1 <= selections.count() <= len(planned.steps)
    assert Run.objects.exclude(outcome="").count() > 0.8 * TASKS


def test_spans_are_marked_and_carry_the_simulated_time() -> None:
    assert set(Span.objects.values_list("source", flat=True)) == {"simulated"}
    kinds = set(Span.Name.values) - {Span.Name.PHASE}  # these agents move by selecting
    assert set(Span.objects.values_list("name", flat=True)) == kinds
    for span in Span.objects.select_related("run"):
        assert span.run.started_at <= span.time <= UNTIL
        assert span.hour == int(span.time.timestamp()) // 3600
    first = Span.objects.filter(name=Span.Name.ROUTE, time=F("run__started_at"))
    assert first.count() == TASKS


def test_an_agent_asks_only_for_what_it_was_not_offered_and_says_why() -> None:
    expansions = Span.objects.filter(name=Span.Name.EXPAND).select_related("text", "selection")
    assert expansions
    for span in expansions:
        assert span.offered
        assert span.selection is not None
        assert not set(span.offered) & set(span.selection.offered)
        assert len(span.text.reason.split()) > 3


def test_a_run_ends_as_planned_for_what_it_met() -> None:
    planned = {f"sim-1-{run.number:05}": run for run in plan()}
    ends: Counter[str] = Counter()
    for run in Run.objects.exclude(outcome=""):
        own = planned[run.run_id]
        ending = Ending(run.outcome, run.stop_reason)
        assert ending in {own.if_met, own.if_unmet, own.if_failed, *STOPPED.values()}
        ends[ending.status] += 1
    assert ends["solved"] > 0.5 * TASKS


def test_runs_before_and_after_the_version_half_way_keep_their_own() -> None:
    half = half_of(start=START, days=DAYS)
    runs = Run.objects.filter(catalog__name="back-office").select_related("release__version")
    versions = {
        run.release.version.number if run.started_at < half else -run.release.version.number
        for run in runs
    }
    assert versions == {1, -2}
    others = Run.objects.exclude(catalog__name="back-office")
    assert set(others.values_list("release__version__number", flat=True)) == {1}


def test_the_version_half_way_is_dated_noted_and_equal_to_the_draft() -> None:
    catalog = Catalog.objects.get(name="back-office")
    newest = catalog.versions.latest("number")
    assert (newest.number, newest.note) == (2, edition.NOTE)
    assert newest.created_at == half_of(start=START, days=DAYS)
    assert freeze_and_check(catalog).sha256 == newest.sha256
    move = current_move(catalog)
    assert move is not None
    assert move.release.version == newest
    changed = [tool["name"] for tool in newest.parsed()["tools"] if tool["revision"] == 2]
    assert changed == ["open_carrier_ticket"]


def test_everything_that_may_happen_to_a_call_happens(
    month: Simulated, administrator: User
) -> None:
    calls = Span.objects.filter(name=Span.Name.CALL)
    results = Span.objects.filter(name=Span.Name.RESULT)
    # A call that has ended is answered from the record.
    ended = results.filter(reason="attempts_exhausted")
    assert calls.count() + ended.count() == month.tally.calls.proposals
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


def test_what_only_an_expansion_offered_makes_a_selection_incomplete() -> None:
    labels = labels_of(Span.objects.order_by("id"))
    allowed = Span.objects.filter(name=Span.Name.CALL, decision="allowed")
    offered = dict(Span.objects.filter(name=Span.Name.ROUTE).values_list("pk", "offered"))
    opened = [span for span in allowed if span.tool not in offered[span.selection_id or 0]]
    assert opened
    assert not any(labels[span.selection_id or 0] for span in opened)
    assert any(labels.values())


def test_calls_carry_the_simulated_time_and_the_run_s_count() -> None:
    calls = ToolCall.objects.select_related("run", "selection")
    assert calls
    for call in calls:
        assert call.selection.time < call.leased_until
        assert call.settled_at is None or call.run.started_at < call.settled_at <= UNTIL
    for run in Run.objects.all():
        assert run.calls_spent == calls.filter(run=run).count()
    assert Run.objects.filter(tokens_spent__gt=0).exists()
    assert Approval.objects.exclude(requested_at=F("proposal__time")).count() == 0
