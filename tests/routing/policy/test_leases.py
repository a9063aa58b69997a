"""What may be done under a key that stands for a call."""

from datetime import timedelta
from typing import Any

import pytest

from routing.policy.budget import Budget, Ceiling, lowest_ceilings
from routing.policy.leases import Bound, Step, next_step
from tests.routing.policy.calls import NOW

SECOND = timedelta(seconds=1)


def step(*, tool: str = "pay", sha256: str = "a", **known: Any) -> Step:
    out: dict[str, Any] = {
        "tool": "pay",
        "arguments_sha256": "a",
        "attempt": 1,
        "leased_until": NOW,
    }
    bound = Bound(**(out | known))
    return next_step(bound, tool=tool, arguments_sha256=sha256, max_attempts=2, now=NOW)


@pytest.mark.parametrize("status", ["", "ok", "retryable_error", "fatal_error"])
def test_another_call_is_a_conflict_whatever_has_come_of_this(status: str) -> None:
    assert step(tool="draw", status=status) is Step.CONFLICT
    assert step(sha256="b", status=status) is Step.CONFLICT


def test_an_attempt_holds_its_lease_until_its_time_is_over() -> None:
    assert step(leased_until=NOW + SECOND) is Step.WAIT
    assert step(leased_until=NOW) is Step.RETRY
    assert step(leased_until=NOW - SECOND, attempt=2) is Step.EXHAUSTED


@pytest.mark.parametrize(
    ("status", "attempt", "expected"),
    [
        ("ok", 1, Step.REPLAY),
        ("fatal_error", 1, Step.REPLAY),
        ("retryable_error", 1, Step.RETRY),
        ("retryable_error", 2, Step.EXHAUSTED),
        ("retryable_error", 7, Step.EXHAUSTED),
    ],
)
@pytest.mark.parametrize("lease", [NOW - SECOND, NOW + SECOND])
def test_what_an_ended_attempt_comes_to(
    status: str, attempt: int, expected: Step, lease: object
) -> None:
    assert step(status=status, attempt=attempt, leased_until=lease) is expected


def test_the_lowest_ceiling_of_each_kind_holds() -> None:
    ceilings = lowest_ceilings(
        run={"calls": 5, "tokens": None}, route={"calls": 3, "tokens": 10}, key={"cost": 0.5}
    )

    assert ceilings == {
        "calls": Ceiling(3, "route"),
        "tokens": Ceiling(10, "route"),
        "cost": Ceiling(0.5, "key"),
    }
    assert lowest_ceilings(run=None, route={}, key={"calls": 0})["calls"].most == 0


def test_a_run_cannot_widen_what_its_route_allows() -> None:
    assert lowest_ceilings(run={"calls": 10**6}, route={"calls": 3})["calls"].most == 3


@pytest.mark.parametrize(("spent", "left"), [(1.9, True), (2, False), (2.1, False)])
def test_what_is_spent_is_spent(spent: float, left: bool) -> None:
    budget = Budget(ceilings={"cost": Ceiling(2, "key")}, spent={"cost": spent})

    assert (budget.exhausted() is None) is left
    assert budget.told("cost") == "The run has spent the 2 USD that its key allows."
